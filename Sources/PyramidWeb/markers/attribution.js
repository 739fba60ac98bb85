// The attribution of a tileset, which may be HTML from elsewhere.

import { made } from "./elements.js";

/** The text and the links of HTML, without anything else.
 * @param {string} html */
export function textAndLinks(html) {
  const fragment = document.createDocumentFragment();
  const copy = (/** @type {Node} */ from, /** @type {Node} */ to) => {
    for (const node of from.childNodes) {
      if (node instanceof Text) {
        to.appendChild(new Text(node.data));
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        const element = /** @type {Element} */ (node),
          name = element.localName;
        if (/^(script|style|template|noscript|iframe|svg|math)$/i.test(name)) continue;
        const href = element.getAttribute("href") ?? "",
          isLink = name === "a" && /^https?:\/\//i.test(href);
        if (/^(br|p|div|li)$/.test(name)) to.appendChild(new Text(" "));
        const link = isLink && made("a", { href, rel: "noopener noreferrer", target: "_blank" });
        copy(element, link ? to.appendChild(link) : to);
      }
    }
  };
  // A document of DOMParser loads and runs nothing.
  copy(new DOMParser().parseFromString(html, "text/html").body, fragment);
  return fragment;
}

/** A tileset's attribution as harmless HTML, for the attribution controls of map libraries.
 * @param {unknown} html of the TileJSON */
export function attributionOf(html) {
  if (!html) return "";
  return made("div", {}, textAndLinks(String(html))).innerHTML.trim();
}
