// The table: engine, every train, hands, boneyard. Draws what `tableAt` says and decides nothing.

function trainItem(inner, outer, notes) {
  const double = inner === outer;
  return h("li", { class: notes.join(" ") || null, title: `${inner}-${outer}` },
    drawTile(inner, outer, { upright: double }), spoken(`${inner}-${outer}`));
}

function trainLabel(table, id) {
  const marks = [];
  const owner = id.startsWith("m") ? null : Number(id);
  if (owner !== null && table.marked.has(owner)) {
    marks.push(h("span", { class: "badge marker" }, table.forgotten.has(owner) ? "marker, forgotten" : "marker up"));
  }
  if (table.unsatisfied.includes(id)) {
    const place = table.unsatisfied.length > 1 ? ` ${table.unsatisfied.indexOf(id) + 1}` : "";
    marks.push(h("span", { class: "badge open-double" }, `unsatisfied double${place}`));
  }
  return h("div", { class: "who" },
    h("span", { class: owner === null ? "chip mexican" : `chip seat${owner}`, "aria-hidden": "true" }, id),
    h("h3", {}, owner === null ? "Mexican" : nameOf(owner), spoken(`, train ${id}`)), marks);
}

function trainRow(table, id, reach) {
  const links = table.trains.get(id) ?? [];
  const items = links.map(([inner, outer], at) => {
    const notes = [];
    if (at === links.length - 1 && table.last === id) notes.push("newest");
    if (at === links.length - 1 && table.unsatisfied.includes(id)) notes.push("unsatisfied");
    return trainItem(inner, outer, notes);
  });
  const end = endOf(table, id);
  items.push(h("li", { class: `end ${reach}`.trim(), title: `open end ${end}` }, drawOpenEnd(end), spoken(`open end ${end}`)));
  return h("section", { class: Number(id) === table.turn ? "train on-turn" : "train", "data-train": id, "aria-label": `Train ${id}` },
    trainLabel(table, id), h("ol", { class: "tiles" }, items));
}

function trainRows(table, choice) {
  const mexican = [...table.trains.keys()].filter((id) => id.startsWith("m")).sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  const started = new Set(mexican);
  const first = [...choice.trains].filter((id) => id.startsWith("m") && !started.has(id)); // may be begun now
  return [...EVERYBODY.map(String), ...mexican, ...first].map((id) => {
    const reach = choice.chosen?.train === id ? "chosen" : choice.trains.has(id) ? "legal" : "";
    const own = Number(id);
    const key = [id, reach, faces, table.engine, table.trains.get(id)?.length, endOf(table, id), table.last === id, table.turn === own,
      table.marked.has(own), table.forgotten.has(own), table.unsatisfied, table.round];
    return { key: JSON.stringify(key), make: () => trainRow(table, id, reach) };
  });
}

function inOrder(tiles) {
  return [...tiles].sort((a, b) => numbersOf(a)[0] - numbersOf(b)[0] || numbersOf(a)[1] - numbersOf(b)[1]);
}

function looseTile(tile, notes) {
  const [low, high] = numbersOf(tile);
  return h("li", { class: notes.join(" ") || null, title: tile }, drawTile(low, high), spoken([tile, ...notes].join(", ")));
}

function handRow(table, seat, choice) {
  const hand = table.hands[seat];
  const deciding = choice.seat === seat;
  const items = hand && inOrder(hand).map((tile) => {
    const notes = [];
    if (deciding && choice.chosen?.tile === tile) notes.push("chosen");
    else if (deciding && choice.tiles.has(tile)) notes.push("legal");
    if (table.turn === seat && table.drawn === tile) notes.push("drawn");
    return looseTile(tile, notes);
  });
  const size = table.handSizes[seat];
  const pips = hand ? `, ${hand.flatMap(numbersOf).reduce((sum, pip) => sum + pip, 0)} pips` : "";
  return h("section", { class: table.turn === seat ? "hand on-turn" : "hand", "data-hand": String(seat), "aria-label": `Hand of seat ${seat}` },
    h("div", { class: "who" },
      h("span", { class: `chip seat${seat}`, "aria-hidden": "true" }, String(seat)),
      h("h3", {}, nameOf(seat)),
      table.turn === seat ? h("span", { class: "badge turn" }, "on turn") : null,
      h("span", { class: "count" }, `${size} ${size === 1 ? "tile" : "tiles"}${pips}; total ${table.totals[seat]}`)),
    items ? h("ol", { class: "tiles" }, items) : h("p", { class: "hidden" }, size ? "hidden" : ""));
}

// What the choice at hand allows: the seat, its legal tiles and trains, and the move chosen, if this is the very step.
function choiceOf(step) {
  const none = { seat: null, tiles: new Set(), trains: new Set(), chosen: null };
  if (step.event !== "decision") return none;
  const plays = step.legal.map(movePlayed).filter((play) => play !== null);
  return {
    seat: step.seat, chosen: movePlayed(step.move),
    tiles: new Set(plays.map((play) => play.tile)), trains: new Set(plays.map((play) => play.train)),
  };
}

function handRows(table, choice) {
  return EVERYBODY.map((seat) => {
    const deciding = choice.seat === seat ? [[...choice.tiles], choice.chosen?.tile] : null;
    const key = [faces, table.hands[seat], table.handSizes[seat], table.totals[seat], table.turn === seat, table.drawn, deciding];
    return { key: JSON.stringify(key), make: () => handRow(table, seat, choice) };
  });
}

function engineView(table) {
  return h("div", { class: "engine" },
    drawTile(table.engine, table.engine, { upright: true }),
    h("h2", {}, `Round ${table.round} of ${HEADER.rules.rounds}`),
    h("p", {}, `engine ${table.engine}-${table.engine}${table.laid ? "" : ", not laid yet"}`));
}

let boneyardOpen = false;

function boneyardView(table) {
  const summary = `Boneyard: ${table.boneyardSize} ${table.boneyardSize === 1 ? "tile" : "tiles"}`;
  if (!table.boneyard?.length) return h("p", { class: "boneyard" }, summary);
  return h("details", { class: "boneyard", open: boneyardOpen, ontoggle: (event) => { boneyardOpen = event.target.open; } },
    h("summary", {}, `${summary}, in the order they will be drawn`),
    h("ol", { class: "tiles" }, table.boneyard.map((tile) => looseTile(tile, []))));
}

function drawTable(place, table, step) {
  if (table.engine === null) {
    place.replaceChildren(h("p", { class: "empty" }, "No tile has been dealt yet. Play, or step forward."));
    return;
  }
  const choice = choiceOf(step);
  refresh(place, [
    { key: JSON.stringify(["engine", faces, table.engine, table.round, table.laid]), make: () => engineView(table) },
    { key: "trains", make: () => h("div", { class: "trains" }) },
    { key: "title", make: () => h("h2", {}, "Hands") },
    { key: "hands", make: () => h("div", { class: "hands" }) },
    { key: JSON.stringify(["boneyard", faces, table.boneyard, table.boneyardSize]), make: () => boneyardView(table) },
  ]);
  refresh(place.querySelector(".trains"), trainRows(table, choice));
  refresh(place.querySelector(".hands"), handRows(table, choice));
}
