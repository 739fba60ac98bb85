// The content of popups. Text from the data is set as text, never as HTML.

/** @typedef {import("../tileset/marker.js").Feature} Feature */
/** @typedef {import("../tileset/tileset.js").Leaves} Leaves */

/** @param {string} tag @param {Partial<CSSStyleDeclaration>} style @param {...(Node | string)} children */
function element(tag, style, ...children) {
  const node = document.createElement(tag);
  Object.assign(node.style, style);
  node.append(...children);
  return node;
}

/** @param {unknown} value @returns {Node} */
function valueNode(value) {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (!/^https?:\/\/\S+$/.test(text)) return document.createTextNode(text);
  const link = document.createElement("a");
  return Object.assign(link, { href: text, textContent: text, rel: "noopener noreferrer", target: "_blank" });
}

/** @param {number} count */
const countText = (count) => `${count.toLocaleString("en")} point${count === 1 ? "" : "s"}`;

/**
 * The number of a cluster's points, or the name of a point: its first property with a name like "name", else its first
 * text.
 * @param {Feature} feature
 */
export function titleOf({ id, properties }) {
  if (properties.cluster) return countText(properties.point_count);
  const texts = Object.entries(properties).filter(([, value]) => typeof value === "string" && value);
  const named = texts.find(([name]) => /^(name|title|label)$/i.test(name)) ?? texts.find(([name]) => /name|title|city|place/i.test(name));
  return String((named ?? texts[0])?.[1] ?? id ?? "Point");
}

/**
 * The title of a list of points.
 * @param {number} count of all points @param {number} total of the listed points @param {boolean} isAtOnePlace
 */
export function listTitle(count, total, isAtOnePlace) {
  return `${total < count ? `${total.toLocaleString("en")} of ` : ""}${countText(count)}${isAtOnePlace ? " at one place" : ""}`;
}

const internal = new Set(["parent", "cluster", "cluster_id", "coincident", "expansion_zoom", "facets", "point_count_abbreviated"]);

/**
 * The properties of a point or a cluster.
 * @param {Feature} feature
 */
export function propertyTable(feature) {
  const rows = Object.entries(feature.properties).filter(([name]) => !internal.has(name));
  if (feature.id != null && !feature.properties.cluster) rows.unshift(["id", feature.id]);
  const cell = { padding: "1px 0", paddingInlineEnd: "10px", textAlign: "start", verticalAlign: "top" };
  return element("table", { borderCollapse: "collapse", width: "100%" }, ...rows.map(([name, value]) =>
    element("tr", {}, element("th", { ...cell, fontWeight: "normal", opacity: "0.65", overflowWrap: "break-word", maxWidth: "12em" }, name),
      element("td", { ...cell, overflowWrap: "anywhere" }, valueNode(value)))));
}

/** Whether fingers press buttons, which are large then. */
const isCoarse = () => matchMedia("(pointer: coarse)").matches;

/**
 * Makes a popup's button for closing as large as a finger needs.
 * @param {HTMLElement | null | undefined} button
 */
export function enlarge(button) {
  if (button && isCoarse()) Object.assign(button.style, { width: "40px", height: "40px", padding: "0", lineHeight: "40px", fontSize: "22px" });
}

/** @param {string} title */
const heading = (title) => element("strong", { display: "block", margin: `0 ${isCoarse() ? 34 : 18}px 4px 0`, overflowWrap: "anywhere" }, title);

/** Of a list with at most this many points, the first one is open. */
const shortLength = 6;

/**
 * A point's title, which opens its content. The content is made when it is first open.
 * @param {Feature} point @param {(point: Feature) => Node | string} content @param {boolean} isOpen
 */
function pointItem(point, content, isOpen) {
  const summary = element("summary", { padding: isCoarse() ? "11px 0" : "4px 0", cursor: "pointer", overflowWrap: "anywhere", fontWeight: "600" }, titleOf(point));
  const node = /** @type {HTMLDetailsElement} */ (element("details", { borderTop: "1px solid rgba(128, 128, 128, .35)" }, summary));
  const fill = () => { if (node.open && node.lastChild === summary) node.append(element("div", { paddingBottom: "5px" }, content(point))); };
  node.addEventListener("toggle", fill);
  node.open = isOpen;
  fill();
  return node;
}

/**
 * A list of points, with a button for the next page.
 * @param {Leaves} first
 * @param {(page: number) => Promise<Leaves>} read
 * @param {(point: Feature) => Node | string} [content] replaces the properties of a point
 */
export function pointList(first, read, content = propertyTable) {
  const node = element("div", {});
  const append = (/** @type {Leaves} */ { points, page, pageCount }) => {
    node.append(...points.map((point, index) => pointItem(point, content, page + index === 0 && points.length <= shortLength)));
    if (page + 1 >= pageCount) return;
    const more = /** @type {HTMLButtonElement} */ (element("button", isCoarse() ? { minHeight: "40px", padding: "0 14px" } : {}, "More"));
    more.type = "button";
    more.onclick = async () => {
      more.disabled = true;
      try {
        const next = await read(page + 1);
        more.remove();
        append(next);
      } catch {
        [more.disabled, more.textContent] = [false, "Could not be read. Try again"];
      }
    };
    node.append(more);
  };
  append(first);
  return node;
}

/**
 * The content of a popup.
 * @param {string | null} title @param {Node} content
 */
export function popupContent(title, content) {
  const node = element("div", { maxHeight: "min(260px, 40vh)", overflowY: "auto", font: "13px/1.4 system-ui, sans-serif", color: "#222" });
  node.append(...(title === null ? [] : [heading(title)]), content);
  node.className = "pyramid-details";
  // With the focus, it can be scrolled by keyboard.
  node.tabIndex = 0;
  return node;
}
