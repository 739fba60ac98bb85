/**
 * What views and maps of markers send to listeners, with what has happened in `detail`.
 * @template Detail
 */
export class MarkerEvent extends Event {
  /** @param {string} type @param {Detail} detail @param {EventInit} [init] */
  constructor(type, detail, init) {
    super(type, init);
    this.detail = detail;
  }
}
