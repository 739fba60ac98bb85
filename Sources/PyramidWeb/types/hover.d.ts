export class Hover {
    /** @param {import("./map-adapter.js").MapAdapter} adapter @param {HTMLElement} container of the map */
    constructor(adapter: import("./map-adapter.js").MapAdapter, container: HTMLElement);
    adapter: import("./map-adapter.js").MapAdapter;
    container: HTMLElement;
    remove(): void;
    /**
     * Tells of another marker. After a tap, browsers send a `mousemove`, which doesn't count.
     * @param {Shown | null} shown the marker under the pointer @param {number} longitude of the pointer, in its copy of the world
     */
    move(shown: Shown | null, longitude: number): void;
    /**
     * Tells if the marker is gone.
     * @param {Shown[]} shown the drawn markers
     */
    check(shown: Shown[]): void;
    #private;
}
export type Shown = import("./marker-scene.js").Shown;
