// A thin bar at the map's upper edge while files are read.

/** What is read sooner needs no bar. */
const delayMilliseconds = 400;

export class LoadingBar {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #node = document.createElement("div");

  /** @param {HTMLElement} container of the map */
  constructor(container) {
    this.#node.className = "pyramid-loading";
    this.#node.ariaHidden = "true";
    this.#node.hidden = true;
    Object.assign(this.#node.style, {
      position: "absolute", top: "0", left: "0", width: "100%", height: "3px", overflow: "hidden", zIndex: "900", pointerEvents: "none",
    });
    const bar = this.#node.appendChild(document.createElement("div"));
    Object.assign(bar.style, { height: "100%", background: "var(--pyramid-accent, #3f51cf)" });
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      bar.style.opacity = "0.6";
    } else {
      bar.style.width = "30%";
      bar.animate([{ transform: "translateX(-100%)" }, { transform: "translateX(334%)" }], { duration: 1400, iterations: Infinity, easing: "ease-in-out" });
    }
    container.append(this.#node);
  }

  /** @param {boolean} isLoading */
  show(isLoading) {
    if (isLoading) {
      this.#timer ??= setTimeout(() => { this.#node.hidden = false; }, delayMilliseconds);
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
