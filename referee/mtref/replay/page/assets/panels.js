// Beside the table: the decision with its legal moves, the events of the round, the faults of the game.

function legalMove(move, made) {
  const chosen = movePlayed(made.move);
  const play = movePlayed(move);
  const isChosen = play === null ? chosen === null : chosen !== null && play.tile === chosen.tile && play.train === chosen.train;
  const lift = isChosen && chosen?.lift ? ", taking the marker down" : "";
  return h("li", { class: isChosen ? "chosen" : null, "aria-current": isChosen ? "true" : null },
    play === null ? null : drawTile(...numbersOf(play.tile)),
    h("span", {}, play === null ? "stop" : `${play.tile} on ${play.train}`, isChosen ? ` \u2013 played${lift}` : "",
      made.may_lift.includes(move) && !isChosen ? ", may lift" : ""));
}

function drawDecision(place, table) {
  const made = table.decision;
  const title = h("h2", { id: "decision-title" }, "Decision");
  if (made === null) {
    place.replaceChildren(title, h("p", { class: "quiet" }, "Nothing is being decided here."));
    return;
  }
  const by = { bot: "by the bot", default: "the referee's default move", forced: "the only move there was", branch: "the move by which this branch left its origin" }[made.by];
  const time = made.ms === null ? "" : `, ${milliseconds(made.ms)}`;
  const bank = made.bank_ms === null ? "" : `, bank ${milliseconds(made.bank_ms)}`;
  place.replaceChildren(title,
    h("p", {}, `${who(made.seat)}: ${moveInWords(made.move)}`),
    h("p", { class: "quiet" }, `${by}${time}${bank}; ${made.legal.length} legal ${made.legal.length === 1 ? "move" : "moves"}`),
    h("ol", { class: "moves" }, made.legal.map((move) => legalMove(move, made))));
}

let listed = { round: undefined, seat: undefined };

// The events of the round, a link each; only the current one is a tab stop, arrow keys step anyway.
function drawEvents(list, step, seat) {
  const begun = roundAt(step.index);
  if (listed.round !== begun || listed.seat !== seat) {
    listed = { round: begun, seat };
    const from = begun ? begun.start.index : 0;
    const next = ROUNDS[begun ? ROUNDS.indexOf(begun) + 1 : 0];
    const steps = STEPS.slice(from, next ? next.start.index : STEPS.length).filter((one) => isSeen(one, seat));
    list.replaceChildren(...steps.map((one) => h("li", { class: one.event, "data-step": String(one.index) },
      h("a", { href: address(one.n, seat), tabindex: "-1" }, h("b", {}, String(one.n)), h("span", {}, sentence(one, seat))))));
  }
  list.querySelector(".current")?.classList.remove("current");
  list.querySelector("a[aria-current]")?.removeAttribute("aria-current");
  list.querySelector("a[tabindex='0']")?.setAttribute("tabindex", "-1");
  const current = list.querySelector(`[data-step="${step.index}"]`);
  if (!current) return;
  current.classList.add("current");
  current.firstChild.setAttribute("aria-current", "step");
  current.firstChild.setAttribute("tabindex", "0");
  list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}

function drawFaults(place, seat) {
  const faults = STEPS.filter((step) => step.event === "fault" && isSeen(step, seat));
  const rows = faults.map((step) => h("tr", {},
    h("td", {}, h("a", { href: address(step.n, seat) }, `line ${step.n}`)), h("td", {}, who(step.seat)),
    h("td", {}, step.kind), h("td", { class: "message" }, step.message), h("td", {}, step.done)));
  place.replaceChildren(h("h2", { id: "faults-title" }, `Faults (${faults.length})`),
    faults.length
      ? h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "List of faults" }, h("table", {},
        h("thead", {}, h("tr", {}, ["where", "seat", "kind", "what is known", "what was done"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, rows)))
      : h("p", { class: "quiet" }, seat === null ? "No bot made one." : "None that this seat knows of."));
}
