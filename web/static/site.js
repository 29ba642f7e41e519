// Enhancement only: every page works without this file.
const live = document.getElementById("live");
const say = (text) => { if (live) live.textContent = text; };

// The address of a form as the server would build it, without its empty fields.
const addressOf = (form) => {
  const url = new URL(form.action);
  const data = [...new FormData(form)].filter(([, value]) => value !== "");
  // All dates have a name where the board would open elsewhere without one.
  if ("named" in form.dataset && !data.some(([name]) => name === "from" || name === "to")) data.push(["from", ""]);
  url.search = new URLSearchParams(data).toString();
  return url;
};

// What is on the page now; a jump to a fragment, such as the skip link's, is no other view.
const viewOf = (url) => { const { pathname, search } = new URL(url, location); return pathname + search; };
let shown = viewOf(location);
let asked = 0;
let pending;

// Show another view of the board in place. The server sends whole pages; only the main part is taken over.
const show = async (url, { push = true } = {}) => {
  const turn = ++asked;
  pending?.abort();
  pending = new AbortController();
  try {
    const answer = await fetch(url, { signal: pending.signal, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = page.getElementById("main");
    if (turn !== asked) return;
    if (!answer.ok || !main) { location.assign(url); return; }
    const focused = document.activeElement;
    const key = focused?.name && [focused.name, focused.value, focused.type];
    document.getElementById("main").replaceWith(document.adoptNode(main));
    document.title = page.title;
    if (push) history.pushState(null, "", url);
    shown = viewOf(url);
    document.querySelectorAll(".locales a").forEach((each, index) => { each.href = page.querySelectorAll(".locales a")[index].href; });
    if (key) {
      const same = [...main.querySelectorAll(`[name="${CSS.escape(key[0])}"]`)];
      (same.find((each) => key[2] !== "checkbox" || each.value === key[1]) ?? main).focus({ preventScroll: true });
    }
    say(main.querySelector(".summary p")?.textContent.replace(/\s+/g, " ").trim() ?? "");
    enhance();
  } catch (error) {
    if (error.name !== "AbortError") location.assign(url);
  }
};

const dayAt = (figure, clientX) => {
  const box = figure.querySelector("svg").getBoundingClientRect();
  const share = Math.min(Math.max((clientX - box.left) / box.width, 0), 1);
  const [first, last] = [figure.dataset.first, figure.dataset.last].map((day) => Date.parse(`${day}T00:00Z`));
  return new Date(first + share * (last - first)).toISOString().slice(0, 10);
};

// Drag over the tideline to choose a window; the same can be typed into the two date fields.
const draggable = (figure, form) => {
  const svg = figure.querySelector("svg");
  const band = svg.querySelector(".window");
  let start = null;
  figure.dataset.drag = "";
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    start = event.clientX;
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (start === null || Math.abs(event.clientX - start) < 4) return;
    const box = svg.getBoundingClientRect();
    const share = (x) => Math.min(Math.max((x - box.left) / box.width, 0), 1) * 100;
    const [low, high] = [share(Math.min(start, event.clientX)), share(Math.max(start, event.clientX))];
    band.setAttribute("x", `${low}%`);
    band.setAttribute("width", `${high - low}%`);
  });
  svg.addEventListener("pointerup", (event) => {
    if (start === null) return;
    const [low, high] = [Math.min(start, event.clientX), Math.max(start, event.clientX)];
    start = null;
    if (high - low < 8) return;
    form.elements.from.value = dayAt(figure, low);
    form.elements.to.value = dayAt(figure, high);
    show(addressOf(form));
  });
  svg.addEventListener("pointercancel", () => { start = null; });
};

const enhance = () => {
  const form = document.querySelector("form[data-live]");
  if (form) {
    form.addEventListener("submit", (event) => { event.preventDefault(); show(addressOf(form)); });
    form.addEventListener("change", () => { if (form.checkValidity()) show(addressOf(form)); });
    const figure = document.querySelector(".tideline");
    if (figure) draggable(figure, form);
  }
  document.querySelectorAll(".presets a, .reflink").forEach((each) => {
    each.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      show(each.href);
    });
  });
  const copy = document.querySelector("[data-copy]");
  if (copy && navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(location.href);
      say(live.dataset.copied);
      copy.dataset.done = "";
    });
  }
};

addEventListener("popstate", () => {
  if (document.querySelector("form[data-live]") && viewOf(location) !== shown) show(location.href, { push: false });
});
enhance();
