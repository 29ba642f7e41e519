// The window of a board: drawn, moved and panned over the histogram, or moved by keys. Scores follow while it moves,
// and the server settles them when it rests. Without this file the two date fields of the filters do the same.
const DAY_MS = 86_400_000;
const GRIP_PX = 14; // how far from a handle a press still takes it
const STILL_PX = 4; // a press that moves less draws nothing
const REST_MS = 500; // keys are settled after a rest

const states = new WeakMap();
let drag = null;
let rest = 0;
let due = 0; // the frame that draws what has changed since the last one
let dirty = null; // the window to draw in it
let news = null; // the scores to write in it

const dayText = (number) => new Date(number * DAY_MS).toISOString().slice(0, 10);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

// What a figure shows: days are counted from its first one; `counts` are [day, problems].
const stateOf = (figure) => {
  if (!states.has(figure)) {
    let day = 0;
    const counts = (figure.dataset.counts ?? "").split(" ").filter(Boolean).map((pair) => {
      const [gap, count] = pair.split(":").map(Number);
      day += gap;
      return [day, count];
    });
    const { first, days, start, end } = figure.dataset;
    states.set(figure, {
      figure, counts, first: Date.parse(`${first}T00:00Z`) / DAY_MS, days: Number(days), from: Number(start), to: Number(end),
      settled: [Number(start), Number(end)], moved: new Set(), shown: Number(figure.dataset.selected),
    });
  }
  return states.get(figure);
};

const startOf = ({ from, first, moved, figure }) => (moved.has("from") ? (from > 0 ? dayText(first + from) : "") : figure.dataset.from);
const endOf = ({ to, days, first, moved, figure }) => (moved.has("to") ? (to < days ? dayText(first + to) : "") : figure.dataset.to);

const datesOf = (state) => {
  const [start, end] = [startOf(state), endOf(state)];
  const { all, since, until, both } = state.figure.dataset;
  return fill(start && end ? both : start ? since : end ? until : all, { start, end });
};

const countText = ({ figure }, n) => fill(n === 1 ? figure.dataset.one : figure.dataset.many, { n: n.toLocaleString(document.documentElement.lang) });

// A new text in the same text node: exchanging nodes would make the browser match the styles of the whole table again.
const writeText = (element, text) => {
  const node = element.firstChild;
  if (!node) element.append(text);
  else if (node.data !== text) node.data = text;
};

const showCount = (state, n) => {
  state.shown = n;
  writeText(state.figure.querySelector("[data-problems]"), n === null ? "" : countText(state, n));
};

// The ranges that keys and assistive technology act on follow a pointer when it rests.
const updateRanges = (state) => {
  const { figure, from, to, shown } = state;
  const said = shown === null ? datesOf(state) : `${datesOf(state)}, ${countText(state, shown)}`;
  figure.querySelectorAll("input").forEach((input) => {
    input.value = input.dataset.edge === "from" ? from : to;
    input.setAttribute("aria-valuetext", said);
  });
};

// Problems between two days where the page itself says how many; null where only the matrix does.
const countHere = ({ counts, from, to, days }) => (counts.length ? counts.reduce((sum, [day, n]) => sum + (day >= from && (day < to || to === days) ? n : 0), 0) : null);

const draw = (state) => {
  const { figure, from, to, days } = state;
  const [low, high] = [(100 * from) / days, (100 * to) / days];
  figure.querySelectorAll("[data-band]").forEach((rect) => {
    rect.setAttribute("x", from);
    rect.setAttribute("width", to - from);
  });
  for (const [name, x] of [["from", low], ["to", high]]) {
    const handle = figure.querySelector(`[data-handle="${name}"]`);
    handle.querySelector("line").setAttribute("x1", `${x}%`);
    handle.querySelector("line").setAttribute("x2", `${x}%`);
    handle.querySelector("circle").setAttribute("cx", `${x}%`);
  }
  figure.classList.remove("whole");
  writeText(figure.querySelector("[data-dates]"), datesOf(state));
  showCount(state, countHere(state));
  if (!drag) updateRanges(state);
};

// Draw once a frame, whatever came meanwhile: moves of the pointer, and scores of the worker.
const drawSoon = () => {
  due ||= requestAnimationFrame(() => {
    due = 0;
    if (dirty?.figure.isConnected) draw(dirty);
    if (news) showScores(news);
    dirty = news = null;
  });
};

