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

// The same control on another page: of the same name, and value if there are several; else with the same words.
const likeOf = (focused, main) => {
  if (focused.id) return main.querySelector(`#${CSS.escape(focused.id)}`);
  const { name, value, type, tagName, textContent } = focused;
  if (!name) return [...main.querySelectorAll(tagName)].find((each) => each.textContent === textContent);
  return [...main.querySelectorAll(`[name="${CSS.escape(name)}"]`)].find((each) => type !== "checkbox" || each.value === value);
};

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
    const kept = [...document.querySelectorAll("details[data-keep][open]")].map((each) => each.className);
    const focused = document.activeElement;
    const inside = document.getElementById("main").contains(focused);
    const lefts = [...document.querySelectorAll("#main .scroll")].map((each) => each.scrollLeft);
    document.getElementById("main").replaceWith(document.adoptNode(main));
    main.querySelectorAll(".scroll").forEach((each, index) => { each.scrollLeft = lefts[index] ?? 0; });
    kept.forEach((name) => main.getElementsByClassName(name)[0]?.setAttribute("open", ""));
    document.title = page.title;
    if (push) history.pushState(null, "", url);
    shown = viewOf(url);
    document.querySelectorAll("[data-locale]").forEach((each, index) => { each.href = page.querySelectorAll("[data-locale]")[index].href; });
    if (inside) (likeOf(focused, main) ?? main).focus({ preventScroll: true });
    say(main.querySelector("[data-announce]")?.textContent.replace(/\s+/g, " ").trim() ?? "");
    enhance();
    document.dispatchEvent(new Event("tidemark:view"));
  } catch (error) {
    if (error.name !== "AbortError") location.assign(url);
  }
};

// A row of choices is one Tab stop; arrow keys move inside it.
const rove = (group) => {
  const stops = () => [...group.querySelectorAll("a[href], button, summary, [data-sort]")].filter((each) => each.offsetParent !== null && !each.closest("details.menu > :not(summary), details.drawer > :not(summary)"));
  const settle = (chosen) => stops().forEach((each) => { each.tabIndex = each === chosen ? 0 : -1; });
  settle(stops()[0]);
  group.addEventListener("focusin", (event) => { if (stops().includes(event.target)) settle(event.target); });
  group.addEventListener("keydown", (event) => {
    const every = stops();
    const at = every.indexOf(event.target);
    if (at < 0) return;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: every.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    every[(to + every.length) % every.length].focus();
  });
};

// On a narrow page what stands behind the answer begins folded, but for the part that the address leads to.
const fold = () => {
  if (!matchMedia("(max-width: 46rem)").matches) return;
  const goal = document.getElementById(location.hash.slice(1));
  document.querySelectorAll("details[data-fold]").forEach((each) => { each.open = each.contains(goal); });
};
addEventListener("hashchange", () => {
  const part = document.getElementById(location.hash.slice(1))?.closest("details[data-fold]");
  if (part) part.open = true;
});

const enhance = () => {
  fold();
  document.querySelectorAll("[data-roving]").forEach((group) => {
    if (!("roves" in group.dataset)) { group.dataset.roves = ""; rove(group); }
  });
  const form = document.querySelector("form[data-live]");
  if (form) {
    form.addEventListener("submit", (event) => { event.preventDefault(); show(addressOf(form)); });
    form.addEventListener("change", () => { if (form.checkValidity()) show(addressOf(form)); });
  }
  document.querySelectorAll(".presets a, .reflink, .set-filter a, [data-swap]").forEach((each) => {
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

// Menus: one open at a time, closed by a click elsewhere or by Escape.
const closeMenus = (kept) => document.querySelectorAll("details.menu[open]").forEach((each) => { if (each !== kept) each.open = false; });
addEventListener("click", (event) => closeMenus(event.target.closest?.("details.menu")));
addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const open = document.querySelector("details.menu[open]");
    closeMenus(null);
    open?.querySelector("summary").focus();
  }
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest?.("input, textarea, select")) {
    event.preventDefault();
    document.querySelector("[data-search]")?.focus();
  }
});

// The theme: the system's unless chosen here; remembered in this browser alone.
const chosenTheme = () => document.documentElement.dataset.theme ?? "auto";
const showTheme = () => document.querySelectorAll("[data-theme-choice]").forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.themeChoice === chosenTheme())));
document.querySelectorAll("[data-theme-choice]").forEach((each) => each.addEventListener("click", () => {
  const theme = each.dataset.themeChoice;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("theme", theme); } catch { /* storage is barred: the choice holds for this page */ }
  showTheme();
}));
showTheme();
document.querySelectorAll("[data-scripted]").forEach((each) => { each.hidden = false; });

addEventListener("popstate", () => {
  if (document.querySelector("form[data-live]") && viewOf(location) !== shown) show(location.href, { push: false });
});
enhance();
