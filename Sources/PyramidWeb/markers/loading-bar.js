// A thin bar at the map's upper edge while files are read.

import { made } from "./elements.js";

/** What is read sooner needs no bar. */
const delayMilliseconds = 400;

export class LoadingBar {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #node;

  /** @param {HTMLElement} container of the map */
  constructor(container) {
    const bar = made("div", { style: { height: "100%", background: "var(--pyramid-accent, #3f51cf)" } });
    const style = { cssText: "position: absolute; top: 0; left: 0; width: 100%; height: 3px; overflow: hidden; z-index: 900; pointer-events: none" };
    this.#node = made("div", { className: "pyramid-loading", "aria-hidden": "true", hidden: true, style }, bar);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      bar.style.opacity = "0.6";
    } else {
      bar.style.width = "30%";
      const motion = { duration: 1400, iterations: Infinity, easing: "ease-in-out" };
      bar.animate([{ transform: "translateX(-100%)" }, { transform: "translateX(334%)" }], motion);
    }
    container.append(this.#node);
  }

  /** @param {boolean} isLoading */
  show(isLoading) {
    if (isLoading) {
      this.#timer ??= setTimeout(() => (this.#node.hidden = false), delayMilliseconds);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#node.hidden = true;
  }

  remove() {
    this.show(false);
    this.#node.remove();
  }
}