// The preview: a worker has every result of the board, and sends the scores of a window.
const preview = { worker: null, key: "", runs: null, levels: [], turn: 0, busy: false, next: null, state: null };
const cells = new WeakMap();

const rowsOf = (results) => {
  if (!cells.has(results)) {
    const found = [...results.querySelectorAll("tr[data-run]")].map((row) => [Number(row.dataset.run), {
      score: row.querySelector("[data-score]"),
      levels: [...row.querySelectorAll("[data-level]")].map((each) => [each.dataset.level, each]),
    }]);
    const all = found.flatMap(([, row]) => [row.score, ...row.levels.map(([, each]) => each)]).filter(Boolean);
    cells.set(results, { rows: new Map(found), texts: all.map((each) => [each, each.textContent]) });
  }
  return cells.get(results);
};

const write = (element, score) => {
  if (element) writeText(element, Number.isNaN(score) ? "—" : score.toFixed(1));
};

const showScores = ({ problems, scores }) => {
  const { state, runs, levels } = preview;
  const results = document.getElementById("results");
  if (!state?.moved.size || !state.figure.isConnected) return;
  showCount(state, problems);
  if (!drag) updateRanges(state);
  if (!results) return;
  const { rows } = rowsOf(results);
  results.classList.add("previewing");
  const width = 1 + levels.length;
  runs.forEach((run, place) => {
    const row = rows.get(run);
    if (!row) return;
    write(row.score, scores[place * width]);
    row.levels.forEach(([level, element]) => {
      const column = levels.indexOf(level);
      write(element, column < 0 ? NaN : scores[place * width + 1 + column]);
    });
  });
};

const sendNext = () => {
  if (preview.busy || !preview.next || !preview.runs) return;
  preview.busy = true;
  preview.worker.postMessage({ turn: (preview.turn += 1), ...preview.next });
  preview.next = null;
};

const hear = ({ data }) => {
  if (data.key !== undefined) {
    if (data.key !== preview.key) return;
    preview.busy = false;
    preview.runs = data.failed ? null : data.runs;
    preview.levels = data.levels ?? [];
    sendNext();
  } else if (data.turn === preview.turn) {
    preview.busy = false;
    news = data;
    drawSoon();
    sendNext();
  }
};

// Fetch the matrix of the board on the page, unless it is here already.
const prepare = ({ figure }) => {
  const { matrix, worker, revision } = figure.dataset;
  const key = `${matrix} ${revision}`;
  if (!matrix || preview.key === key) return;
  if (!preview.worker) {
    preview.worker = new Worker(worker, { type: "module" });
    preview.worker.addEventListener("message", hear);
  }
  Object.assign(preview, { key, runs: null, busy: false, next: null });
  preview.worker.postMessage({ key, address: matrix });
};

const follow = (state) => {
  prepare(state);
  dirty = state;
  drawSoon();
  preview.state = state;
  const [start, end] = [startOf(state), endOf(state)];
  const number = (day) => (day ? Date.parse(`${day}T00:00Z`) / DAY_MS : null);
  preview.next = { from: number(start), to: number(end) };
  sendNext();
};

const move = (state, from, to) => {
  const day = (value) => clamp(Math.round(value), 0, state.days);
  const [low, high] = [day(from), day(to)];
  if (low >= high || (low === state.from && high === state.to)) return;
  if (low !== state.from) state.moved.add("from");
  if (high !== state.to) state.moved.add("to");
  [state.from, state.to] = [low, high];
  follow(state);
};

// Put back what the server said.
const undo = (state) => {
  [state.from, state.to] = state.settled;
  state.moved.clear();
  preview.next = dirty = news = null;
  draw(state);
  const { figure } = state;
  figure.classList.toggle("whole", "whole" in figure.dataset);
  showCount(state, Number(figure.dataset.selected));
  updateRanges(state);
  const results = document.getElementById("results");
  if (!results?.classList.contains("previewing")) return;
  results.classList.remove("previewing");
  rowsOf(results).texts.forEach(([element, text]) => writeText(element, text));
};

// The form of the filters asks the server for the window, and shows the answer in place.
const settle = (state) => {
  clearTimeout(rest);
  if (!state.moved.size) return;
  const form = document.querySelector("form[data-live]");
  if (form) {
    form.elements.from.value = startOf(state);
    form.elements.to.value = endOf(state);
    form.requestSubmit();
    return;
  }
  const url = new URL(location);
  url.searchParams.set("from", startOf(state));
  url.searchParams.set("to", endOf(state));
  location.assign(url);
};

