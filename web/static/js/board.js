// The table of a board: sorts in place, opens rows in place, explains columns, and collects rows to compare.
// Enhancement only: without this file the server sorts and opens rows.
const MAX_PICKED = 6;
const CELL = "td, th";

// Two sort values of one kind, each "" if unknown: unknown ones are last in both directions, and equal ones keep their order.
const compare = (kind, down) => (one, other) => {
  const [a, b] = [one.value, other.value];
  if (a === "" || b === "") return Number(a === "") - Number(b === "");
  const [x, y] = kind === "number" ? [Number(a), Number(b)] : [a, b];
  return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
};

// The rows of a table in the order of ranks, each with its detail; sorting never changes this list.
const ranked = new WeakMap();
const rowsOf = (table) => {
  if (!ranked.has(table)) {
    const rows = [...table.querySelectorAll("tr.row")].map((row) => ({ row, detail: row.nextElementSibling, at: Number(row.dataset.place), value: "" }));
    ranked.set(table, rows.sort((one, other) => one.at - other.at));
  }
  return ranked.get(table);
};

// Rows in bodies: one for each tier with its rule in the order of ranks, else one.
const fill = (table, rows, tiers) => {
  const columns = table.tHead.rows[0].cells.length;
  [...table.tBodies].forEach((body) => body.remove());
  let body = null;
  let tier = null;
  for (const { row, detail } of rows) {
    const name = tiers ? row.dataset.tier ?? "" : "";
    if (body === null || name !== tier) {
      body = table.createTBody();
      tier = name;
      if (name) {
        const rule = body.insertRow();
        rule.className = "tier";
        const head = document.createElement("th");
        head.scope = "rowgroup";
        head.colSpan = columns;
        head.textContent = name;
        rule.append(head);
      }
    }
    body.append(row, detail);
  }
};

const sortTable = (table, name, down) => {
  const heads = [...table.tHead.rows[0].cells];
  const place = heads.findIndex((head) => head.dataset.sort === name);
  if (place < 0) return;
  heads.forEach((head) => { if (head.dataset.sort) head.setAttribute("aria-sort", head.dataset.sort !== name ? "none" : down ? "descending" : "ascending"); });
  const rows = rowsOf(table).map((entry) => ({ ...entry, value: entry.row.querySelectorAll(`:scope > :is(${CELL})`)[place].dataset.v ?? "" }));
  rows.sort(compare(heads[place].dataset.kind, down));
  fill(table, rows, name === "rank" && !down);
  table.dataset.sorted = name;
};

// A head sorts by its column; a second time in the other direction. All tables of the page keep one order.
const sortBy = (head) => {
  const first = "low" in head.dataset ? "ascending" : "descending";
  const other = first === "ascending" ? "descending" : "ascending";
  const down = (head.getAttribute("aria-sort") === first ? other : first) === "descending";
  const name = head.dataset.sort;
  document.querySelectorAll("table.board").forEach((table) => sortTable(table, name, down));
  const url = new URL(location);
  url.searchParams.delete("sort");
  url.searchParams.delete("dir");
  if (name !== "rank" || down) {
    url.searchParams.set("sort", name);
    url.searchParams.set("dir", down ? "desc" : "asc");
  }
  history.replaceState(history.state, "", url);
  const form = document.querySelector("form[data-live]");
  if (form?.elements.sort) {
    form.elements.sort.value = name === "rank" ? "" : name;
    form.elements.dir.value = name === "rank" && !down ? "" : down ? "desc" : "asc";
  }
};

// What a column means, shown at its head while that has the focus or the pointer rests on it.
let bubble = null;
let waiting = 0;
const hideMeaning = () => { clearTimeout(waiting); if (bubble?.matches(":popover-open")) bubble.hidePopover(); };
// A moment to move the pointer from the head to the link below it.
const leaveMeaning = () => { clearTimeout(waiting); waiting = setTimeout(hideMeaning, 300); };
const showMeaning = (head) => {
  const text = document.getElementById(head.dataset.why);
  if (!text) return;
  bubble ??= Object.assign(document.createElement("div"), { className: "explanation meaning", popover: "manual" });
  if (!bubble.isConnected) {
    bubble.onpointerenter = () => clearTimeout(waiting);
    bubble.onpointerleave = leaveMeaning;
    document.body.append(bubble);
  }
  bubble.replaceChildren(...[...text.childNodes].map((node) => node.cloneNode(true)));
  bubble.showPopover();
  const [at, size] = [head.getBoundingClientRect(), bubble.getBoundingClientRect()];
  const left = Math.max(8, Math.min(at.left, document.documentElement.clientWidth - size.width - 8));
  bubble.style.setProperty("inset", `${at.bottom + 4}px auto auto ${left}px`);
  bubble.style.setProperty("margin", "0");
};

