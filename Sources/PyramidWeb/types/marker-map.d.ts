/** Around what is in sight: markers reach into it, and a short pan has them at hand. */
export const marginPixels: 60;
export function isSpread(key: string): boolean;
/**
 * The markers of a tileset on a map; `addMarkers` of the adapters makes one.
 *
 * Sends `MarkerEvent`s: those of `MarkerView`; "click" with `{ marker }` (call `preventDefault()` to do something else than
 * zoom in, spread points, or open a popup); "details" with `{ marker, place, title, content }` before a popup opens (call
 * `preventDefault()` to show the content elsewhere); and "draw" with `{ shown }` after each frame.
 */
export class MarkerMap extends EventTarget {
    /** @param {string | URL | import("./tileset.js").Tileset} source @param {MarkerMapOptions} options @param {Surface} surface */
    constructor(source: string | URL | import("./tileset.js").Tileset, options: MarkerMapOptions, surface: Surface);
    /**
     * The library's layer, or the id of its source.
     * @type {any}
     */
    layer: any;
    /**
     * What is drawn.
     * @type {Shown[]}
     */
    shown: Shown[];
    options: MarkerMapOptions;
    surface: Surface;
    isCalm: boolean;
    appearance: Appearance;
    scene: MarkerScene;
    view: MarkerView;
    /**
     * To be called when the map has moved.
     * @param {boolean} [isOver] whether it stands still again
     */
    moved(isOver?: boolean | undefined): undefined;
    /**
     * Shows the markers of where the map is, or will be.
     * @param {{ box: Box, zoom: number } | null} viewport
     */
    go(viewport: {
        box: import("./geometry.js").Box;
        zoom: number;
    } | null): void;
    /** Reads everything again, for tilesets that were built anew. */
    refresh(): Promise<void>;
    /**
     * Changes what markers look like.
     * @param {import("./appearance.js").AppearanceOptions} options those that differ
     */
    restyle(options: import("./appearance.js").AppearanceOptions): void;
    remove(): void;
    requestFrame(): void;
    /**
     * What is drawn at a place, or nearest to it.
     * @param {number} x the place on the map, 0 to 1 @param {number} y
     * @param {number} tolerancePixels beyond a circle's border
     */
    hit(x: number, y: number, tolerancePixels: number): import("./marker-scene.js").Shown | null;
    /**
     * To be called when the user has clicked or tapped.
     * @param {Shown | null} shown what is there @param {number} longitude of the click, in the copy of the world that is seen
     */
    clicked(shown: Shown | null, longitude: number): Promise<void>;
    #private;
}
export type Marker = import("./marker.js").Marker;
export type Shown = import("./marker-scene.js").Shown;
export type Box = import("./geometry.js").Box;
export type Place = [longitude: number, latitude: number];
/**
 * a line from a place to a point that stands aside of it
 */
export type Leg = {
    x: number;
    y: number;
}[];
/**
 * what an adapter does for the library that it knows. Zooms are those of a world 256 pixels
 *   wide at zoom 0.
 */
export type Surface = {
    /**
     * what is in sight, and a margin around it; null while there is
     * no map
     */
    viewport: () => {
        box: import("./geometry.js").Box;
        zoom: number;
    } | null;
    draw: (shown: Shown[], legs: Leg[]) => void;
    /**
     * `isCalm`: without an animation
     */
    fly: (place: Place, zoom: number, isCalm: boolean) => void;
    /**
     * beside a circle of so many pixels
     */
    popup: (place: Place, content: HTMLElement, radius: number) => void;
    closePopup: () => void;
    maxZoom: () => number;
    remove: () => void;
};
export type MapOptions = {
    /**
     * whether markers split and merge visibly; not unless the user's system allows it
     */
    animates?: boolean | undefined;
    /**
     * whether a click opens a popup, `true` unless given
     */
    popups?: boolean | undefined;
    /**
     * its content for a point; a string is taken as
     * text, not as HTML
     */
    popup?: ((point: import("./marker.js").Feature) => Node | string) | undefined;
    /**
     * so many points at one place are spread around it, 12 unless given; more are listed
     */
    spiderLimit?: number | undefined;
    /**
     * the map library, if it is not a global variable: `L`, `maplibregl` or `ol`
     */
    library?: any;
};
export type MarkerMapOptions = MapOptions & import("./appearance.js").AppearanceOptions & import("./marker-view.js").ViewOptions & import("./tileset.js").TilesetOptions;
import { Appearance } from "./appearance.js";
import { MarkerScene } from "./marker-scene.js";
import { MarkerView } from "./marker-view.js";
