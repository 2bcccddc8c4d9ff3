// The slider over all steps, with the rounds and the faults marked above it.

function drawMarks(seat) {
  const x = (index) => (index / Math.max(1, STEPS.length - 1)) * 1000;
  const rounds = ROUNDS.map((one, at) => {
    const until = ROUNDS[at + 1]?.start.index ?? STEPS.length - 1;
    return s("rect", { class: at % 2 ? "odd" : "even", x: x(one.start.index), y: 2, width: x(until) - x(one.start.index), height: 6 });
  });
  const faults = STEPS.filter((step) => step.event === "fault" && isSeen(step, seat));
  byId("marks").replaceChildren(...rounds,
    ...faults.map((step) => s("rect", { class: "fault", x: x(step.index) - 1, y: 0, width: 2, height: 10 })));
}

function drawSlider(step, seat) {
  const slider = byId("slider");
  slider.max = String(STEPS.length - 1);
  slider.value = String(step.index);
  const begun = roundAt(step.index);
  slider.setAttribute("aria-valuetext", `Line ${step.n}${begun ? `, round ${begun.number}` : ""}: ${sentence(step, seat)}`);
}
