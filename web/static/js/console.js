// Keeps an order's state and progress current: at each event the server renders the page again, in its language.
const place = document.querySelector("[data-events]");

const refresh = async () => {
  const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(place.id);
  if (fresh) place.replaceChildren(...document.adoptNode(fresh).childNodes);
};

if (place) {
  const source = new EventSource(place.dataset.events);
  source.addEventListener("progress", refresh);
  source.addEventListener("end", () => { source.close(); refresh(); });
}
