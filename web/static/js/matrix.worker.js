// Scores of a board in any window, from its packed matrix; docs/checking.md describes the format.
const DAY_MS = 86_400_000;
let matrix = null;

const readCodes = (bytes, bits, length, problems) => {
  if (bits === 8) return bytes;
  if (bits > 8) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Uint32Array.from({ length }, (_, place) => (bits === 16 ? view.getUint16(2 * place, true) : view.getUint32(4 * place, true)));
  }
  const codes = new Uint8Array(length);
  const line = Math.ceil(problems / 2); // each run begins with a new byte
  for (let place = 0; place < length; place += 1) {
    const run = Math.floor(place / problems);
    const column = place - run * problems;
    const byte = bytes[run * line + (column >> 1)];
    codes[place] = column & 1 ? byte >> 4 : byte & 15;
  }
  return codes;
};

const read = (buffer) => {
  const bytes = new Uint8Array(buffer);
  const size = new DataView(buffer).getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + size)));
  const { count, first, days, midnight, levels, level } = head.problems;
  const late = head.rules === "lcb" ? 1 : 0;
  // A window [start, end) holds the problems with start <= opens and closes < end.
  const opens = new Int32Array(count);
  let day = (first === null ? 0 : Date.parse(`${first}T00:00Z`) / DAY_MS) + late;
  days.forEach((gap, place) => { day += gap; opens[place] = day; });
  const closes = opens.slice();
  midnight.forEach((place) => { closes[place] -= 1; });
  const codes = readCodes(bytes.subarray(8 + size), head.bits, count * head.runs.length, count);
  return { runs: head.runs.map((each) => each.run), values: head.values, count, opens, closes, levels, level, codes };
};

// The number of problems, and by run the score and the score on each level; NaN without any judged problem.
const scoresIn = ({ runs, values, count, opens, closes, levels, level, codes }, from, to) => {
  const inside = [];
  for (let place = 0; place < count; place += 1) if (opens[place] >= from && closes[place] < to) inside.push(place);
  const width = 1 + levels.length;
  const scores = new Float64Array(runs.length * width);
  const sums = new Float64Array(width);
  const graded = new Uint32Array(width);
  runs.forEach((_, run) => {
    sums.fill(0);
    graded.fill(0);
    for (const place of inside) {
      const code = codes[run * count + place];
      if (code < values.length) {
        sums[0] += values[code];
        graded[0] += 1;
        sums[1 + level[place]] += values[code];
        graded[1 + level[place]] += 1;
      }
    }
    for (let column = 0; column < width; column += 1) scores[run * width + column] = (100 * sums[column]) / graded[column];
  });
  return { problems: inside.length, scores };
};

addEventListener("message", async ({ data }) => {
  if (data.address) {
    matrix = null;
    try {
      const answer = await fetch(data.address);
      if (!answer.ok) throw new Error(String(answer.status));
      matrix = read(await answer.arrayBuffer());
      postMessage({ key: data.key, runs: matrix.runs, levels: matrix.levels });
    } catch { // a board too large for a browser has no preview
      postMessage({ key: data.key, failed: true });
    }
  } else if (matrix) {
    postMessage({ turn: data.turn, ...scoresIn(matrix, data.from ?? -Infinity, data.to ?? Infinity) });
  }
});
