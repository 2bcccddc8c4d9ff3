// What is looked at, where the address says so: a line and a pair of eyes. Everything is drawn from these two.

const viewer = { step: ROUNDS[0]?.start ?? HEADER, seat: DATA.viewer };

// The fragment that leads to line `n` with the eyes of `seat`.
function address(n, seat) {
  return `#n=${n}${seat === null ? "" : `&seat=${seat}`}`;
}

function readAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const seat = Number.parseInt(wanted.get("seat"), 10);
  if (DATA.viewer === null) viewer.seat = seat >= 0 && seat < SEATS ? seat : null;
  const n = Number.parseInt(wanted.get("n"), 10);
  viewer.step = n >= 1 ? stepAtLine(n, viewer.seat) : stepAtLine(viewer.step.n, viewer.seat);
}

let writing = null;

// Browsers refuse addresses that change too often, as they would while playing.
function writeAddress() {
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", address(viewer.step.n, viewer.seat)), 120);
}

function show() {
  const { step, seat } = viewer;
  const table = tableAt(step.index, seat);
  const begun = roundAt(step.index);
  byId("step").replaceChildren(
    h("span", { class: "where" }, `Line ${step.n}${begun ? `, round ${begun.number}` : ""}`), " ", sentence(step, seat));
  byId("step").className = step.event === "fault" ? "fault" : "";
  drawTable(byId("table"), table, step);
  drawDecision(byId("decision"), table);
  drawEvents(byId("event-list"), step, seat);
  drawSlider(step, seat);
  drawCharts(byId("charts"), step, seat, viewer.goTo);
  byId("view").value = seat === null ? "" : String(seat);
  byId("line").placeholder = String(step.n);
}

function showSeat() {
  drawMarks(viewer.seat);
  drawFaults(byId("faults"), viewer.seat);
  show();
}

viewer.goTo = (step) => {
  viewer.step = step;
  show();
  writeAddress();
};

viewer.look = (seat) => {
  viewer.seat = seat;
  viewer.step = stepAtLine(viewer.step.n, seat);
  showSeat();
  writeAddress();
};

viewer.lookAs = (seat) => {
  if (DATA.viewer !== null || seat >= SEATS) viewer.say("These eyes are not to be had here");
  else viewer.look(seat);
};

viewer.lookNext = () => {
  if (DATA.viewer !== null) return;
  const next = viewer.seat === null ? 0 : viewer.seat + 1;
  viewer.look(next < SEATS ? next : null);
};

viewer.turnTiles = () => {
  faces = faces === "pips" ? "digits" : "pips";
  byId("faces").value = faces === "pips" ? "pips" : "numbers";
  show();
};

viewer.say = (text) => {
  byId("step").replaceChildren(text);
};

// While playing, a screen reader is not told every step.
viewer.setPlaying = (playing) => byId("step").setAttribute("aria-live", playing ? "off" : "polite");

function introduce() {
  const seats = EVERYBODY.map((seat) => h("span", { class: "player", title: `${HEADER.bots[seat].name}\n${HEADER.bots[seat].command}` },
    h("span", { class: `chip seat${seat}` }, String(seat)), nameOf(seat)));
  const cut = DATA.cut === null ? null : h("strong", {}, `The log breaks off after line ${DATA.cut}.`);
  const origin = DATA.origin === null ? null : h("strong", {}, `${DATA.origin[0].toUpperCase()}${DATA.origin.slice(1)}.`);
  const eyes = DATA.viewer === null ? null : h("strong", {}, `Only what seat ${DATA.viewer} knew.`);
  byId("title").textContent = `Game ${HEADER.game}`;
  byId("about").replaceChildren(`rules ${HEADER.rules.preset ?? "?"}, deal ${HEADER.deal}${HEADER.seeded ? " (seeded)" : ""} `, ...seats,
    ...[origin, eyes, cut].filter(Boolean).flatMap((note) => [" ", note]));
  const eyesOf = DATA.viewer === null ? EVERYBODY : [DATA.viewer];
  byId("view").append(...(DATA.viewer === null ? [h("option", { value: "" }, "everything")] : []),
    ...eyesOf.map((seat) => h("option", { value: String(seat) }, `seat ${seat} (${nameOf(seat)})`)));
}

function start() {
  defineHalves();
  introduce();
  byId("view").addEventListener("change", (event) => viewer.look(event.target.value === "" ? null : Number(event.target.value)));
  byId("faces").addEventListener("change", viewer.turnTiles);
  byId("theme").addEventListener("change", (event) => { document.documentElement.dataset.theme = event.target.value; });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("table").focus();
  });
  window.addEventListener("hashchange", () => {
    readAddress();
    showSeat();
  });
  window.addEventListener("resize", show);
  byId("settings").open = !window.matchMedia("(max-width: 40rem)").matches;
  listen(viewer);
  readAddress();
  showSeat();
}

start();
