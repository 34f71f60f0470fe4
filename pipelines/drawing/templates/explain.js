"use strict";
// Links the bars and points of the charts to the blocks of the text, and moves thresholds.
(() => {
  const HEIGHT = 150;
  const methods = JSON.parse(document.getElementById("data").textContent);

  const format = (value) =>
    Math.abs(value) >= 10000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));

  function link(section, index, data) {
    const list = section.querySelector("ol.blocks");
    const rows = Array.from(list.querySelectorAll("li[id]"));
    const plots = Array.from(section.querySelectorAll(".plot"));
    const readout = section.querySelector(".readout");
    const marksOf = plots.map((plot) => Array.from(plot.querySelector(".bars, .points").children));
    const count = Math.ceil(data.places / data.bin);
    let current = -1;
    let marked = [];

    const placesOf = (bar) => [bar * data.bin, Math.min(data.places, (bar + 1) * data.bin)];
    const blocksOf = (bar) => {
      if (!data.starts) return placesOf(bar);
      return data.starts[bar] < data.stops[bar] ? [data.starts[bar], data.stops[bar]] : [0, 0];
    };
    const barOf = (block) => data.of_block ? data.of_block[block] : Math.floor(block / data.bin);

    const describe = (bar, block) => {
      const [first, last] = placesOf(bar);
      if (block === undefined && data.notes && last - first === 1) {
        return [data.notes[first], "", null];
      }
      const [low, high] = block === undefined ? blocksOf(bar) : [block, block + 1];
      if (high - low > 1) return [`${data.noun}s ${first + 1} to ${last}`, rows[low] ? text(rows[low]) : "", null];
      const row = rows[low];
      if (!row) return [`${data.noun} ${first + 1}`, "", null];
      const said = row.querySelector("small").textContent.replace(/^(kept|dropped): /, "");
      return [`${data.block} ${low + 1}: ${said}`, text(row), row.classList.contains("k")];
    };
    const text = (row) => row.querySelector("p").textContent.slice(0, 300) || (row.querySelector(".source") || row).textContent.slice(0, 200);

    function show(bar, block) {
      if (bar < 0 || bar >= count) return;
      for (const element of marked) element.classList.remove("on");
      marked = [];
      current = bar;
      const [said, excerpt, kept] = describe(bar, block);
      plots.forEach((plot, place) => {
        const mark = marksOf[place][bar];
        if (!mark) return;
        const drawn = plot.dataset.kind === "points" ? mark.firstElementChild : mark;
        drawn.classList.add("on");
        marked.push(drawn);
        const cursor = plot.querySelector(".cursor");
        if (cursor) {
          cursor.setAttribute("x", mark.getAttribute("x"));
          cursor.setAttribute("width", mark.getAttribute("width"));
        }
        plot.setAttribute("aria-valuenow", String(bar + 1));
        plot.setAttribute("aria-valuetext", (kept === null ? "" : kept ? "kept, " : "dropped, ") + said + " " + excerpt.slice(0, 80));
      });
      const [low, high] = block === undefined ? blocksOf(bar) : [block, block + 1];
      for (let row = low; row < high && row < rows.length; row += 1) {
        rows[row].classList.add("on");
        marked.push(rows[row]);
      }
      readout.textContent = "";
      if (kept !== null) {
        const verdict = readout.appendChild(document.createElement("b"));
        verdict.textContent = kept ? "kept " : "dropped ";
        verdict.className = kept ? "" : "d";
      }
      readout.append(said);
      const line = readout.appendChild(document.createElement("span"));
      line.className = "excerpt";
      line.dir = "auto";
      line.textContent = excerpt;
    }

    function go(bar) {
      const row = rows[blocksOf(bar)[0]];
      if (!row) return;
      if (row.closest("details")) row.closest("details").open = true;
      if (!row.getClientRects().length) {
        section.querySelector('input[value=""]').click();
        list.classList.remove("no-source");
      }
      row.querySelector("a").focus({ preventScroll: true });
      row.scrollIntoView({ block: "center" });
      show(bar);
    }

    function pointed(plot, event) {
      const box = plot.querySelector("svg").getBoundingClientRect();
      const x = event.clientX - box.left;
      if (plot.dataset.kind === "bars") {
        return Math.min(count - 1, Math.max(0, Math.floor((x / box.width) * count)));
      }
      const y = event.clientY - box.top;
      let best = -1, nearest = Infinity;
      marksOf[plots.indexOf(plot)].forEach((point, place) => {
        const across = (parseFloat(point.getAttribute("x")) / 100) * box.width - x;
        const down = parseFloat(point.getAttribute("y")) - y;
        const distance = across * across + down * down;
        if (distance < nearest) [best, nearest] = [place, distance];
      });
      return best;
    }

    for (const plot of plots) {
      plot.addEventListener("pointermove", (event) => show(pointed(plot, event)));
      plot.addEventListener("click", (event) => go(pointed(plot, event)));
      plot.addEventListener("focus", () => current < 0 && show(0));
      plot.addEventListener("keydown", (event) => {
        const page = Math.max(1, Math.round(count / 10));
        const steps = {
          ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page,
          Home: -count, End: count,
        };
        if (event.key in steps) {
          event.preventDefault();
          show(Math.min(count - 1, Math.max(0, current + steps[event.key])));
        } else if (event.key === "Enter" && current >= 0) {
          go(current);
        }
      });
    }
    const fromRow = (event) => {
      const row = event.target.closest("li[id]");
      const block = row ? Number(row.id.split("b")[1]) - 1 : -1;
      if (block >= 0) show(barOf(block), block);
    };
    list.addEventListener("pointerover", fromRow);
    list.addEventListener("focusin", fromRow);

    for (const radio of section.querySelectorAll('input[type="radio"]')) {
      radio.addEventListener("change", () => {
        list.classList.remove("only-kept", "only-dropped");
        if (radio.value) list.classList.add(radio.value);
        if (radio.value === "only-dropped") for (const run of list.querySelectorAll("details")) run.open = true;
      });
    }
    const numbers = section.querySelector(".show-numbers");
    numbers.addEventListener("change", () => list.classList.toggle("no-numbers", !numbers.checked));
    const source = section.querySelector(".show-source");
    if (source) source.addEventListener("change", () => list.classList.toggle("no-source", !source.checked));

    if (data.control) control(section, index, data, rows, plots, marksOf);
  }

  function control(section, index, data, rows, plots, marksOf) {
    const factor = section.querySelector(".factor");
    const mode = section.querySelector(".mode");
    const verdict = document.getElementById(`verdict-${index}`);
    const lengths = rows.map((row) => Array.from(row.querySelector("p").textContent).length);
    const first = { factor: factor.value, mode: mode.value };
    const chart = data.control.chart;

    function redraw(values, threshold) {
      const plot = plots[chart];
      const bars = Math.ceil(data.places / data.bin);
      const highest = [];
      for (let bar = 0; bar < bars; bar += 1) {
        highest.push(Math.max(...values.slice(bar * data.bin, (bar + 1) * data.bin)));
      }
      // The axis stays as it was drawn; what goes over its top is cut there.
      const top = parseFloat(plot.dataset.top);
      const y = (value) => HEIGHT * (1 - Math.min(value, top) / top);
      highest.forEach((value, bar) => {
        marksOf[chart][bar].setAttribute("y", y(value).toFixed(3));
        marksOf[chart][bar].setAttribute("height", (HEIGHT - y(value)).toFixed(3));
      });
      const line = plot.querySelector(".threshold");
      line.setAttribute("y1", y(threshold).toFixed(3));
      line.setAttribute("y2", y(threshold).toFixed(3));
    }

    function apply() {
      const { values, unit } = data.control.modes[mode.value];
      const threshold = Number(factor.value) * unit;
      const kept = values.map((value) => value >= threshold);
      let lines = 0, chars = 0, shown = 0;
      kept.forEach((isKept, block) => {
        lines += isKept;
        const row = rows[block];
        if (!row) return;
        if (isKept && lengths[block]) {
          chars += lengths[block];
          shown += 1;
        }
        row.classList.toggle("k", isKept);
        if (isKept && row.closest("details")) row.closest("details").open = true;
        const [word, reason, numbers] = row.querySelectorAll("small b, small i, small span");
        word.textContent = isKept ? "kept" : "dropped";
        reason.textContent = `${data.control.symbol} ${isKept ? "reaches" : "is below"} the threshold`;
        numbers.textContent = `${data.control.symbol} ${format(values[block])}, threshold ${format(threshold)}`;
      });
      marksOf.forEach((marks, place) => {
        if (plots[place].dataset.kind !== "bars") return;
        marks.forEach((mark, bar) => {
          mark.classList.toggle("k", kept.slice(bar * data.bin, (bar + 1) * data.bin).some(Boolean));
        });
      });
      redraw(values, threshold);
      section.querySelector(".factor-value").textContent = factor.value;
      section.querySelector(".moved").hidden = factor.value === first.factor && mode.value === first.mode;
      verdict.querySelector(".count").textContent = lines.toLocaleString("en");
      verdict.querySelector(".chars").textContent = (chars + Math.max(0, shown - 1)).toLocaleString("en");
      verdict.querySelector(".limit").textContent = format(threshold);
    }

    factor.addEventListener("input", apply);
    mode.addEventListener("change", apply);
    section.querySelector(".reset").addEventListener("click", () => {
      factor.value = first.factor;
      mode.value = first.mode;
      apply();
    });
  }

  Array.from(document.querySelectorAll("section.method")).forEach((section, index) => link(section, index, methods[index]));
})();
