// The table at a step: a fold of the events since its round began. It knows nothing of the rules, and draws nothing.

function emptyTable() {
  return {
    round: 0, engine: null, laid: false, starter: null, turn: null,
    trains: new Map(EVERYBODY.map((seat) => [String(seat), []])), // id -> [[inner, outer], ...]
    marked: new Set(), forgotten: new Set(), unsatisfied: [],
    hands: EVERYBODY.map(() => null), handSizes: EVERYBODY.map(() => 0),
    boneyard: null, boneyardSize: 0,
    totals: EVERYBODY.map(() => 0), scores: null,
    decision: null, // the choice being made, or the one this turn's last event came from
    last: null, // id of the train played on last
    drawn: null, // the tile drawn last, until it is played or the turn ends
  };
}

function take(table, seat, tile) {
  table.handSizes[seat] += 1;
  table.boneyardSize -= 1;
  if (tile && table.hands[seat]) table.hands[seat].push(tile);
  if (tile && table.boneyard) table.boneyard = table.boneyard.filter((other) => other !== tile);
}

function give(table, seat, tile) {
  table.handSizes[seat] -= 1;
  if (table.hands[seat]) table.hands[seat] = table.hands[seat].filter((other) => other !== tile);
}

function satisfied(table, step) {
  table.unsatisfied = table.unsatisfied.filter((train) => train !== step.train);
}

const FOLDS = {
  round_started(table, step) {
    table.round = step.round;
    table.engine = step.engine;
    table.starter = step.starter;
    table.hands = step.hands.map((hand) => hand && [...hand]);
    table.handSizes = [...step.hand_sizes];
    table.boneyard = step.boneyard && [...step.boneyard];
    table.boneyardSize = step.boneyard_size;
  },
  engine_search_drawn(table, step) { take(table, step.seat, step.tile); },
  engine_laid(table, step) {
    table.engine = numbersOf(step.tile)[0];
    table.laid = true;
    if (step.seat !== null) give(table, step.seat, step.tile);
  },
  turn_started(table, step) {
    table.turn = step.seat;
    table.decision = table.drawn = null;
  },
  tile_drawn(table, step) {
    take(table, step.seat, step.tile);
    table.drawn = step.tile;
  },
  tile_played(table, step) {
    const [low, high] = numbersOf(step.tile);
    const train = table.trains.get(step.train) ?? [];
    table.trains.set(step.train, [...train, [low + high - step.end, step.end]]);
    give(table, step.seat, step.tile);
    table.last = step.train;
    table.drawn = null;
  },
  marker_raised(table, step) { table.marked.add(step.seat); },
  marker_lowered(table, step) {
    table.marked.delete(step.seat);
    table.forgotten.delete(step.seat);
  },
  marker_forgotten(table, step) { table.forgotten.add(step.seat); },
  marker_renewed(table, step) { table.forgotten.delete(step.seat); },
  double_bound(table, step) { table.unsatisfied.push(step.train); },
  double_satisfied: satisfied,
  double_released: satisfied,
  decision(table, step) { table.decision = step; },
  round_ended(table, step) {
    table.turn = table.decision = table.drawn = null;
    table.scores = step.scores;
    table.totals = step.totals;
  },
  game_ended(table, step) { table.totals = step.totals; },
  end(table, step) { table.totals = step.totals; },
};

// The table after step `index`, as `seat` (null: everybody) knows it.
function tableAt(index, seat) {
  const table = emptyTable();
  const begun = roundAt(index);
  if (begun === null) return table;
  table.totals = begun.totals;
  for (let at = begun.start.index; at <= index; at += 1) {
    const step = STEPS[at];
    if (isSeen(step, seat) && step.event in FOLDS) FOLDS[step.event](table, step);
  }
  if (seat !== null) {
    table.hands = table.hands.map((hand, owner) => (owner === seat ? hand : null));
    table.boneyard = null;
    if (table.turn !== seat) table.drawn = null;
  }
  return table;
}

// The number the next tile on a train has to match.
function endOf(table, train) {
  return table.trains.get(train)?.at(-1)?.[1] ?? table.engine;
}
