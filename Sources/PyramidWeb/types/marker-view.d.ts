/**
 * Follows a map: gives up requests for what went out of sight, keeps the markers of the zoom before until the new ones
 * are there, shows what there is if some tiles can't be read, and asks for those again until they can.
 *
 * Sends `MarkerEvent`s: "change" with `{ markers, changes, zoom }`, "error" with `{ error }` for every request that has
 * failed in the end, and "settled" with `{ errors }` when all is there or has failed.
 */
export class MarkerView extends EventTarget {
    /**
     * @param {string | URL | Tileset} source a URL is opened, and tried again if that fails
     * @param {import("./tileset.js").TilesetOptions & ViewOptions} [options]
     */
    constructor(source: string | URL | Tileset, options?: (import("./requests.js").RequestOptions & import("./tileset.js").CacheOptions & ViewOptions) | undefined);
    /** @type {Tileset | null} */ tileset: Tileset | null;
    /**
     * What is shown.
     * @type {Marker[]}
     */
    markers: Marker[];
    /**
     * The zoom of `markers`.
     * @type {number | null}
     */
    zoom: number | null;
    /** Whether all that is wanted is shown. */ isSettled: boolean;
    options: import("./requests.js").RequestOptions & import("./tileset.js").CacheOptions & ViewOptions;
    source: string | URL | Tileset;
    /**
     * Shows another part of the map, as soon as its markers are there.
     * @param {Box} box what is in sight, and a margin for markers that reach into it
     * @param {number} zoom of the tileset, see `Tileset.markers`
     */
    move(box: import("./geometry.js").Box, zoom: number): void;
    /** Reads everything again, for tilesets that were built anew. */
    refresh(): Promise<void>;
    close(): void;
    #private;
}
export type Box = import("./geometry.js").Box;
export type Marker = import("./marker.js").Marker;
export type ViewOptions = {
    /**
     * whether points at one place are one marker, `true` unless given
     */
    stacks?: boolean | undefined;
    /**
     * for how long the markers of the zoom before stay while tiles are missing, 800 unless given
     */
    patienceMilliseconds?: number | undefined;
    /**
     * the wait before what has failed is asked for again, 2000 unless given; it
     * doubles each time, up to a minute
     */
    recoveryMilliseconds?: number | undefined;
};
import { Tileset } from "./tileset.js";
