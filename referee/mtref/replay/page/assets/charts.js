// Two charts of the whole game, each also as a table: totals after every round, and the time each seat used.

const FRAME = { left: 44, right: 30, top: 12, bottom: 26, height: 230 };

function niceStep(most, parts) {
  const rough = Math.max(most, 1e-9) / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
}

// Heights for the labels at the lines' ends, at least 12 apart, in the order of the lines.
function spread(heights) {
  const order = [...heights.keys()].sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  order.forEach((at, rank) => {
    if (rank > 0) placed[at] = Math.max(placed[at], placed[order[rank - 1]] + 12);
  });
  return placed;
}

// series: [{seat, points: [[x, y], ...]}]; ticks: [[x, text], ...]; pick(x) is called with the place of a click.
function lineChart({ series, ticks, most, width, label, unit, pick, now }) {
  const { left, right, top, bottom, height } = FRAME;
  const xs = series.flatMap((one) => one.points.map(([x]) => x));
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const highest = Math.max(...series.flatMap((one) => one.points.map(([, y]) => y)), 0);
  const size = niceStep(highest, 4);
  const roof = Math.max(size, Math.ceil(highest / size) * size);
  const px = (x) => left + ((x - low) / Math.max(high - low, 1e-9)) * (width - left - right);
  const py = (y) => height - bottom - (y / roof) * (height - top - bottom);
  const grid = [];
  for (let y = 0; y <= roof + size / 2; y += size) {
    grid.push(s("line", { class: "grid", x1: left, x2: width - right, y1: py(y), y2: py(y) }),
      s("text", { x: left - 6, y: py(y) + 4, "text-anchor": "end" }, `${Number(y.toPrecision(6))}${unit}`));
  }
  const room = Math.max(1, Math.ceil(ticks.length / Math.max(1, Math.floor((width - left - right) / 28))));
  const below = ticks.filter((_, at) => at % room === 0).map(([x, text]) => s("text", { x: px(x), y: height - 8, "text-anchor": "middle" }, text));
  const labels = spread(series.map((one) => py(one.points.at(-1)[1])));
  const lines = series.map((one, at) => s("g", { class: `line seat${one.seat}` },
    s("polyline", { points: one.points.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(" ") }),
    one.points.length <= most ? one.points.map(([x, y]) => s("circle", { cx: px(x), cy: py(y), r: 3 }, s("title", {}, `seat ${one.seat}: ${y}${unit}`))) : null,
    s("text", { x: width - right + 6, y: labels[at] + 4 }, `${one.seat}`)));
  const cursor = now >= low && now <= high ? s("line", { class: "now", x1: px(now), x2: px(now), y1: top, y2: height - bottom }) : null;
  return s("svg", {
    class: "chart", role: "img", "aria-label": label, viewBox: `0 0 ${width} ${height}`, width, height,
    onclick: (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * width;
      pick(low + ((x - left) / (width - left - right)) * (high - low));
    },
  }, grid, below, cursor, lines);
}

function dataTable(summary, heads, rows) {
  return h("details", {}, h("summary", {}, summary), h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": summary }, h("table", {},
    h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row" }, first), rest.map((cell) => h("td", {}, cell))))))));
}

function legend(seats) {
  return h("p", { class: "legend", "aria-hidden": "true" }, seats.map((seat) => h("span", {},
    h("span", { class: `chip seat${seat}` }, String(seat)), nameOf(seat))));
}

function scoreChart(width, step, goTo) {
  const over = ROUNDS.filter((one) => one.end !== null);
  const title = h("h2", {}, "Totals after each round (the lowest wins)");
  if (!over.length) return h("section", { id: "scores" }, title, h("p", { class: "quiet" }, "No round is over."));
  const series = EVERYBODY.map((seat) => ({ seat, points: [[0, 0], ...over.map((one) => [one.number, one.end.totals[seat]])] }));
  const begun = roundAt(step.index);
  const chart = lineChart({
    series, width, unit: "", most: 40, ticks: over.map((one) => [one.number, String(one.number)]),
    label: `Totals after each round: ${EVERYBODY.map((seat) => `${who(seat)} ends at ${over.at(-1).end.totals[seat]}`).join(", ")}`,
    now: begun ? begun.number - (begun.end && step.index >= begun.end.index ? 0 : 1) : 0,
    pick: (x) => goTo((over.find((one) => one.number === Math.round(x)) ?? over[0]).end),
  });
  const rows = over.map((one) => [String(one.number), ...one.end.totals.map((total, seat) => `${total} (+${one.end.scores[seat]})`)]);
  return h("section", { id: "scores" }, title, legend(EVERYBODY), chart,
    dataTable("Scores as a table", ["round", ...EVERYBODY.map((seat) => `seat ${seat}`)], rows));
}

function timeRows(timed, seat) {
  return EVERYBODY.flatMap((who_) => {
    const own = timed.filter((one) => one.seat === who_).sort((a, b) => a.ms - b.ms);
    if (!own.length) return [];
    const longest = own.at(-1);
    const sum = own.reduce((total, one) => total + one.ms, 0);
    return [[`seat ${who_}`, String(own.length), milliseconds(sum), milliseconds(own[Math.floor((own.length - 1) / 2)].ms),
      h("a", { href: address(longest.n, seat) }, `${milliseconds(longest.ms)} at line ${longest.n}`)]];
  });
}

function timeChart(width, step, seat, goTo) {
  const timed = STEPS.filter((one) => one.event === "decision" && one.ms !== null && isSeen(one, seat));
  const title = h("h2", {}, "Time used");
  if (!timed.length) return h("section", { id: "times" }, title, h("p", { class: "quiet" }, "The log has no times."));
  const seats = EVERYBODY.filter((one) => timed.some((made) => made.seat === one));
  const last = timed.at(-1).n;
  const series = seats.map((one) => {
    let used = 0;
    const points = [[0, 0]];
    for (const made of timed) if (made.seat === one) points.push([made.n, (used += made.ms) / 1000]);
    return { seat: one, points: [...points, [last, used / 1000]] };
  });
  const chart = lineChart({
    series, width, unit: " s", most: 0, now: Math.min(step.n, last), ticks: ROUNDS.map((one) => [one.start.n, String(one.number)]),
    label: `Time used in seconds, by round: ${series.map((one) => `${who(one.seat)} ${one.points.at(-1)[1].toFixed(2)} s`).join(", ")}`,
    pick: (x) => goTo(stepAtLine(Math.round(x), seat)),
  });
  return h("section", { id: "times" }, title, legend(seats), chart,
    dataTable("Times as a table", ["seat", "decisions", "in all", "median", "longest"], timeRows(timed, seat)));
}

let drawnFor = "";

// Draws both charts again if the round, the seat or the width has changed.
function drawCharts(place, step, seat, goTo) {
  const wide = place.clientWidth || 600;
  const width = wide > 760 ? Math.floor((wide - 60) / 2) : wide - 28;
  const begun = roundAt(step.index);
  const key = [width, seat, begun?.number, begun?.end && step.index >= begun.end.index].join();
  if (key === drawnFor) return;
  drawnFor = key;
  const open = [...place.querySelectorAll("details")].map((one) => one.open);
  place.replaceChildren(scoreChart(width, step, goTo), timeChart(width, step, seat, goTo));
  place.querySelectorAll("details").forEach((one, at) => { one.open = open[at] ?? false; });
}
