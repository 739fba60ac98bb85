// The content of popups.

import { isCoarse, made } from "./elements.js";
import { titleOf } from "./texts.js";

/** @typedef {import("../tileset/marker.js").Feature} Feature */
/** @typedef {import("./texts.js").Words} Words */

/** @param {unknown} value @returns {Node | string} */
function valueNode(value) {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /^https?:\/\/\S+$/.test(text) ? made("a", { href: text, rel: "noopener noreferrer", target: "_blank" }, text) : text;
}

const internal = new Set(["cluster", "cluster_id", "coincident", "expansion_zoom", "facets", "members", "point_count_abbreviated"]);

/** The properties of a point or a cluster.
 * @param {Feature} feature */
export function propertyTable(feature) {
  const rows = Object.entries(feature.properties).filter(([name]) => !internal.has(name));
  if (feature.id != null && !feature.properties.cluster) rows.unshift(["id", feature.id]);
  const cell = { padding: "1px 0", paddingInlineEnd: "10px", textAlign: "start", verticalAlign: "top" };
  const head = { ...cell, fontWeight: "normal", opacity: "0.65", overflowWrap: "break-word", maxWidth: "12em" };
  return made(
    "table",
    { style: { borderCollapse: "collapse", width: "100%" } },
    ...rows.map(([name, value]) =>
      made("tr", {}, made("th", { style: head }, name), made("td", { style: { ...cell, overflowWrap: "anywhere" } }, valueNode(value))),
    ),
  );
}

/** In a list with at most this many points, the first one is open. */
const shortLength = 6;
/** How many points of a list are shown at first, and with each "More". */
const pageLength = 100;

/** A point's title, which opens its content. The content is made when it is first open.
 * @param {Feature} point @param {(point: Feature) => Node | string} content @param {boolean} isOpen @param {Words} texts */
function pointItem(point, content, isOpen, texts) {
  const style = { padding: isCoarse() ? "11px 0" : "4px 0", cursor: "pointer", overflowWrap: "anywhere", fontWeight: "600" },
    summary = made("summary", { style }, titleOf(point, texts));
  const node = made("details", { style: { borderTop: "1px solid rgba(128, 128, 128, .35)" } }, summary);
  const fill = () => {
    if (node.open && node.lastChild === summary) node.append(made("div", { style: { paddingBottom: "5px" } }, content(point)));
  };
  node.addEventListener("toggle", fill);
  node.open = isOpen;
  fill();
  return node;
}

/** A list of points, with a button for more.
 * @param {Feature[]} points @param {Words} texts @param {(point: Feature) => Node | string} [content] replaces the properties of a point */
export function pointList(points, texts, content = propertyTable) {
  const node = made("div"),
    more = made("button", { type: "button", style: isCoarse() ? { minHeight: "40px", padding: "0 14px" } : {} }, texts.more);
  let first = 0;
  const append = () => {
    more.remove();
    const isOpen = (/** @type {Feature} */ point) => points.length <= shortLength && point === points[0];
    node.append(...points.slice(first, first + pageLength).map((point) => pointItem(point, content, isOpen(point), texts)));
    first += pageLength;
    if (first < points.length) node.append(more);
  };
  more.onclick = append;
  append();
  return node;
}

/** The content of a popup.
 * @param {string | null} title @param {Node} content */
export function popupContent(title, content) {
  const heading = { display: "block", margin: `0 ${isCoarse() ? 34 : 18}px 4px 0`, overflowWrap: "anywhere" };
  const style = { maxHeight: "min(260px, 40vh)", overflowY: "auto", font: "13px/1.4 system-ui, sans-serif", color: "#222" };
  // With the focus, it can be scrolled by keyboard.
  return made(
    "div",
    { className: "pyramid-details", tabIndex: 0, style },
    ...(title === null ? [] : [made("strong", { style: heading }, title)]),
    content,
  );
}
