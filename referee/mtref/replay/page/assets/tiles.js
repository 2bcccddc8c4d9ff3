// Tiles as SVG. Each half is a symbol made once; pips stand in columns, up to 18 of them.

const HALF = 20;

// How many pips stand in the left, middle and right column of each number; up to 9 they lie as on dice.
const ON_DICE = [
  [], [[10, 10]], [[5, 5], [15, 15]], [[5, 5], [10, 10], [15, 15]], [[5, 5], [15, 5], [5, 15], [15, 15]],
  [[5, 5], [15, 5], [10, 10], [5, 15], [15, 15]], [[5, 4.5], [15, 4.5], [5, 10], [15, 10], [5, 15.5], [15, 15.5]],
];
const COLUMNS = {
  7: [3, 1, 3], 8: [3, 2, 3], 9: [3, 3, 3], 10: [4, 2, 4], 11: [4, 3, 4], 12: [4, 4, 4], 13: [5, 3, 5], 14: [5, 4, 5],
  15: [5, 5, 5], 16: [6, 4, 6], 17: [6, 5, 6], 18: [6, 6, 6],
};

function pipsOf(number) {
  if (number in ON_DICE) return { radius: 2.1, spots: ON_DICE[number] };
  const columns = COLUMNS[number];
  const [rows] = columns;
  const gap = [0, 0, 0, 5.5, 4.5, 3.7, 3.05][rows];
  const spots = columns.flatMap((count, column) => [...Array(count).keys()].map(
    (at) => [4.4 + 5.6 * column, 10 + gap * (at - (count - 1) / 2)],
  ));
  return { radius: Math.min(2.1, gap * 0.43), spots };
}

// Puts the symbols pips0 to pips18 and digits0 to digits18 into the page.
function defineHalves() {
  const box = `0 0 ${HALF} ${HALF}`;
  for (let number = 0; number <= 18; number += 1) {
    const { radius, spots } = pipsOf(number);
    const pips = spots.map(([cx, cy]) => s("circle", { cx, cy, r: radius }));
    byId("defs").append(
      s("symbol", { id: `pips${number}`, viewBox: box }, s("g", { class: `pip${number}` }, pips)),
      s("symbol", { id: `digits${number}`, viewBox: box },
        s("text", { class: `digits pip${number}`, x: 10, y: 14.6, "text-anchor": "middle" }, String(number))),
    );
  }
}

let faces = "pips";

function half(number, x, y) {
  return s("use", { href: `#${faces}${number}`, x, y, width: HALF, height: HALF });
}

// A tile as it lies: `first` to the left or on top. Only a picture; say what it is beside it.
function drawTile(first, second, { upright = false } = {}) {
  const [width, height] = upright ? [24, 46] : [46, 24];
  return s("svg", { class: upright ? "tile upright" : "tile", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" },
    s("rect", { class: "body", x: 0.75, y: 0.75, width: width - 1.5, height: height - 1.5, rx: 4 }),
    upright
      ? s("line", { class: "rule", x1: 4, y1: 23, x2: 20, y2: 23 })
      : s("line", { class: "rule", x1: 23, y1: 4, x2: 23, y2: 20 }),
    half(first, 2, 2),
    upright ? half(second, 2, 24) : half(second, 24, 2));
}

// The square where the next tile has to match `number`.
function drawOpenEnd(number) {
  return s("svg", { class: "open-end", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    s("rect", { class: "slot", x: 1, y: 1, width: 22, height: 22, rx: 4 }), half(number, 2, 2));
}
