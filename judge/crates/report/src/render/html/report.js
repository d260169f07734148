// The interactive part of the report: filter, sort, move, open. All data is already in the page. Texts are inserted
// only as text nodes, so that no output of a program can become markup.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const panel = byId("panel"), panelBody = byId("panel-body");
  // The first columns of a row describe the submission; the columns after them are its test cases.
  const FIRST_CASE = 4;

  const element = (tag, name, ...children) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return made;
  };

  // The details of a problem's cells, parsed on first use.
  const known = new Map();
  const detailsOf = (section) => {
    const number = section.dataset.problem;
    if (!known.has(number)) known.set(number, JSON.parse(byId("d" + number).textContent));
    return known.get(number);
  };
  const runOf = (cell) => {
    const row = cell.parentElement, section = cell.closest(".problem");
    if (!section || cell.cellIndex < FIRST_CASE || !row.dataset.row) return null;
    return detailsOf(section).rows[row.dataset.row].cells[cell.cellIndex - FIRST_CASE];
  };

  const seconds = (us) => (us / 1e6).toFixed(3) + " s";
  const mebibytes = (bytes) => (bytes / 1048576).toFixed(1) + " MiB";
  const size = (bytes) => bytes < 10240 ? bytes.toLocaleString("en") + (bytes === 1 ? " byte" : " bytes")
    : bytes < 10485760 ? (bytes / 1024).toFixed(1) + " KiB" : mebibytes(bytes);
  const shortTime = (us) => {
    const ms = us / 1000;
    return ms < 9.95 ? ms.toFixed(1) : ms < 999.5 ? ms.toFixed(0) : ms < 99950 ? (ms / 1000).toFixed(1) + "s" : (ms / 1000).toFixed(0) + "s";
  };
  const shortMemory = (bytes) => bytes < 104333312 ? (bytes / 1048576).toFixed(1) : (bytes / 1048576).toFixed(0);

  // ---- Filtering, sorting, the measure in cells ----

  const rows = all(".grid tbody tr").map((row) => ({
    row,
    name: row.cells[0].title.toLowerCase(),
    verdict: row.cells[1].dataset.value || "",
    odd: row.hasAttribute("data-surprise"),
  }));
  const filterBox = byId("filter"), verdictBox = byId("verdict"), oddBox = byId("surprises"), measureBox = byId("measure");

  const applyFilter = () => {
    const words = filterBox.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set();
    let number = 0;
    for (const one of rows) {
      const fits = words.every((word) => one.name.includes(word)) && (!verdictBox.value || one.verdict === verdictBox.value)
        && (!oddBox.checked || one.odd);
      if (one.row.hidden === fits) one.row.hidden = !fits;
      if (fits) { number += 1; shown.add(one.row.closest(".problem")); }
    }
    const narrowed = words.length > 0 || verdictBox.value !== "" || oddBox.checked;
    for (const section of all(".problem")) section.hidden = narrowed && !shown.has(section);
    byId("count").textContent = narrowed ? number + " of " + rows.length + " submissions" : rows.length + (rows.length === 1 ? " submission" : " submissions");
  };

  const applyMeasure = () => {
    const key = measureBox.value, format = key === "m" ? shortMemory : shortTime;
    const words = { c: "second line: CPU time in ms; empty: not run", w: "second line: elapsed time in ms; empty: not run", m: "second line: peak memory in MiB; empty: not run" };
    for (const section of all(".problem")) {
      const details = detailsOf(section);
      for (const row of all(".grid tbody tr", section)) {
        const cells = details.rows[row.dataset.row].cells;
        for (let index = 0; index < cells.length; index += 1) {
          if (cells[index]) row.cells[index + FIRST_CASE].lastElementChild.textContent = format(cells[index][key]);
        }
      }
      for (const legend of all(".measured", section)) legend.textContent = words[key];
    }
  };

  // Numbers in names count as numbers: w2 comes before w10.
  const natural = new Intl.Collator("en", { numeric: true });
  for (const body of all(".grid tbody")) {
    const named = Array.from(body.rows, (row) => [row.cells[0].title, row]);
    body.append(...named.sort((a, b) => natural.compare(a[0], b[0])).map((one) => one[1]));
  }
  const sortBy = (heading) => {
    const table = heading.closest("table"), body = table.tBodies[0], column = heading.cellIndex;
    const up = heading.getAttribute("aria-sort") !== "ascending";
    const number = heading.classList.contains("number");
    const key = (row) => number ? Number(row.cells[column].dataset.value || -1)
      : column === 0 ? row.cells[0].title : row.cells[column].dataset.value || "";
    const keyed = Array.from(body.rows, (row) => [key(row), Number(row.dataset.row), row]);
    const order = (a, b) => (number ? a[0] - b[0] : natural.compare(a[0], b[0])) || a[1] - b[1];
    keyed.sort((a, b) => up ? order(a, b) : -order(a, b));
    for (const other of all("th[aria-sort]", table)) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...keyed.map((one) => one[2]));
  };

  // ---- Moving in a grid: Tab reaches one cell of each grid, arrows move from there ----

  const current = new WeakMap();
  const reachable = (cell) => {
    const table = cell.closest("table"), before = current.get(table);
    if (before && before !== cell) before.removeAttribute("tabindex");
    cell.tabIndex = 0;
    current.set(table, cell);
  };
  const describe = (cell) => {
    const run = runOf(cell);
    if (!run || cell.title) return;
    const details = detailsOf(cell.closest(".problem"));
    const of = details.rows[cell.parentElement.dataset.row].name + " on " + details.cases[cell.cellIndex - FIRST_CASE];
    const text = run.v + (run.odd ? ", not permitted" : "") + ", " + seconds(run.c) + " of " + seconds(details.limit) + ", " + mebibytes(run.m);
    cell.title = of + ": " + text;
  };
  const goTo = (cell) => { reachable(cell); describe(cell); cell.focus(); };
  const nextRow = (row, step) => {
    do row = step > 0 ? row.nextElementSibling : row.previousElementSibling; while (row && row.hidden);
    return row;
  };
  const arrow = (cell, key) => {
    const row = cell.parentElement;
    if (key === "ArrowLeft") return row.cells[cell.cellIndex - 1];
    if (key === "ArrowRight") return row.cells[cell.cellIndex + 1];
    if (key === "Home") return row.cells[0];
    if (key === "End") return row.cells[row.cells.length - 1];
    if (key !== "ArrowUp" && key !== "ArrowDown") return null;
    const next = nextRow(row, key === "ArrowDown" ? 1 : -1);
    return next && next.cells[cell.cellIndex];
  };
  for (const table of all(".grid")) {
    const first = table.querySelector("tbody th");
    if (first) reachable(first);
  }

  // ---- The panel ----

  let opened = null;
  const facts = (pairs) => {
    const list = element("dl", "");
    for (const [name, value] of pairs) list.append(element("dt", "", name), element("dd", "", value));
    return list;
  };
  const part = (title, content) => [element("h3", "", title), content];
  const text = (words) => { const made = element("pre", "text", words); made.tabIndex = 0; return made; };
  const source = (words) => { const made = text(words); made.classList.add("source"); return made; };
  // Text between backticks is code.
  const marked = (words) => words.split(/`([^`]+)`/).map((one, index) => index % 2 ? element("code", "", one) : one);
  const bullets = (title, words, name) => words && words.length > 0
    ? part(title, element("ul", name || "", ...words.map((one) => element("li", "", ...marked(one))))) : [];
  const badge = (verdict) => element("span", "verdict " + verdict.toLowerCase(), verdict);
  const bar = (value, limit) => {
    const inner = element("b", ""), made = element("span", value > limit ? "bar over" : "bar", inner);
    inner.style.width = Math.min(100, 100 * value / Math.max(1, limit)) + "%";
    return made;
  };

  const side = (of, name, sign) => {
    if (!of) return element("div", "side none");
    const [number, before, parts, after] = of;
    const line = element("span", "t");
    if (before > 0) line.append(element("span", "cut", "[+" + size(before) + "]"));
    for (const [marked, words] of parts) line.append(marked ? element("mark", "", words) : words);
    if (after > 0) line.append(element("span", "cut", "[+" + size(after) + "]"));
    return element("div", "side " + name, element("span", "n", String(number)), element("span", "s", sign), line);
  };
  const difference = (diff) => {
    const shown = element("div", "diff");
    shown.append(element("div", "diff-row diff-head", element("span", "", "− expected"), element("span", "", "+ found")));
    for (const [differs, answer, output] of diff.rows) {
      shown.append(element("div", differs ? "diff-row" : "diff-row same",
        side(answer, differs ? "old" : "", differs ? "−" : " "), side(output, differs ? "new" : "", differs ? "+" : " ")));
    }
    if (diff.more) shown.append(element("div", "gap", "…"));
    const tokens = element("div", "tokens", element("span", "", "expected"), element("span", "", diff.expected || "(nothing)"),
      element("span", "", "found"), element("span", "", diff.found || "(nothing)"));
    return [part("First difference", tokens), part("Around it", shown)];
  };

  const conversation = (talk) => {
    const shown = element("div", "talk", element("span", "head", "submission"), element("span", "head", "output validator"));
    let pass = talk.said.length > 0 ? talk.said[0][1] : 1;
    talk.said.forEach(([ours, of, at, words, left], index) => {
      if (talk.gap && talk.gap[0] === index) shown.append(element("span", "gap", talk.gap[1].toLocaleString("en") + " messages left out"));
      if (of !== pass) { pass = of; shown.append(element("span", "gap", "pass " + pass)); }
      shown.append(element("pre", ours ? "a" : "b", element("small", "", seconds(at)), words, left > 0 ? element("small", "", size(left) + " left out") : null));
    });
    if (talk.said.length === 0) shown.append(element("span", "gap", "neither sent anything"));
    if (talk.end) shown.append(element("span", "gap", talk.end));
    return part("Conversation", shown);
  };

  const picture = ([name, address]) => {
    const shown = element("img", "");
    shown.src = address;
    shown.alt = name;
    return element("figure", "", shown, element("figcaption", "", name));
  };

  const title = (...words) => { const made = element("h2", "", ...words); made.id = "panel-title"; return made; };
  const showRun = (details, row, column, run) => {
    const name = details.cases[column], input = details.inputs[column];
    const whole = input ? part("Input, " + size(input.size), text(input.text)) : [];
    const [first, around] = run.diff ? difference(run.diff) : [[], []];
    const parts = [
      title(badge(run.v), " " + row.name + " on " + name),
      run.why ? element("p", run.odd ? "why bad" : "why", ...marked(run.why + (run.odd ? " – not permitted" : ""))) : null,
      facts([
        ["CPU time", element("span", "", seconds(run.c) + " of " + seconds(details.limit), bar(run.c, details.limit))],
        ["elapsed", seconds(run.w)], ["memory", mebibytes(run.m)], ...(run.facts || []), ...(input && input.from ? [input.from] : []),
        ...(run.k ? [["cached", "from an earlier run; the times are of that run"]] : []),
      ]),
      ...(run.says ? part("The output validator says", text(run.says)) : []),
      ...(run.team ? part("It says to the team", text(run.team)) : []),
      ...first,
      ...(run.pictures ? part(run.pictures.length > 1 ? "Pictures" : "Picture", element("div", "pictures", ...run.pictures.map(picture))) : []),
      // A diff is placed next to its input.
      ...(run.diff && input ? [element("div", "beside", element("div", "", ...whole), element("div", "", ...around))] : around),
      ...(run.talk ? conversation(run.talk) : []),
      ...(run.stderr ? part("Standard error", text(run.stderr)) : []),
      ...(run.diff ? [] : whole),
      element("p", "where", input && input.file !== undefined ? input.file : details.path + "/data/" + name + ".in"),
    ];
    return parts;
  };
  const showSubmission = (details, row) => {
    const groups = row.groups && element("table", "plain", ...row.groups.map((of) => element("tr", "", ...of.map((words) => element("td", "", words)))));
    return [
      title(row.name), element("p", "where", row.path),
      ...bullets("Not as expected", row.violations, "bad"), ...bullets("Remarks", row.remarks), facts(row.facts || []),
      ...bullets("Expected", row.expected), ...(groups ? part("Groups", groups) : []),
      ...(row.compiler ? part("The compiler says", text(row.compiler)) : []),
      ...(row.sources || []).flatMap(([name, bytes, words]) => part(name + ", " + size(bytes), source(words))),
    ];
  };

  // The next cell with details in a direction.
  const neighbour = (cell, across, upright) => {
    if (upright) {
      for (let row = nextRow(cell.parentElement, upright); row; row = nextRow(row, upright)) {
        const other = row.cells[cell.cellIndex];
        if (cell.cellIndex < FIRST_CASE || runOf(other)) return other;
      }
      return null;
    }
    for (let index = Math.max(cell.cellIndex + across, across > 0 ? FIRST_CASE : 0); index >= FIRST_CASE && index < cell.parentElement.cells.length; index += across) {
      if (runOf(cell.parentElement.cells[index])) return cell.parentElement.cells[index];
    }
    return across < 0 && cell.cellIndex >= FIRST_CASE ? cell.parentElement.cells[0] : null;
  };
  const STEPS = { previous: [-1, 0], next: [1, 0], above: [0, -1], below: [0, 1] };
  const open = (cell) => {
    const run = runOf(cell);
    if (cell.cellIndex >= FIRST_CASE && !run) return;
    const details = detailsOf(cell.closest(".problem")), row = details.rows[cell.parentElement.dataset.row];
    panelBody.replaceChildren(...(run ? showRun(details, row, cell.cellIndex - FIRST_CASE, run) : showSubmission(details, row)).filter(Boolean));
    panelBody.scrollTop = 0;
    reachable(cell);
    opened = cell;
    for (const [id, [across, upright]] of Object.entries(STEPS)) byId(id).disabled = !neighbour(cell, across, upright);
    if (!panel.open) panel.showModal();
    panelBody.focus({ preventScroll: true });
    addressSoon();
  };
  const step = (id) => { const next = opened && neighbour(opened, ...STEPS[id]); if (next) { next.scrollIntoView({ block: "nearest", inline: "nearest" }); open(next); } };
  for (const id of Object.keys(STEPS)) byId(id).addEventListener("click", () => step(id));
  byId("close").addEventListener("click", () => panel.close());
  panel.addEventListener("close", () => { if (opened) goTo(opened); opened = null; addressSoon(); });
  panel.addEventListener("click", (event) => { if (event.target === panel) panel.close(); });
  panel.addEventListener("keydown", (event) => {
    const id = { ArrowLeft: "previous", ArrowRight: "next", k: "above", j: "below" }[event.key];
    if (id && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); step(id); }
  });

  // ---- The address: a link to the page with an open panel shows the same panel ----

  // Problems by name. If packages have the same name, the second one is `name~2`.
  const sections = new Map(), names = new Map();
  for (const section of all(".problem")) {
    let name = section.dataset.name, times = 1;
    while (sections.has(name)) name = section.dataset.name + "~" + (times += 1);
    sections.set(name, section);
    names.set(section, name);
  }
  const addressOf = (cell) => {
    const section = cell.closest(".problem"), details = detailsOf(section);
    const words = { problem: names.get(section), submission: details.rows[cell.parentElement.dataset.row].name };
    if (cell.cellIndex >= FIRST_CASE) words.case = details.cases[cell.cellIndex - FIRST_CASE];
    return "#" + new URLSearchParams(words).toString().replaceAll("%2F", "/");
  };
  // Browsers limit the number of changes of the address. The address is changed once after a series of panels, and the
  // page works without the change.
  let waiting = 0;
  const address = () => {
    waiting = 0;
    const before = new URLSearchParams(location.hash.slice(1)).has("problem");
    if (!opened && !before) return;
    try { history.replaceState(null, "", opened ? addressOf(opened) : location.href.split("#")[0]); } catch { /* The address stays as it was. */ }
  };
  const addressSoon = () => { clearTimeout(waiting); waiting = setTimeout(address, 200); };
  // Reports an address without a target in this page, which may be of a different run.
  const missing = (words) => {
    const old = byId("missing");
    if (old) old.remove();
    if (!words) return;
    const notice = document.createElement("p"), name = ["problem", "submission", "case"].map((key) => words.get(key)).filter(Boolean).join(", ");
    notice.id = "missing";
    notice.className = "warn";
    notice.setAttribute("role", "status");
    notice.textContent = "The address of this page names " + name + ", which is not in this report.";
    byId("results").prepend(notice);
  };
  const openAddress = () => {
    const words = new URLSearchParams(location.hash.slice(1)), section = sections.get(words.get("problem"));
    missing(null);
    if (!section) {
      if (words.has("problem")) missing(words);
      return;
    }
    const details = detailsOf(section), number = details.rows.findIndex((row) => row.name === words.get("submission"));
    const row = section.querySelector('.grid tbody tr[data-row="' + number + '"]');
    const column = words.has("case") ? details.cases.indexOf(words.get("case")) : -FIRST_CASE;
    const cell = row && row.cells[column + FIRST_CASE];
    if (!cell || column === -1) {
      if (words.has("submission") || words.has("case")) missing(words);
      return section.scrollIntoView();
    }
    if (row.hidden) { filterBox.value = verdictBox.value = ""; oddBox.checked = false; applyFilter(); }
    cell.scrollIntoView({ block: "center", inline: "center" });
    open(cell);
  };

  // ---- One listener for all cells ----

  document.addEventListener("click", (event) => {
    const heading = event.target.closest(".grid thead th.key");
    if (heading) return sortBy(heading);
    const cell = event.target.closest(".grid tbody th, .grid tbody td");
    if (cell) open(cell);
  });
  document.addEventListener("keydown", (event) => {
    if (panel.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && filterBox && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      filterBox.focus();
      return;
    }
    const cell = event.target.closest(".grid tbody th, .grid tbody td");
    if (!cell) return;
    const next = arrow(cell, event.key);
    if (next) { event.preventDefault(); goTo(next); } else if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(cell); }
  });
  const point = (event) => {
    const cell = event.target.closest && event.target.closest(".grid tbody th, .grid tbody td");
    for (const one of all(".chart .on")) one.classList.remove("on");
    if (!cell) return;
    describe(cell);
    for (const one of all('.chart g[data-row="' + cell.parentElement.dataset.row + '"]', cell.closest(".problem"))) {
      one.classList.add("on");
      one.parentElement.append(one);
    }
  };
  document.addEventListener("mouseover", point);
  document.addEventListener("focusin", point);
  if (filterBox) {
    for (const box of [filterBox, verdictBox, oddBox]) box.addEventListener("input", applyFilter);
    measureBox.addEventListener("input", applyMeasure);
    filterBox.addEventListener("keydown", (event) => { if (event.key === "Escape") { filterBox.value = ""; applyFilter(); } });
    // A browser may keep what was typed when the page is loaded again.
    applyFilter();
  }
  window.addEventListener("hashchange", openAddress);
  openAddress();
})();
