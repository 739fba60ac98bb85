/**
 * The events of views and maps of markers, with their data in `detail`.
 * @template Detail
 */
export class MarkerEvent<Detail> extends Event {
    /** @param {string} type @param {Detail} detail @param {EventInit} [init] */
    constructor(type: string, detail: Detail, init?: EventInit | undefined);
    detail: Detail;
}
/**
 * An EventTarget whose listeners get MarkerEvents; `Details` has the detail of each type of event.
 */
export type MarkerEventTarget<Details> = {
    addEventListener<Type extends keyof Details>(type: Type, listener: Listener<Details[Type]> | null, options?: boolean | AddEventListenerOptions): void;
    removeEventListener<Type_1 extends keyof Details>(type: Type_1, listener: Listener<Details[Type_1]> | null, options?: boolean | EventListenerOptions): void;
    dispatchEvent(event: Event): boolean;
};
export type Listener<Detail> = ((event: MarkerEvent<Detail>) => void) | {
    handleEvent(event: MarkerEvent<Detail>): void;
};
