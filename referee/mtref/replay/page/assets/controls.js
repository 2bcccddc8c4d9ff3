// Where the buttons and keys lead, and playing. What is shown is `show`'s business, in main.js.

const IS_GOAL = {
  step: () => true,
  turn: (step) => step.event === "turn_started" || step.event === "round_started" || step.event === "game_ended",
  round: (step) => step.event === "round_started" || step.event === "end" || step.event === "header",
  decision: (step) => step.event === "decision",
  fault: (step) => step.event === "fault",
};

// The next step of a kind after (by 1) or before (by -1) `index` that `seat` knows of; null if there is none.
function goalFrom(index, kind, by, seat) {
  for (let at = index + by; at >= 0 && at < STEPS.length; at += by) {
    if (isSeen(STEPS[at], seat) && IS_GOAL[kind](STEPS[at])) return STEPS[at];
  }
  return null;
}

const KEYS = {
  ArrowRight: ["step", 1], ArrowLeft: ["step", -1], t: ["turn", 1], T: ["turn", -1], r: ["round", 1], R: ["round", -1],
  d: ["decision", 1], D: ["decision", -1], f: ["fault", 1], F: ["fault", -1],
};

// Wires everything that moves. `viewer` has: step, seat, goTo(step), look(seat), turnTiles(), setPlaying(flag).
function listen(viewer) {
  let timer = null;
  const go = (kind, by) => {
    const goal = goalFrom(viewer.step.index, kind, by, viewer.seat);
    if (goal) viewer.goTo(goal);
    else if (kind === "step") stop();
    else viewer.say(`There is no ${by > 0 ? "later" : "earlier"} ${kind}`);
  };
  const stop = () => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    showPlaying();
  };
  const tick = () => {
    timer = setTimeout(tick, Number(byId("speed").value));
    go("step", 1);
  };
  const showPlaying = () => {
    byId("play").textContent = timer === null ? "Play" : "Pause";
    byId("play").setAttribute("aria-pressed", String(timer !== null));
    viewer.setPlaying(timer !== null);
  };
  const toggle = () => {
    if (timer !== null) return stop();
    if (!goalFrom(viewer.step.index, "step", 1, viewer.seat)) viewer.goTo(STEPS[0]);
    tick();
    return showPlaying();
  };

  byId("controls").addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (!button) return;
    stop();
    go(button.dataset.go, Number(button.dataset.by));
  });
  byId("play").addEventListener("click", toggle);
  byId("slider").addEventListener("input", (event) => {
    stop();
    const at = Number(event.target.value);
    const seen = isSeen(STEPS[at], viewer.seat);
    viewer.goTo(seen ? STEPS[at] : goalFrom(at, "step", at > viewer.step.index ? 1 : -1, viewer.seat) ?? viewer.step);
  });
  byId("jump").addEventListener("submit", (event) => {
    event.preventDefault();
    stop();
    const n = Number.parseInt(byId("line").value, 10);
    if (n >= 1) viewer.goTo(stepAtLine(n, viewer.seat));
  });
  byId("help-open").addEventListener("click", () => byId("help").showModal());

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !byId("keys-on").checked) return;
    if (byId("help").open || event.target.closest("input, select, textarea")) return;
    const onButton = event.target.closest("button, summary, a");
    if (event.key in KEYS) {
      stop();
      go(...KEYS[event.key]);
    } else if (event.key === "Home") viewer.goTo(STEPS[0]);
    else if (event.key === "End") viewer.goTo(stepAtLine(Infinity, viewer.seat));
    else if (event.key === " " && !onButton) toggle();
    else if (event.key === "v") viewer.lookNext();
    else if (event.key === "a") viewer.lookAs(null);
    else if (/^[0-9]$/.test(event.key)) viewer.lookAs(Number(event.key));
    else if (event.key === "n") viewer.turnTiles();
    else if (event.key === "g") {
      byId("settings").open = true;
      byId("line").focus();
    }
    else if (event.key === "?") byId("help").showModal();
    else return;
    event.preventDefault();
  });
}
