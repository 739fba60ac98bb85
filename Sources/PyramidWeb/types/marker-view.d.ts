declare const MarkerView_base: new () => import("./marker-event.js").MarkerEventTarget<ViewEvents>;
/**
 * Follows a map: aborts requests for what is out of sight, keeps the markers of the zoom before until the new ones
 * are there, shows the other markers if some tiles can't be read, and makes requests again while that may help.
 *
 * Sends `ViewEvents`.
 */
export class MarkerView extends MarkerView_base {
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
    /** Asks now for everything that has failed, whatever the reason. It also happens when the browser is online again. */
    retry(): void;
    /** Reads everything anew, for tilesets that were rebuilt. */
    refresh(): Promise<void>;
    /** Makes no requests until `resume`, for a map that isn't shown. */
    pause(): void;
    resume(): void;
    /** Ends the view: it makes no more requests and sends no more events. */
    close(): void;
    #private;
}
export type Box = import("./geometry.js").Box;
export type Marker = import("./marker.js").Marker;
export type ViewOptions = {
    /**
     * whether points at one place are one marker (default: true)
     */
    stacks?: boolean | undefined;
    /**
     * how long the markers of the zoom before stay while tiles are missing (default: 800)
     */
    patienceMilliseconds?: number | undefined;
    /**
     * the wait before failed requests are made again (default: 2000); it doubles each
     * time, up to a minute
     */
    recoveryMilliseconds?: number | undefined;
};
/**
 * mostly a `TilesetError`
 */
export type Failure = Error & {
    url?: string;
    status?: number;
    retryable?: boolean;
};
export type Change = {
    /**
     * what is shown now
     */
    markers: Marker[];
    /**
     * of the markers
     */
    zoom: number;
    /**
     * whether another zoom was shown before
     */
    isZoom: boolean;
    /**
     * from the markers before; worked out when it is first read
     */
    changes: MarkerChanges;
};
/**
 * the details of a view's events
 */
export type ViewEvents = {
    /**
     * the tileset is open
     */
    open: {
        tileset: Tileset;
    };
    /**
     * other markers are shown
     */
    change: Change;
    /**
     * a file could not be read, after all attempts
     */
    error: {
        error: Failure;
    };
    /**
     * everything is there or has failed
     */
    settled: {
        errors: Failure[];
    };
};
import { Tileset } from "./tileset.js";
import { MarkerChanges } from "./marker-changes.js";
export {};
