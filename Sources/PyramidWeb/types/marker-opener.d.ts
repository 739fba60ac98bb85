export function isSpread(key: string): boolean;
/** @typedef {{ marker: Marker, x: number, y: number }} SpreadPoint */
/** Zooms in on clusters, spreads points at one place, and opens popups. */
export class MarkerOpener {
    /** @param {import("./map-adapter.js").MapAdapter} adapter */
    constructor(adapter: import("./map-adapter.js").MapAdapter);
    /** Closes the popup and the spread points, also while they are being opened. */
    close(): void;
    /** Ends what is being opened, and returns the signal of what is opened next. */
    stop(): AbortSignal;
    /**
     * Does what a click does.
     * @param {Shown | null} shown the marker there @param {number} longitude of the click, in the clicked copy of the world
     * @param {Event | null} originalEvent
     */
    click(shown: Shown | null, longitude: number, originalEvent: Event | null): Promise<void>;
    /**
     * Flies to a point, spreads the points at its place, and opens its popup.
     * @param {PointAddress} address
     * @returns {Promise<boolean>} false if there is no such point, if the filter hides it, or if something else was opened in the meantime.
     *   Fails with a TilesetError
     */
    open({ id, lngLat }: PointAddress): Promise<boolean>;
    /**
     * The drawn markers with the points that are spread, and their legs.
     * @param {Shown[]} shown @returns {[Shown[], Leg[]]}
     */
    withSpread(shown: Shown[]): [Shown[], Leg[]];
    /**
     * Ends the spreading of points that don't fit any more.
     * @param {{ markers?: Marker[], zoom?: number }} now the markers and the zoom of the map
     */
    foldUnless({ markers, zoom }: {
        markers?: Marker[];
        zoom?: number;
    }): void;
    /** Ends the spreading of points. */
    fold(): void;
    #private;
}
export type Marker = import("./marker.js").Marker;
export type Feature = import("./marker.js").Feature;
export type Shown = import("./marker-scene.js").Shown;
export type Place = import("./map-adapter.js").Place;
/**
 * a line from a place to one of the points spread around it
 */
export type Leg = {
    x: number;
    y: number;
}[];
export type PointAddress = import("./leaves.js").PointAddress;
export type SpreadPoint = {
    marker: Marker;
    x: number;
    y: number;
};
