// Pictures that pages draw instead of circles.

/** @typedef {import("./appearance.js").Look} Look */
/** @typedef {import("./appearance.js").Picture} Picture */

/** The most URLs whose images are kept. */
const mostImages = 1000;

export class Icons {
  /** @type {Map<string, HTMLImageElement>} the images of URLs */ #images = new Map();
  /** @type {WeakMap<Picture, boolean | undefined>} whether pictures can be drawn: undefined while they load */ #areLoaded = new WeakMap();
  #changed;

  /** @param {() => void} changed called when a picture is loaded */
  constructor(changed) {
    this.#changed = changed;
  }

  /** What differs for a marker with an icon, as it can be drawn now.
   * @param {Partial<Look>} look with an icon @returns {Partial<Look>} without one while it isn't loaded */
  look({ icon, iconSize, iconAnchor, radius }) {
    const picture = typeof icon === "string" ? this.#image(icon) : icon;
    if (!picture || !this.#isLoaded(picture)) return { icon: undefined };
    const [width, height] = iconSize ?? ("naturalWidth" in picture ? [picture.naturalWidth, picture.naturalHeight] : [picture.width, picture.height]);
    return {
      icon: picture,
      iconSize: [width, height],
      iconAnchor: iconAnchor ?? [width / 2, height / 2],
      radius: radius ?? Math.max(width, height) / 2,
    };
  }

  /** @param {string} url */
  #image(url) {
    let image = this.#images.get(url);
    if (!image) {
      image = new Image();
      // WebGL can't draw pictures of hosts that don't allow it by CORS.
      image.crossOrigin = "anonymous";
      image.src = url;
      if (this.#images.size >= mostImages) this.#images.delete([...this.#images.keys()][0]);
      this.#images.set(url, image);
    }
    return image;
  }

  /** @param {Picture} picture */
  #isLoaded(picture) {
    if (!("naturalWidth" in picture)) return true;
    if (!this.#areLoaded.has(picture)) {
      const isLoaded = picture.complete ? picture.naturalWidth > 0 : undefined;
      this.#areLoaded.set(picture, isLoaded);
      if (isLoaded === undefined) {
        picture.addEventListener("load", () => this.#areLoaded.set(picture, true) && this.#changed(), { once: true });
        picture.addEventListener("error", () => this.#areLoaded.set(picture, false), { once: true });
      }
    }
    return this.#areLoaded.get(picture);
  }
}