const openRow = (opener, open) => {
  const row = opener.closest("tr");
  const detail = document.getElementById(`opened-${opener.dataset.open}`);
  detail.hidden = !open;
  row.classList.toggle("is-open", open);
  opener.setAttribute("aria-expanded", String(open));
};

const picked = new Set();
const showPicks = () => {
  const bar = document.querySelector("[data-picks]");
  if (!bar) return;
  document.querySelectorAll("[data-pick]").forEach((box) => {
    box.checked = picked.has(box.value);
    box.disabled = !box.checked && picked.size >= MAX_PICKED;
  });
  bar.hidden = picked.size === 0;
  bar.querySelector("[data-count]").textContent = `(${picked.size})`;
  bar.querySelector("[type=submit]").disabled = picked.size < 2;
  bar.querySelector("[data-clear]").hidden = false;
};

const enhance = () => {
  document.querySelectorAll("table.board").forEach((table) => {
    table.tHead.addEventListener("click", (event) => {
      const head = event.target.closest("[data-sort]");
      if (head) sortBy(head);
    });
    table.tHead.addEventListener("keydown", (event) => {
      const head = event.target.closest("[data-sort]");
      if (!head || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      sortBy(head);
    });
    table.tHead.querySelectorAll("[data-why]").forEach((head) => {
      head.addEventListener("focus", () => { if (head.matches(":focus-visible")) showMeaning(head); });
      head.addEventListener("blur", () => { if (!bubble?.matches(":hover")) hideMeaning(); });
      head.addEventListener("pointerenter", () => { clearTimeout(waiting); waiting = setTimeout(() => showMeaning(head), 500); });
      head.addEventListener("pointerleave", leaveMeaning);
    });
    table.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      const row = event.target.closest("tr.row");
      const link = event.target.closest("a, button, input, label");
      const opener = row?.querySelector(".opener");
      if (!opener || (link && link !== opener) || String(getSelection()) !== "") return;
      event.preventDefault();
      openRow(opener, opener.getAttribute("aria-expanded") !== "true");
    });
    table.addEventListener("keydown", (event) => {
      const opener = event.target.closest?.(".opener");
      if (!opener || event.key !== " ") return;
      event.preventDefault();
      opener.click();
    });
  });
  document.querySelectorAll(".opener").forEach((opener) => {
    opener.setAttribute("role", "button");
    opener.setAttribute("aria-controls", `opened-${opener.dataset.open}`);
    openRow(opener, !document.getElementById(`opened-${opener.dataset.open}`).hidden);
  });
  const bar = document.querySelector("[data-picks]");
  document.querySelectorAll("[data-pick]").forEach((box) => box.addEventListener("change", () => {
    if (box.checked) picked.add(box.value); else picked.delete(box.value);
    showPicks();
  }));
  bar?.querySelector("[data-clear]").addEventListener("click", () => { picked.clear(); showPicks(); });
  // Rows that were picked on another view of the board go along, though they have no box here.
  bar?.addEventListener("submit", () => {
    bar.querySelectorAll("[data-carried]").forEach((each) => each.remove());
    const here = new Set([...document.querySelectorAll("[data-pick]")].map((box) => box.value));
    [...picked].filter((name) => !here.has(name)).forEach((name) => {
      bar.append(Object.assign(document.createElement("input"), { type: "hidden", name: "m", value: name }));
      bar.lastElementChild.dataset.carried = "";
    });
  });
  showPicks();
};

addEventListener("keydown", (event) => { if (event.key === "Escape") hideMeaning(); });
document.addEventListener("tidemark:view", () => { hideMeaning(); enhance(); });
enhance();
