// Making elements. Text goes in as text nodes only: nothing on this page is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// An HTML element; attributes that are null or false are left out, "onclick" and the like become listeners.
function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

// An SVG element.
function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function byId(id) {
  return document.getElementById(id);
}

// Text for those who listen instead of looking.
function spoken(text) {
  return h("span", { class: "vh" }, text);
}

// Makes `place` hold these rows in order, each {key, make}; a row that has the same key as before stays as it is, which
// saves most of the drawing of a step.
function refresh(place, rows) {
  rows.forEach(({ key, make }, at) => {
    const old = place.children[at];
    if (old?.madeFrom === key) return;
    const fresh = make();
    fresh.madeFrom = key;
    if (old) old.replaceWith(fresh);
    else place.append(fresh);
  });
  while (place.children.length > rows.length) place.lastChild.remove();
}
