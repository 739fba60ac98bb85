// The panel that describes a marker. Text from the data is set as text, never as HTML.

export const element = (id) => document.getElementById(id);

export const number = (value) => value.toLocaleString("en");

/** Text that can wrap after each `_`, and within words that are too long for a line. */
export function breakable(text) {
  const fragment = document.createDocumentFragment();
  for (const piece of text.match(/[^_]{0,24}_+|[^_]{1,24}/g) ?? []) {
    if (fragment.childNodes.length && !/^\s/.test(piece)) fragment.append(document.createElement("wbr"));
    fragment.append(piece);
  }
  return fragment;
}

/** The text and the links of HTML, without anything else. */
export function textAndLinks(html) {
  const fragment = document.createDocumentFragment();
  const copy = (from, to) => {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        to.append(node.data);
      } else if (node.nodeType === Node.ELEMENT_NODE && !/^(script|style|template|noscript|iframe|svg|math)$/i.test(node.localName)) {
        const isLink = node.localName === "a" && /^https?:\/\//i.test(node.getAttribute("href") ?? "");
        const link = isLink ? Object.assign(document.createElement("a"), { href: node.getAttribute("href"), rel: "noopener noreferrer", target: "_blank" }) : to;
        if (isLink) to.append(link);
        if (/^(br|p|div|li)$/.test(node.localName)) to.append(" ");
        copy(node, link);
      }
    }
  };
  // A document of DOMParser loads and runs nothing.
  copy(new DOMParser().parseFromString(html, "text/html").body, fragment);
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

export function closePanel() { element("details").hidden = true; }

export function paragraph(text) {
  const node = document.createElement("p");
  node.textContent = text;
  return node;
}
