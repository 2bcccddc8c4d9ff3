// Each step in words. What is hidden from the seat in view is not said.

function who(seat) {
  return `seat ${seat} (${nameOf(seat)})`;
}

function whichTrain(train) {
  if (train.startsWith("m")) return `Mexican train ${train}`;
  return `the train of seat ${train}`;
}

function moveInWords(move) {
  const played = movePlayed(move);
  if (played === null) return "stop";
  return `${played.tile} on ${whichTrain(played.train)}${played.lift ? ", taking the marker down" : ""}`;
}

function milliseconds(ms) {
  if (ms === null || ms === undefined) return "";
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${Number(ms.toPrecision(3))} ms`;
}

const CHOSEN_BY = { bot: "chooses", default: "is given the default move", forced: "has only", branch: "is made to play" };

const SAY = {
  header: () => "Before the first round",
  round_started: (step) => `Round ${step.round} is dealt: engine ${step.engine}-${step.engine}, seat ${step.starter} starts`,
  engine_search_drawn: (step, tile) => `${who(step.seat)} draws ${tile} in search of the engine`,
  engine_laid: (step) => (step.seat === null ? `The engine ${step.tile} lies in the centre` : `${who(step.seat)} lays the engine ${step.tile}`),
  turn_started: (step) => `${who(step.seat)} is on turn`,
  tile_played: (step) => `${who(step.seat)} plays ${step.tile} on ${whichTrain(step.train)}`,
  tile_drawn: (step, tile) => `${who(step.seat)} draws ${tile}`,
  turn_passed: (step) => `${who(step.seat)} passes`,
  turn_stopped: (step) => `${who(step.seat)} stops`,
  marker_raised: (step) => `The marker of seat ${step.seat} goes up`,
  marker_lowered: (step) => `The marker of seat ${step.seat} comes down`,
  marker_forgotten: (step) => `The marker of seat ${step.seat} is forgotten and stays up`,
  marker_renewed: (step) => `The marker of seat ${step.seat} is a new one`,
  double_bound: (step) => `The double on ${whichTrain(step.train)} has to be satisfied`,
  double_satisfied: (step) => `${who(step.seat)} satisfies the double on ${whichTrain(step.train)}`,
  double_released: (step) => `The double on ${whichTrain(step.train)} binds nobody any more`,
  last_tile_called: (step) => `${who(step.seat)} has one tile left`,
  round_ended: (step) => `Round over, ${step.seat === null ? "blocked" : `${who(step.seat)} went out`}: scores ${step.scores.join(", ")}`,
  game_ended: (step) => `Game over: ${step.places.map((place, seat) => `seat ${seat} is number ${place} with ${step.totals[seat]}`).join(", ")}`,
  decision: (step) => `${who(step.seat)} ${CHOSEN_BY[step.by]} ${moveInWords(step.move)}`,
  fault: (step) => `Fault of ${who(step.seat)}: ${step.kind}. ${step.message ? `${step.message} ` : ""}(${step.done})`,
  end: () => "The log is complete",
  seed_revealed: (step) => `The deal's seed is revealed: ${step.seed}`,
};

// One sentence for a step, as `seat` (null: everybody) knows it.
function sentence(step, seat) {
  const hidden = !step.tile || (seat !== null && step.seat !== seat);
  const text = SAY[step.event]?.(step, hidden ? "a tile" : step.tile) ?? step.event;
  return text[0].toUpperCase() + text.slice(1);
}
