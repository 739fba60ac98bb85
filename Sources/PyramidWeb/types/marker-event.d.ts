/**
 * What views and maps of markers send to listeners, with what has happened in `detail`.
 * @template Detail
 */
export class MarkerEvent<Detail> extends Event {
    /** @param {string} type @param {Detail} detail @param {EventInit} [init] */
    constructor(type: string, detail: Detail, init?: EventInit | undefined);
    detail: Detail;
}
