"use strict";
// Shows the pages of a corpus: finds them by the index, and adds the chunk that has one when it is asked for.
(() => {
  const STEP = 100;
  const MOST_CHARS = 300_000;
  const FACETS = [["verdict", "Verdict"], ["rule", "Rule"], ["language", "Language"], ["host", "Host"]];
  const COLUMN_TITLES = { "": "Record and extraction", metadata: "What the page says of itself", language: "Language", drop_reason: "", cluster: "Duplicates", masked: "Masks", confidence: "Confidence" };
  const at = (id) => document.getElementById(id);
  const count = (number) => number.toLocaleString("en");

  // Chunks. A name comes from the tables of the site alone.
  const waiting = new Map(), loaded = new Map();
  window.cedar = async (name, packed) => {
    const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    waiting.get(name).resolve(await new Response(stream).json());
  };
  function chunk(name) {
    if (!loaded.has(name)) {
      loaded.set(name, new Promise((resolve, reject) => {
        waiting.set(name, { resolve });
        const script = document.createElement("script");
        script.src = `data/${name}.js`;
        script.onerror = () => reject(new Error(`data/${name}.js is not there`));
        document.head.append(script);
      }));
    }
    return loaded.get(name);
  }
  function chunkOf(kind, id) {
    const firsts = index.chunks[kind];
    let low = 0, high = firsts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (firsts[middle] <= id) low = middle; else high = middle;
    }
    return firsts.length ? chunk(`${kind}-${low}`).then((rows) => [rows, firsts[low]]) : Promise.resolve([[], 0]);
  }
  const rowOf = async (id) => {
    const [rows, first] = await chunkOf("pages", id);
    const columns = index.columns[verdictOf(id) === "rejected" ? "rejects" : "pages"];
    const row = Object.fromEntries(columns.map(([name], place) => [name, rows[id - first][place]]));
    return { ...row, command: rows[id - first][columns.length], judged: rows[id - first][columns.length + 1] };
  };
  const pairOf = async (id) => (await chunkOf("pairs", id))[0].find((pair) => pair[0] === id);

  // Elements. What pages say becomes text, never markup.
  function el(name, about = {}, ...children) {
    const made = name === "svg" || about.svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(about)) {
      if (key === "on") made.addEventListener("click", value);
      else if (key !== "svg" && value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
  }
  const said = (text) => el("span", { dir: "auto" }, text);

  // What is known of a row.
  let index, haystacks, members;
  const stratum = (id) => index.strata[index.stratum[id]];
  const verdictOf = (id) => stratum(id)[0];
  const valueOf = { verdict: verdictOf, rule: (id) => stratum(id)[1], language: (id) => stratum(id)[2], host: (id) => index.hosts[index.host[id]] };
  const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  function nameOf(facet, value) {
    if (facet !== "language" || !value) return value || "none";
    try { return languages.of(value) || value; } catch { return value; }
  }
  const titleOf = (id) => index.title[id] || index.url[id].replace(/^[^:]*:\/\//, "") || "no URL";

  // The state stands in the address.
  const state = () => new URLSearchParams(location.hash.slice(1));
  function addressOf(changes) {
    const now = state();
    for (const [key, value] of Object.entries(changes)) {
      if (value === null || value === "") now.delete(key); else now.set(key, value);
    }
    return `#${now}`;
  }
  const chosen = (now) => (now.has("page") && Number(now.get("page")) in index.url ? Number(now.get("page")) : null);

  let found = [], shown = STEP, listed = "";
  function list(now) {
    const key = ["q", ...FACETS.map(([facet]) => facet)].map((name) => now.get(name)).join("\n");
    if (key !== listed) shown = STEP;
    listed = key;
    const words = (now.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = FACETS.map(([facet]) => [facet, now.get(facet)]);
    const counts = new Map(FACETS.map(([facet]) => [facet, new Map()]));
    found = [];
    for (let id = 0; id < index.url.length; id += 1) {
      if (!words.every((word) => haystacks[id].includes(word))) continue;
      const failed = wanted.filter(([facet, value]) => value !== null && valueOf[facet](id) !== (value === "-" ? "" : value));
      if (!failed.length) found.push(id);
      if (failed.length > 1) continue;
      for (const [facet, of] of counts) {
        if (failed.length && failed[0][0] !== facet) continue;
        const value = valueOf[facet](id);
        of.set(value, (of.get(value) || 0) + 1);
      }
    }
    at("count").textContent = `${count(found.length)} of ${count(index.url.length)} rows`;
    drawFacets(now, counts);
    drawHits(now);
  }

  const unfolded = new Set();
  function drawFacets(now, counts) {
    at("facets").lastElementChild.replaceChildren(...FACETS.map(([facet, title]) => {
      const order = facet === "verdict" ? (a, b) => index.verdicts.indexOf(a[0]) - index.verdicts.indexOf(b[0]) : (a, b) => b[1] - a[1];
      const values = Array.from(counts.get(facet)).filter(([value]) => facet !== "rule" || value).sort(order);
      if (!values.length) return null;
      const most = unfolded.has(facet) ? 300 : 8;
      const buttons = values.slice(0, most).map(([value, pages]) => {
        const pressed = now.get(facet) === (value || "-");
        return el("li", {}, el("a", { href: addressOf({ [facet]: pressed ? null : value || "-" }), "aria-current": pressed ? "true" : null, class: facet === "verdict" ? `v-${value}` : null },
          said(nameOf(facet, value)), el("small", {}, count(pages))));
      });
      const more = values.length > most && most < 300 ? el("button", { type: "button", class: "quiet", on: () => { unfolded.add(facet); route(); } }, `${count(values.length - most)} more`) : null;
      return el("section", {}, el("h2", {}, title), el("ul", {}, buttons), more);
    }).filter(Boolean));
  }

  function drawHits(now) {
    const current = chosen(now);
    at("hits").replaceChildren(...found.slice(0, shown).map((id) => {
      const about = [nameOf("language", valueOf.language(id)), index.chars[id] === null ? null : `${count(index.chars[id])} characters`];
      return el("li", {}, el("a", { href: addressOf({ page: id, part: null }), "aria-current": id === current ? "page" : null, class: `v-${verdictOf(id)}` },
        el("b", { dir: "auto" }, titleOf(id)), el("span", { class: "url", dir: "ltr" }, index.url[id]),
        el("small", {}, el("span", { class: "badge" }, verdictOf(id)), [...(verdictOf(id) === "rejected" ? [] : about), valueOf.rule(id)].filter(Boolean).join(" · "))));
    }));
    at("more").hidden = found.length <= shown;
  }

  // One page.
  const asText = (value) => (value === null || value === "" ? "none" : typeof value === "number" ? count(value) : String(value));
  function short(value) {
    if (typeof value !== "number") return String(value);
    return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(3)));
  }
  function paragraphs(text) {
    const cut = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}` : text;
    const lines = cut.split("\n").filter(Boolean).map((line) => el("p", { dir: "auto" }, line));
    if (cut !== text) lines.push(el("p", { class: "soft" }, `${count(text.length - MOST_CHARS)} more characters are not shown.`));
    return lines.length ? lines : [el("p", { class: "soft" }, "No text was kept.")];
  }
  function copied(text, label) {
    const button = el("button", { type: "button", class: "quiet", on: () => {
      const range = document.createRange();
      range.selectNodeContents(button.previousElementSibling);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      document.execCommand("copy");
      button.textContent = "copied";
    } }, "copy");
    return el("p", { class: "copy" }, el("code", { dir: "ltr", "aria-label": label }, text), button);
  }

  // The page in a web archive, by `--replay`.
  function replay(id, row) {
    if (!index.replay || (!row.fetched_at && index.replay.includes("{timestamp}"))) return null;
    const timestamp = row.fetched_at ? new Date(row.fetched_at / 1000).toISOString().replace(/\D/g, "").slice(0, 14) : "";
    const address = index.replay.replace("{timestamp}", timestamp).replace("{url}", () => index.url[id]);
    return el("p", {}, el("a", { href: address, rel: "noreferrer" }, "Replay of this page"));
  }

  // The letters of `row.judged`: k, the row keeps the bound; f, it fails; n, the bound is not asked of it.
  function judged(row) {
    const bounds = index.bounds.map(([preset, signal, operator, limit], place) => ({ preset, signal, operator, limit, value: row[signal], spared: row.judged[place] === "n", fits: row.judged[place] !== "f" }));
    return bounds.filter(({ signal }) => signal in row);
  }
  const SIGNS = { "<=": "at most", ">=": "at least", "==": "exactly" };
  const docOf = (signal) => (index.columns.pages.find(([name]) => name === signal) || ["", ""])[1];
  function strip({ value, limit, operator }) {
    if (typeof value !== "number") return null;
    const top = limit < 1 && value <= 1 ? 1 : Math.max(value, limit) * 1.25 || 1;
    const edge = (100 * limit) / top, place = Math.min(100, (100 * value) / top);
    const room = operator === ">=" ? [edge, 100 - edge] : [0, edge];
    const svg = (name, about) => el(name, { svg: true, ...about });
    return el("svg", { class: "strip", "aria-hidden": "true" },
      svg("rect", { class: "track", y: 5, width: "100%", height: 4, rx: 2 }),
      svg("rect", { class: "room", x: `${room[0]}%`, y: 5, width: `${room[1]}%`, height: 4, rx: 2 }),
      svg("line", { class: "bound", x1: `${edge}%`, x2: `${edge}%`, y1: 1, y2: 13 }),
      svg("circle", { cx: `${place}%`, cy: 7, r: 4 }));
  }
  function signalTable(title, rows) {
    return el("table", { class: "signals" }, el("caption", {}, title),
      el("thead", {}, el("tr", {}, ["signal", "value", "bound", ""].map((head) => (head ? el("th", { scope: "col" }, head) : el("td"))))),
      el("tbody", {}, rows.map((one) => el("tr", { class: one.fits === false ? "fails" : null },
        el("td", {}, docOf(one.signal), el("small", {}, one.signal)), el("td", {}, short(one.value)),
        el("td", {}, one.limit === undefined ? "" : `${SIGNS[one.operator]} ${short(one.limit)}`, el("small", {}, one.limit === undefined ? "" : one.spared ? "not asked of this page" : one.fits ? "passes" : "fails")),
        el("td", {}, one.limit === undefined ? null : strip(one))))));
  }
  function signals(row) {
    const bounds = judged(row), named = new Set(bounds.map(({ signal }) => signal));
    const others = index.columns.pages.filter(([name, , group]) => group === "signals" && !named.has(name) && row[name] !== null).map(([name]) => ({ signal: name, value: row[name] }));
    const ordered = [...bounds.filter((one) => !one.fits), ...bounds.filter((one) => one.fits)];
    const tables = [];
    if (bounds.length) tables.push(signalTable(`Judged by ${Array.from(new Set(bounds.map(({ preset }) => preset))).join(" and ")}`, ordered));
    if (others.length) {
      const table = signalTable(bounds.length ? "Other signals" : "Signals", others);
      tables.push(bounds.length ? el("details", {}, el("summary", {}, `${others.length} signals that were not asked`), table) : table);
    }
    return tables;
  }
  function why(id, row) {
    const verdict = verdictOf(id), [kind, size, similarity, keptUrl] = index.alike[id] || [];
    const lines = [];
    if (verdict === "rejected") {
      lines.push(el("p", {}, el("b", {}, "Rejected: "), index.meanings[row.reason]));
      lines.push(el("p", { class: "soft", dir: "auto" }, [row.reason, row.detail].filter(Boolean).join(", ")));
    } else if (verdict === "dropped") {
      const failed = judged(row).find((one) => !one.fits);
      lines.push(el("p", { dir: "auto" }, el("b", {}, "Dropped: "), row.drop_reason || ""));
      if (failed && String(row.drop_reason).includes(failed.signal)) {
        lines.push(el("p", { class: "soft" }, `${failed.signal}: ${docOf(failed.signal)}`), strip(failed));
      }
    } else if (verdict === "duplicate") {
      lines.push(el("p", {}, el("b", {}, `Duplicate: ${index.kinds[kind]}`), `, of a cluster of ${count(size)}${similarity === null || similarity === undefined ? "" : `, similarity ${short(similarity)}`}.`), el("p", { dir: "auto" }, "Kept instead: ", keptUrl));
    } else {
      const asked = judged(row).filter((one) => !one.spared).length;
      lines.push(el("p", {}, el("b", {}, "Kept"), asked ? `: it passes all ${asked} rules.` : "."));
      if (size) lines.push(el("p", {}, `It is the page that is kept of a cluster of ${count(size)}.`));
    }
    return el("div", { class: `why v-${verdict}` }, lines);
  }
  function facts(row, columns) {
    const groups = new Map();
    for (const [name, doc, group] of columns) {
      if (name in row && !["text", "markdown"].includes(name) && group !== "signals" && row[name] !== null && row[name] !== "") {
        if (!groups.has(group)) groups.set(group, []);
        const value = name === "fetched_at" ? new Date(row[name] / 1000).toISOString().replace("T", " ").replace(/\.000Z$/, " UTC") : asText(row[name]);
        groups.get(group).push(el("div", { title: doc }, el("dt", {}, name.replaceAll("_", " ")), el("dd", { dir: "auto" }, value)));
      }
    }
    return Array.from(groups, ([group, rows]) => el("section", {}, COLUMN_TITLES[group] ? el("h3", {}, COLUMN_TITLES[group]) : null, el("dl", { class: "facts" }, rows)));
  }

  // Two texts side by side: marks where words are the one's alone; long stretches alike are folded.
  const CONTEXT = 160;
  function marked(text, stretches) {
    const chars = Array.from(text), made = [];
    const alike = (start, stop, isFirst, isLast) => {
      const ahead = isFirst ? 0 : CONTEXT, behind = isLast ? 0 : CONTEXT;
      if (stop - start <= ahead + behind + 80) { made.push(chars.slice(start, stop).join("")); return; }
      // Folds begin and end between words.
      let from = start + ahead, to = stop - behind;
      for (let left = 30; ahead && left && chars[from].trim(); left -= 1) from += 1;
      for (let left = 30; behind && left && chars[to - 1].trim(); left -= 1) to -= 1;
      const middle = chars.slice(from, to).join("");
      const fold = el("button", { type: "button", class: "quiet", on: () => fold.replaceWith(middle) }, `… ${count(to - from)} characters alike …`);
      made.push(chars.slice(start, from).join(""), fold, chars.slice(to, stop).join(""));
    };
    let end = 0;
    stretches.forEach(([start, stop], place) => {
      alike(end, start, place === 0, false);
      made.push(el("mark", { class: "differs" }, chars.slice(start, stop).join("")));
      end = stop;
    });
    alike(end, chars.length, stretches.length === 0, true);
    return el("div", { class: "side", dir: "auto" }, made);
  }
  async function compared(id, kept) {
    const [kind, , similarity] = index.alike[id];
    const [row, other, pair] = await Promise.all([rowOf(id), rowOf(kept), kind === "text" ? null : pairOf(id)]);
    const said = `${index.kinds[kind]}${similarity === null || similarity === undefined ? "" : `, similarity ${short(similarity)}`}`;
    if (kind === "text" || !pair) return el("div", {}, el("p", {}, kind === "text" ? "Both have this text, character for character." : "What differs was not worked out."), el("div", { class: "side", dir: "auto" }, row.text));
    const sides = [["Kept", kept, other.text, pair[2]], ["Duplicate", id, row.text, pair[1]]];
    return el("div", {}, el("p", { class: "legend soft" }, el("span", {}, said), el("span", {}, el("mark", { class: "differs" }, "marked"), " words are in this text alone")),
      el("div", { class: "sides" }, sides.map(([title, of, text, stretches]) => el("section", {}, el("h3", {}, title), el("p", { class: "url soft" }, index.url[of]), marked(text.slice(0, MOST_CHARS), stretches)))));
  }
  function duplicates(id) {
    const of = members.get(index.cluster[id]) || [];
    const kept = of.find((other) => index.alike[other][0] === null);
    const others = of.filter((other) => other !== kept);
    const place = el("div", { "aria-live": "polite" });
    const show = async (other) => {
      for (const button of choices) button.setAttribute("aria-pressed", String(button.value === String(other)));
      place.replaceChildren(kept === undefined ? el("p", {}, `The page that is kept is not in this site: ${index.alike[other][3]}`) : await compared(other, kept));
    };
    const choices = others.slice(0, 50).map((other) => {
      const [kind, , similarity] = index.alike[other];
      return el("button", { type: "button", value: other, on: () => show(other) }, said(titleOf(other)), el("small", {}, `${index.kinds[kind]}${similarity === null || similarity === undefined ? "" : ` ${short(similarity)}`}`));
    });
    const size = index.alike[id][1];
    const head = el("p", { class: "soft" }, `${count(size)} pages of one cluster${of.length < size ? `, ${count(of.length)} of them in this site` : ""}. Beside the page that is kept stands:`);
    const first = others.includes(id) ? id : others[0];
    if (first !== undefined) show(first);
    return [head, el("div", { class: "choices" }, choices), place];
  }

  let turn = 0;
  async function drawPage(now, id) {
    const mine = (turn += 1), row = await rowOf(id);
    if (mine !== turn) return;
    const isReject = verdictOf(id) === "rejected";
    const parts = isReject ? [] : [["text", "Text", () => paragraphs(row.text)]];
    if (row.markdown) parts.push(["markdown", "Markdown", () => [el("pre", { dir: "auto" }, row.markdown.slice(0, MOST_CHARS))]]);
    if ("cedar_words" in row && row.cedar_words !== null) parts.push(["signals", "Signals", () => signals(row)]);
    if (index.cluster[id] !== null) parts.push(["duplicates", `Duplicates ${index.alike[id][1]}`, () => duplicates(id)]);
    parts.push(["facts", isReject ? "Record" : "Record and metadata", () => facts(row, index.columns[isReject ? "rejects" : "pages"])]);
    const part = parts.find(([name]) => name === now.get("part")) || parts[0];
    const place = found.indexOf(id);
    const step = (other, word) => (other === undefined ? null : el("a", { href: addressOf({ page: other, part: null }), class: "step" }, word));
    at("page").replaceChildren(
      el("p", { class: "steps" }, el("a", { href: addressOf({ page: null, part: null }), class: "back" }, "All pages"), step(found[place - 1], "Previous"), step(place < 0 ? undefined : found[place + 1], "Next")),
      el("p", { class: "eyebrow" }, [valueOf.host(id), nameOf("language", valueOf.language(id)), row.fetched_at ? new Date(row.fetched_at / 1000).toISOString().slice(0, 10) : ""].filter((one) => one && one !== "none").join(" · ")),
      el("h2", { dir: "auto" }, titleOf(id)), copied(index.url[id], "URL"), replay(id, row) || "", why(id, row),
      el("div", { class: "parts" }, el("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the page" }, parts.map(([name, title]) =>
        el("a", { role: "tab", id: `tab-${name}`, href: addressOf({ part: name }), "aria-selected": String(name === part[0]), "aria-controls": "part", tabindex: name === part[0] ? 0 : -1 }, title))),
      el("div", { id: "part", role: "tabpanel", tabindex: 0, "aria-labelledby": `tab-${part[0]}`, class: `part-${part[0]}` }, part[2]())),
      el("footer", {}, el("h3", {}, "Drawn by cedar explain"),
        index.drawings.includes(id) ? el("p", {}, el("a", { href: `drawings/${id}.html` }, "See which blocks were kept, and why")) : el("p", { class: "soft" }, "This page has no drawing here. The command makes one:"),
        copied(row.command, "command")));
    document.title = titleOf(id);
  }

  function drawStart() {
    const rules = new Map();
    let all = 0;
    for (const [verdict, rule, , , pages] of index.strata) {
      const key = JSON.stringify([verdict, rule]);
      rules.set(key, (rules.get(key) || 0) + pages);
      all += pages;
    }
    const rows = Array.from(rules, ([key, pages]) => [...JSON.parse(key), pages]);
    rows.sort((a, b) => index.verdicts.indexOf(a[0]) - index.verdicts.indexOf(b[0]) || b[2] - a[2]);
    at("overview").replaceChildren(el("table", { class: "outcomes" }, el("caption", {}, "All rows of the corpus, by what became of them"),
      el("thead", {}, el("tr", {}, ["outcome", "rows", ""].map((head) => (head ? el("th", { scope: "col" }, head) : el("td"))))),
      el("tbody", {}, rows.slice(0, 40).map(([verdict, rule, pages]) => el("tr", {},
        el("td", {}, el("a", { href: addressOf({ verdict, rule: rule || null }), class: `v-${verdict}` }, el("span", { class: "badge" }, verdict), index.meanings[rule] || rule, index.meanings[rule] ? el("small", {}, ` ${rule}`) : null)),
        el("td", {}, count(pages)),
        el("td", { class: "meter" }, el("svg", { "aria-hidden": "true" }, el("rect", { svg: true, class: `v-${verdict}`, width: `${(100 * pages) / all}%`, height: 9, rx: 1 }))))))));
  }

  async function route() {
    const now = state(), id = chosen(now);
    if (document.activeElement !== at("query")) at("query").value = now.get("q") || "";
    list(now);
    document.body.classList.toggle("reading", id !== null);
    at("start").hidden = id !== null;
    at("page").hidden = id === null;
    if (id === null) { document.title = at("home").textContent; turn += 1; return; }
    await drawPage(now, id);
  }
  const fault = (error) => { at("fault").hidden = false; at("fault").textContent = `This cannot be shown: ${error.message}`; };

  function listen() {
    let last = "";
    addEventListener("hashchange", () => {
      const page = state().get("page"), part = state().get("part"), isOther = page !== last;
      last = page;
      const tab = document.activeElement && document.activeElement.getAttribute("role") === "tab";
      route().then(() => {
        if (isOther) { at("main").scrollTop = 0; if (page !== null) scrollTo(0, 0); }
        if (tab && part) at(`tab-${part}`).focus();
      }).catch(fault);
    });
    at("search").addEventListener("submit", (event) => event.preventDefault());
    at("query").addEventListener("input", () => {
      history.replaceState(null, "", addressOf({ q: at("query").value, page: null }));
      route().catch(fault);
    });
    at("more").addEventListener("click", () => { shown += STEP; drawHits(state()); });
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.getAttribute("role") === "tab" && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
        const next = event.key === "ArrowRight" ? event.target.nextElementSibling : event.target.previousElementSibling;
        if (next) { next.focus(); next.click(); }
        return;
      }
      if (event.target.matches("input, select, textarea")) return;
      const place = found.indexOf(chosen(state()));
      if (event.key === "/") { event.preventDefault(); at("query").focus(); }
      if (event.key === "j" && place + 1 < found.length) location.hash = addressOf({ page: found[place + 1], part: null });
      if (event.key === "k" && place > 0) location.hash = addressOf({ page: found[place - 1], part: null });
    });
  }

  chunk("index").then((made) => {
    index = made;
    haystacks = index.url.map((url, id) => `${url} ${index.title[id]} ${index.beginning[id]}`.toLowerCase());
    members = new Map();
    index.cluster.forEach((cluster, id) => cluster !== null && members.set(cluster, [...(members.get(cluster) || []), id]));
    if (matchMedia("(max-width: 60rem)").matches) at("facets").open = false;
    drawStart();
    listen();
    return route();
  }).catch(fault);
})();
