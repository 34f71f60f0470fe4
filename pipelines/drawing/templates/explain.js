"use strict";
// Links the bars and points of the charts to the blocks of the text.
(() => {
  const methods = JSON.parse(document.getElementById("data").textContent);

  function link(section, data) {
    const list = section.querySelector("ol.blocks");
    const rows = Array.from(list.querySelectorAll("li[id]"));
    const plots = Array.from(section.querySelectorAll(".plot"));
    const readout = section.querySelector(".readout");
    const marksOf = plots.map((plot) => Array.from(plot.querySelector(".bars, .points").children));
    const count = Math.ceil(data.places / data.bin);
    let current = -1;
    let marked = [];

    const placesOf = (bar) => [bar * data.bin, Math.min(data.places, (bar + 1) * data.bin)];
    const barOf = (block) => Math.floor(block / data.bin);

    const describe = (bar, block) => {
      const [first, last] = placesOf(bar);
      const [low, high] = block === undefined ? placesOf(bar) : [block, block + 1];
      if (high - low > 1) return [`${data.noun}s ${first + 1} to ${last}`, rows[low] ? text(rows[low]) : "", null];
      const row = rows[low];
      if (!row) return [`${data.noun} ${first + 1}`, "", null];
      const said = row.querySelector("small").textContent.replace(/^(kept|dropped): /, "");
      return [`${data.noun} ${low + 1}: ${said}`, text(row), row.classList.contains("k")];
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
      const [low, high] = block === undefined ? placesOf(bar) : [block, block + 1];
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
      const row = rows[placesOf(bar)[0]];
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
  }

  Array.from(document.querySelectorAll("section.method")).forEach((section, index) => link(section, methods[index]));
})();