const figureOf = (target) => target.closest?.("figure.tideline");
const stripOf = (target) => target.closest?.("[data-strip]");

addEventListener("pointerover", ({ target }) => { if (stripOf(target)) prepare(stateOf(figureOf(target))); });
addEventListener("focusin", ({ target }) => { if (stripOf(target)) prepare(stateOf(figureOf(target))); });

addEventListener("pointerdown", (event) => {
  const strip = stripOf(event.target);
  if (!strip || event.button !== 0) return;
  event.preventDefault();
  const state = stateOf(figureOf(strip));
  prepare(state);
  const box = strip.getBoundingClientRect();
  const at = event.clientX - box.left;
  const px = (day) => (day * box.width) / state.days;
  const [low, high] = [Math.abs(at - px(state.from)), Math.abs(at - px(state.to))];
  const whole = state.figure.classList.contains("whole");
  // From all dates a drag draws a new band; the ends are moved as handles only from the very edge.
  const grip = Math.min(GRIP_PX, (px(state.to) - px(state.from)) / 3);
  const kind = Math.min(low, high) <= grip ? (low < high ? "from" : "to") : !whole && at > px(state.from) && at < px(state.to) ? "pan" : "new";
  drag = { state, kind, x: event.clientX, at, box, from: state.from, to: state.to, moved: false, pointer: event.pointerId };
  strip.setPointerCapture(event.pointerId);
  state.figure.querySelector(`input[data-edge="${kind === "to" ? "to" : "from"}"]`).focus({ preventScroll: true, focusVisible: false });
});

addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!drag.moved && Math.abs(event.clientX - drag.x) < STILL_PX) return;
  drag.moved = true;
  const { state, kind, at, box, x } = drag;
  const scale = state.days / box.width;
  const by = (event.clientX - x) * scale;
  if (kind === "from") move(state, Math.min(drag.from + by, state.to - 1), state.to);
  else if (kind === "to") move(state, state.from, Math.max(drag.to + by, state.from + 1));
  else if (kind === "pan") {
    const shift = clamp(Math.round(by), -drag.from, state.days - drag.to);
    move(state, drag.from + shift, drag.to + shift);
  } else {
    const ends = [clamp(at * scale, 0, state.days), clamp(at * scale + by, 0, state.days)].sort((one, other) => one - other);
    move(state, Math.floor(ends[0]), Math.max(Math.ceil(ends[1]), Math.floor(ends[0]) + 1));
  }
});

const release = (event, cancelled) => {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { state, moved } = drag;
  drag = null;
  if (cancelled) undo(state);
  else if (moved) {
    updateRanges(state);
    settle(state);
  }
};
addEventListener("pointerup", (event) => release(event, false));
addEventListener("pointercancel", (event) => release(event, true));

// A month later or earlier, on the same day of the month where it has one.
const monthFrom = (day, months) => {
  const date = new Date(day * DAY_MS);
  const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), last));
  return target / DAY_MS;
};

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && drag) {
    undo(drag.state);
    drag = null;
    return;
  }
  const edge = event.target.dataset?.edge;
  const figure = edge && figureOf(event.target);
  if (!figure || event.ctrlKey || event.metaKey || event.altKey) return;
  const state = stateOf(figure);
  const here = edge === "from" ? state.from : state.to;
  const goal = {
    ArrowRight: () => here + 7, ArrowUp: () => here + 7, ArrowLeft: () => here - 7, ArrowDown: () => here - 7,
    PageUp: () => monthFrom(state.first + here, 1) - state.first, PageDown: () => monthFrom(state.first + here, -1) - state.first,
    Home: () => 0, End: () => state.days,
  }[event.key];
  if (!goal) return;
  event.preventDefault();
  setEdge(state, edge, goal());
});

// Assistive technology moves a range by itself.
addEventListener("input", ({ target }) => {
  const edge = target.dataset?.edge;
  if (edge && figureOf(target)) setEdge(stateOf(figureOf(target)), edge, Number(target.value));
});

function setEdge(state, edge, value) {
  if (edge === "from") move(state, Math.min(value, state.to - 1), state.to);
  else move(state, state.from, Math.max(value, state.from + 1));
  state.figure.querySelector(`input[data-edge="${edge}"]`).value = edge === "from" ? state.from : state.to;
  clearTimeout(rest);
  rest = setTimeout(() => { if (state.figure.isConnected) settle(state); }, REST_MS);
}
