// Draws maintainers' charts from the tables below them, which hold the same values for readers without scripts.
const colours = ["--sea", "--amber", "--info", "--danger", "--muted", "--sea-mid"];

const numberOf = (cell) => (cell.dataset.value === "" ? null : Number(cell.dataset.value));

const chartOf = (figure) => {
  const table = figure.querySelector("table");
  const place = figure.querySelector("[data-chart]");
  const [head, ...rows] = [...table.rows];
  const names = [...head.cells].slice(1).map((cell) => cell.textContent);
  const times = rows.map((row) => Number(row.dataset.time));
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement("i");
  figure.append(probe);
  const colourOf = (index) => { probe.setAttribute("class", `series-${index % colours.length}`); return getComputedStyle(probe).color; };
  const ink = style.color;
  // Days as 11-29, and hours as 14:00 on a chart of two days.
  const hourly = times.length > 1 && times[1] - times[0] < 86400;
  const instant = (at) => new Date(at * 1e3).toISOString();
  const label = (at) => (hourly && !instant(at).includes("T00:00") ? instant(at).slice(11, 16) : instant(at).slice(5, 10));
  const axis = { stroke: ink, grid: { stroke: colourOf(4), width: 0.25 }, ticks: { show: false }, font: `13px ${getComputedStyle(document.body).fontFamily}` };
  const series = names.map((label, index) => ({ label, stroke: colourOf(index), width: 2, points: { size: 5 }, spanGaps: true }));
  const data = [times, ...names.map((_, index) => rows.map((row) => numberOf(row.cells[index + 1])))];
  // Counts have no halves between them.
  const isWhole = data.slice(1).flat().every((value) => value === null || Number.isInteger(value));
  const steps = isWhole ? { incrs: [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((one) => [one, 2 * one, 5 * one]) } : {};
  probe.remove();
  place.hidden = false;
  const options = () => ({ width: place.clientWidth, height: 220, tzDate: (at) => uPlot.tzDate(new Date(at * 1e3), "Etc/UTC"), axes: [{ ...axis, values: (_, splits) => splits.map(label) }, { ...axis, ...steps, size: 52 }], series: [{ label: head.cells[0].textContent, value: (_, at) => (at === null ? "" : instant(at).slice(0, 16).replace("T", " ")) }, ...series] });
  const chart = new uPlot(options(), data, place);
  addEventListener("resize", () => chart.setSize({ width: place.clientWidth, height: 220 }));
};

document.querySelectorAll("[data-activity]").forEach(chartOf);
