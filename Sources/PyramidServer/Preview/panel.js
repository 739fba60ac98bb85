// The panel that describes a marker. Text from the data is set as text, never as HTML.

export const element = (id) => document.getElementById(id);

/** The page is in English, but a comma in a number is a decimal sign to half of its readers. */
export const locale = navigator.language;

export const number = (value) => value.toLocaleString(locale);

/** Text that can wrap after each `_`, and within words that are too long for a line. */
export function breakable(text) {
  const fragment = document.createDocumentFragment();
  for (const piece of text.match(/[^_]{0,24}_+|[^_]{1,24}/g) ?? []) {
    if (fragment.childNodes.length && !/^\s/.test(piece)) fragment.append(document.createElement("wbr"));
    fragment.append(piece);
  }
  return fragment;
}

export const placeText = ([longitude, latitude]) =>
  `${Math.abs(latitude)}° ${latitude < 0 ? "S" : "N"}, ${Math.abs(longitude)}° ${longitude < 0 ? "W" : "E"}`;

export function showPanel(title, nodes, moveFocus) {
  element("details-title").textContent = title;
  element("details-content").replaceChildren(...nodes);
  element("details-content").scrollTop = 0;
  element("details").hidden = false;
  if (moveFocus) element("details-title").focus();
}

export function closePanel() {
  element("details").hidden = true;
}

export function paragraph(text) {
  const node = document.createElement("p");
  node.textContent = text;
  return node;
}
