export class Neighbours {
    /**
     * Adds a tileset to those on its map.
     * @param {MapAdapter} adapter @param {import("./keyboard.js").Host} host
     */
    static join(adapter: MapAdapter, host: import("./keyboard.js").Host): Neighbours;
    /**
     * From bottom to top.
     * @type {MapAdapter[]}
     */
    adapters: MapAdapter[];
    /** @param {MapAdapter} adapter */
    leave(adapter: MapAdapter): void;
    /** Those whose markers can be reached by keyboard. */
    get withKeys(): import("./map-adapter.js").MapAdapter[];
    /**
     * The marker at a mouse event: of those that it hits, the uppermost; else of those near to it.
     * @param {{ originalEvent?: any }} event of the map library @param {number} tolerancePixels
     * @returns {Pointed | null}
     */
    at(event: {
        originalEvent?: any;
    }, tolerancePixels: number): Pointed | null;
    #private;
}
export type MapAdapter = import("./map-adapter.js").MapAdapter;
export type Shown = import("./marker-scene.js").Shown;
export type Pointed = {
    adapter: MapAdapter;
    shown: Shown;
};
