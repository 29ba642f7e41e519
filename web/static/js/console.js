// Keeps an order's progress or a probe current: the server renders the page again, in its language.
const POLL_MS = 2000;
const place = document.querySelector("[data-events], [data-poll]");

const refresh = async () => {
  const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(place.id);
  if (!fresh) return;
  if (!("poll" in fresh.dataset)) delete place.dataset.poll;
  place.replaceChildren(...document.adoptNode(fresh).childNodes);
};

if (place?.dataset.events) {
  const source = new EventSource(place.dataset.events);
  source.addEventListener("progress", refresh);
  source.addEventListener("end", () => { source.close(); refresh(); });
}

const poll = async () => {
  if (!("poll" in place.dataset)) return;
  await refresh().catch(() => {});
  setTimeout(poll, POLL_MS);
};

if (place && "poll" in place.dataset) setTimeout(poll, POLL_MS);
