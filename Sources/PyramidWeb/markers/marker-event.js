/**
 * The events of views and maps of markers, with their data in `detail`.
 * @template Detail
 */
export class MarkerEvent extends Event {
  /** @param {string} type @param {Detail} detail @param {EventInit} [init] */
  constructor(type, detail, init) {
    super(type, init);
    this.detail = detail;
  }
}

/**
 * An EventTarget whose listeners get MarkerEvents; `Details` has the detail of each type of event.
 * @template Details
 * @typedef {{
 *   addEventListener<Type extends keyof Details>(type: Type, listener: Listener<Details[Type]> | null, options?: boolean | AddEventListenerOptions): void,
 *   removeEventListener<Type extends keyof Details>(type: Type, listener: Listener<Details[Type]> | null, options?: boolean | EventListenerOptions): void,
 *   dispatchEvent(event: Event): boolean,
 * }} MarkerEventTarget
 */
/**
 * @template Detail
 * @typedef {((event: MarkerEvent<Detail>) => void) | { handleEvent(event: MarkerEvent<Detail>): void }} Listener
 */
