// The game as it stands in the page: a list of steps, each one line of the log as an object {event, n, ...fields}.

const DATA = JSON.parse(byId("data").textContent);

const STEPS = DATA.lines.map(([kind, n, ...values]) => {
  const [event, ...names] = DATA.kinds[kind];
  const step = { event, n };
  names.forEach((name, index) => { step[name] = values[index]; });
  return step;
});
STEPS.forEach((step, index) => { step.index = index; });

const HEADER = STEPS[0];
const SEATS = DATA.seats;
const EVERYBODY = [...Array(SEATS).keys()];

// For each round: where it starts, where it ends (null if the log breaks off), totals before it.
const ROUNDS = [];
for (const step of STEPS) {
  if (step.event === "round_started") {
    const before = ROUNDS.at(-1);
    ROUNDS.push({ number: step.round, start: step, end: null, totals: before?.end?.totals ?? EVERYBODY.map(() => 0) });
  }
  if (step.event === "round_ended" && ROUNDS.length) ROUNDS.at(-1).end = step;
}

function roundAt(index) {
  return ROUNDS.findLast((one) => one.start.index <= index) ?? null;
}

// Whether someone who looks with the eyes of `seat` (null: everybody's) knows that this step happened at all.
function isSeen(step, seat) {
  if (seat === null) return true;
  if (step.event === "decision" || step.event === "fault") return step.seat === seat;
  return step.event !== "seed_revealed";
}

// The last step up to line `n` of the log that `seat` knows of.
function stepAtLine(n, seat) {
  return STEPS.findLast((step) => step.n <= n && isSeen(step, seat)) ?? HEADER;
}

// The name of a seat's bot, cut to what fits beside its train; names may be long, equal or empty.
function nameOf(seat) {
  const name = HEADER.bots[seat].name || "no name";
  return name.length > 32 ? `${name.slice(0, 31)}\u2026` : name;
}

// "3-9@m1 lift" as {tile: "3-9", train: "m1", lift: true}; null for "stop".
function movePlayed(text) {
  if (text === "stop") return null;
  const [play, lift] = text.split(" ");
  const [tile, train] = play.split("@");
  return { tile, train, lift: lift === "lift" };
}

function numbersOf(tile) {
  return tile.split("-").map(Number);
}
