// The markers by keyboard, and what screen readers say of them.

import { made } from "./elements.js";
import { titleOf } from "./texts.js";

/** @typedef {import("../tileset/marker.js").Marker} Marker */
/** @typedef {object} Host the elements of a map, as its library has made them
 * @property {HTMLElement} container is positioned and holds everything on the map
 * @property {HTMLElement} focusable gets the keyboard's focus
 * @property {HTMLElement} pane for elements above the drawn markers and below popups; its upper left corner is the map's */

let maps = 0;

/** @param {Marker} marker @param {import("./texts.js").Words} texts */
function spokenName({ isCluster, count, isExact, points, feature }, texts) {
  if (!isCluster && !points) return titleOf(feature, texts);
  const number = texts.countText(count),
    all = texts.points(isExact ? number : texts.about(number), count);
  return isCluster ? texts.cluster(all) : texts.atOnePlace(all);
}

export class Keyboard {
  /** @type {(() => void)[]} */ #undoes = [];

  /** @param {import("./neighbours.js").Neighbours} neighbours @param {Host} host @param {import("./texts.js").Words} texts */
  constructor(neighbours, host, texts) {
    const { container, focusable } = host;
    this.neighbours = neighbours;
    this.host = host;
    this.texts = texts;
    this.help = made("p", { id: `pyramid-keys-${++maps}`, hidden: true }, texts.keys);
    // For screen readers only.
    const style = { cssText: "position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap" };
    this.status = made("p", { className: "pyramid-announcement", role: "status", "aria-live": "polite", style });
    container.append(this.help, this.status);
    this.#set("aria-describedby", [focusable.getAttribute("aria-describedby"), this.help.id].filter(Boolean).join(" "));
    if (!focusable.hasAttribute("tabindex")) this.#set("tabindex", "0");
    if (!focusable.hasAttribute("aria-label")) this.#set("aria-label", texts.map);
    if (focusable.localName === "div" && !focusable.hasAttribute("role")) this.#set("role", "region");
    const root = focusable.contains(container) ? focusable : container;
    const listener = (/** @type {KeyboardEvent} */ event) => this.#press(event);
    root.addEventListener("keydown", listener);
    this.#undoes.push(() => root.removeEventListener("keydown", listener));
  }

  /** Sets an attribute until the map's markers are removed.
   * @param {string} name @param {string} value */
  #set(name, value) {
    const { focusable } = this.host,
      before = focusable.getAttribute(name);
    focusable.setAttribute(name, value);
    this.#undoes.push(() => {
      if (focusable.getAttribute(name) !== value) return;
      if (before === null) focusable.removeAttribute(name);
      else focusable.setAttribute(name, before);
    });
  }

  remove() {
    for (const undo of this.#undoes) undo();
    this.help.remove();
    this.status.remove();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.isContentEditable || /^(input|select|textarea)$/.test(target.localName)) return;
    if (event.key !== "Escape" && target.closest(".pyramid-details")) return;
    const key = event.key.toLowerCase();
    if (key === "escape") return this.#close();
    if (key === "n" || key === "p") this.#step(key === "n" ? 1 : -1);
    else if (key === "enter" && target === this.host.focusable && this.#focused) this.#open(this.#focused, event);
    else return;
    event.preventDefault();
  }

  /** @param {1 | -1} way */
  #step(way) {
    const adapters = this.neighbours.withKeys,
      around = adapters.flatMap((adapter) => adapter.inWindow().map((one) => ({ ...one, adapter })));
    const count = around.length;
    if (!count) return;
    // In the order of reading.
    around.sort(({ pixel: one }, { pixel: other }) => one[1] - other[1] || one[0] - other[0]);
    const index = around.findIndex(({ adapter, shown }) => shown.key === adapter.focused);
    const next = index < 0 ? (way > 0 ? 0 : count - 1) : (index + way + count) % count,
      { adapter: focused, shown } = around[next];
    for (const adapter of adapters) adapter.focus(adapter === focused ? shown.key : null);
    this.status.textContent = `${spokenName(shown.marker, focused.texts)}, ${this.texts.part(this.texts.countText(next + 1), this.texts.countText(count))}`;
  }

  /** The tileset whose marker has the ring. */
  get #focused() {
    return this.neighbours.withKeys.find(({ focused }) => focused !== null);
  }

  /** @param {import("./map-adapter.js").MapAdapter} adapter @param {KeyboardEvent} event */
  async #open(adapter, event) {
    const shown = adapter.shown.find(({ key, isLeaving }) => key === adapter.focused && !isLeaving);
    if (!shown) return;
    await adapter.click(shown, undefined, event);
    // Its content can be scrolled and its links be reached.
    this.#popup?.focus({ preventScroll: true });
  }

  #close() {
    const { activeElement } = document,
      isInPopup = Boolean(activeElement && this.#popup?.parentElement?.contains(activeElement));
    for (const adapter of this.neighbours.withKeys) {
      adapter.focus(null);
      adapter.click(null);
    }
    if (isInPopup) this.host.focusable.focus({ preventScroll: true });
  }

  /** The content of the open popup. */
  get #popup() {
    // Leaflet fades out an earlier one beside it.
    return /** @type {HTMLElement | undefined} */ ([...this.host.container.querySelectorAll(".pyramid-details")].at(-1));
  }
}
