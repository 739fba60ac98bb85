/**
 * Turns a map's zoom by double click off while the first click may fly to a cluster.
 * @param {{ enable(): void, disable(): void } | undefined} handler @param {boolean | undefined} isOn
 */
export function holdDoubleClick(handler: {
    enable(): void;
    disable(): void;
} | undefined, isOn: boolean | undefined): void;
export function tolerancePixels(event: {
    pointerType?: string;
} | undefined): 2 | 14;
/** The markers of a tileset on a map, for the adapters of map libraries. Pages get its `markers`. */
export class MapAdapter {
    /** @param {string | URL | import("./tileset.js").Tileset} source @param {MarkerMapOptions} options @param {Surface} surface */
    constructor(source: string | URL | import("./tileset.js").Tileset, options: MarkerMapOptions, surface: Surface);
    /**
     * The drawn markers.
     * @type {Shown[]}
     */
    shown: Shown[];
    isRemoved: boolean;
    /** @type {Hover | null} */ hover: Hover | null;
    /** @type {Neighbours | null} */ neighbours: Neighbours | null;
    /**
     * The key of the marker with the ring.
     * @type {string | null}
     */
    chosen: string | null;
    /** The tileset's attribution as harmless HTML; empty until the tileset is open. */ attribution: string;
    options: {
        /**
         * whether markers split and merge visibly (default: true, unless the user's system asks for reduced motion)
         */
        animate?: boolean | undefined;
        /**
         * the popup's content for a point; a string is
         * shown as text, not as HTML. `false`: a click opens no popup
         */
        popup?: false | ((point: import("./marker.js").Feature) => string | Node) | undefined;
        /**
         * the most points at one place that are spread around it; more are listed (default: 12)
         */
        spiderLimit?: number | undefined;
        /**
         * an HTML element in place of the drawn circle, centred at the marker.
         * It is made again if the marker's content changes
         */
        element?: ((marker: import("./marker.js").Marker) => HTMLElement | null | undefined) | undefined;
        /**
         * whether the map shows all points at first (default: false)
         */
        fit?: boolean | undefined;
        /**
         * whether markers can be reached by keyboard and screen reader (default: true)
         */
        keyboard?: boolean | undefined;
        /**
         * whether a bar at the map's upper edge shows that files are loading (default: true)
         */
        loadingBar?: boolean | undefined;
        /**
         * the map library, if it is not a global variable: `L`, `maplibregl` or `ol`
         */
        library?: any;
        /**
         * the property whose values decide the colours, such as the column of `--group-by`. Clusters
         * become rings, with a slice for each value that they count (`--count-by` or `--filter-by`)
         */
        colorBy?: string | undefined;
        /**
         * colours by value,
         * in the order of a ring's slices; `""` stands for no value. Objects sort integer keys first: use pairs or a Map for these
         */
        colors?: Record<string, import("./color-schemes.js").Color> | import("./appearance.js").ColorPairs | Map<string | number | boolean, import("./color-schemes.js").Color> | undefined;
        /**
         * the colour of all other values (default: one of ten colours, chosen by the value's name, so two values may
         * share one)
         */
        otherColor?: import("./color-schemes.js").Color | undefined;
        /**
         * whether the map is light or dark (default: "light")
         */
        colorScheme?: import("./color-schemes.js").ColorScheme | undefined;
        /**
         * the colour of the thin line around circles (default: the scheme's)
         */
        ringColor?: string | undefined;
        /**
         * changes the look of a marker
         */
        look?: ((marker: import("./marker.js").Marker) => Partial<import("./appearance.js").Look> | undefined) | undefined;
        /**
         * whether points at one place are one marker (default: true)
         */
        stacks?: boolean | undefined;
        /**
         * how long all markers of the previous zoom stay while tiles are missing (default: 800);
         * then they stay where tiles are missing
         */
        patienceMilliseconds?: number | undefined;
        /**
         * the number of simultaneous requests (default: 12)
         */
        concurrency?: number | undefined;
        /**
         * the wait before a failed request is made again (default: 500); it doubles each time. After four
         * attempts there is an error, and a view tries again by itself. Infinity: nothing is made again by itself
         */
        retryMilliseconds?: number | undefined;
        /**
         * the time limit of an attempt (default: 30,000)
         */
        timeoutMilliseconds?: number | undefined;
        /**
         * replaces the browser's fetch, for headers and credentials
         */
        fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
        cacheBytes?: number | undefined;
    };
    surface: Surface;
    isCalm: boolean;
    appearance: Appearance;
    scene: MarkerScene;
    view: MarkerView;
    opener: MarkerOpener;
    markers: MarkerMap;
    overlay: Overlay;
    /**
     * @template {keyof import("./marker-map.js").MapEvents} Type
     * @param {Type} type @param {import("./marker-map.js").MapEvents[Type]} detail @param {EventInit} [init]
     * @returns {boolean} false if a listener has called `preventDefault()`
     */
    send<Type extends keyof import("./marker-view.js").ViewEvents | keyof import("./marker-map.js").DrawnEvents>(type: Type, detail: import("./marker-map.js").MapEvents[Type], init?: EventInit | undefined): boolean;
    /**
     * Call this when the map has moved.
     * @param {boolean} [isOver] whether the motion has ended
     */
    moved(isOver?: boolean | undefined): undefined;
    /** The markers of the view whose place is in the window. */
    get visible(): import("./marker.js").Marker[];
    /**
     * Where a place is on the screen, in the copy of the world that is in the window, or else in the one next to the map's centre.
     * @param {{ x: number, y: number }} place 0 to 1 @returns {[x: number, y: number] | null} null if the map can't show it
     */
    pixelOf({ x, y }: {
        x: number;
        y: number;
    }): [x: number, y: number] | null;
    /**
     * The same, but null if the place isn't in the window.
     * @param {{ x: number, y: number }} place
     */
    pixelInWindow(place: {
        x: number;
        y: number;
    }): [x: number, y: number] | null;
    /** @returns {{ shown: Shown, pixel: [x: number, y: number] }[]} the drawn markers in the window, from bottom to top */
    inWindow(): {
        shown: Shown;
        pixel: [x: number, y: number];
    }[];
    /**
     * Shows the markers of a viewport.
     * @param {{ box: Box, zoom: number } | null} viewport
     */
    go(viewport: {
        box: import("./geometry.js").Box;
        zoom: number;
    } | null): void;
    /** @param {import("./appearance.js").AppearanceOptions & Pick<MapOptions, "element">} options the ones to change */
    restyle(options: import("./appearance.js").AppearanceOptions & Pick<MapOptions, "element">): void;
    /**
     * Moves the map so that it shows all points.
     * @param {FitOptions} options
     */
    fit({ padding, maxZoom, animate }?: FitOptions): Promise<void>;
    /** Gives up a `fit` that is still reading. */
    stopFitting(): void;
    /**
     * Call this with the map's elements when the layer comes onto the map.
     * @param {import("./keyboard.js").Host} host
     */
    attach(host: import("./keyboard.js").Host): void;
    /** Call this when the layer leaves the map. */
    detach(): void;
    /** Removes everything from the map; safe after the map was removed, too. */
    remove(): void;
    requestFrame(): void;
    /**
     * The marker whose HTML element is the target of an event.
     * @param {Event | undefined} event @returns {Shown | null}
     */
    withElement(event: Event | undefined): Shown | null;
    /**
     * Puts the ring around a drawn marker.
     * @param {string | null} key null for none
     */
    choose(key: string | null): void;
    /**
     * The marker at a mouse event, of any of the tilesets on the map.
     * @param {any} event of the map library
     */
    pointed(event: any): import("./neighbours.js").Pointed | null;
    /**
     * Call this when the pointer has moved.
     * @param {any} event of the map library @param {number} longitude of the pointer, in its copy of the world
     * @returns {string} the cursor
     */
    point(event: any, longitude: number): string;
    /**
     * Call this when the user has clicked or tapped: the ring is for the keyboard.
     * @param {any} event of the map library @param {number} longitude see `click`
     */
    tap(event: any, longitude: number): void;
    /**
     * The drawn marker at a place, or the nearest one.
     * @param {number} longitude @param {number} latitude
     * @param {number} tolerancePixels how far outside its circle the place may be
     */
    at(longitude: number, latitude: number, tolerancePixels: number): import("./marker-scene.js").Shown | null;
    /**
     * Does what a click does.
     * @param {Shown | null} shown the marker there
     * @param {number} [longitude] of the click, in the clicked copy of the world (default: the copy next to the map's centre)
     * @param {Event | null} [originalEvent] of the browser
     */
    click(shown: Shown | null, longitude?: number | undefined, originalEvent?: Event | null | undefined): Promise<void>;
    #private;
}
export type Marker = import("./marker.js").Marker;
export type Shown = import("./marker-scene.js").Shown;
export type Box = import("./geometry.js").Box;
export type Place = [longitude: number, latitude: number];
/**
 * in pixels
 */
export type Sides = {
    top: number;
    right: number;
    bottom: number;
    left: number;
};
export type FitOptions = {
    /**
     * the space between the points and the map's edges, in pixels (default: 40)
     */
    padding?: number | Partial<Sides> | undefined;
    /**
     * the highest zoom of the map (default: the tileset's last zoom)
     */
    maxZoom?: number | undefined;
    /**
     * whether the map moves gradually (default: true)
     */
    animate?: boolean | undefined;
};
/**
 * the functions of a map library that its adapter provides. Zooms are for a world 256 pixels wide
 *   at zoom 0.
 */
export type Surface = {
    /**
     * the visible box with a margin around it; null while the
     * map isn't shown
     */
    viewport: () => {
        box: import("./geometry.js").Box;
        zoom: number;
    } | null;
    draw: (shown: Shown[], legs: import("./marker-opener.js").Leg[]) => void;
    /**
     * `isCalm`: without an animation
     */
    fly: (place: Place, zoom: number, isCalm: boolean) => void;
    /**
     * above a marker; `height`: from its place to its upper edge, in pixels
     */
    popup: (place: Place, content: HTMLElement, height: number) => void;
    closePopup: () => void;
    /**
     * of the map's element in pixels, 0 while it is hidden
     */
    size: () => [width: number, height: number];
    /**
     * lets the library know of another size
     */
    measure: () => void;
    /**
     * whether the map flies or is dragged
     */
    isMoving: () => boolean;
    /**
     * the drawn marker at or near a mouse event of the library
     */
    hitAt: (event: any, tolerancePixels: number) => Shown | null;
    /**
     * shows a box and a padding in
     * pixels around it; `maxZoom` is one of the library's own zooms
     */
    fit: (box: import("./geometry.js").Box, options: {
        padding: Sides;
        maxZoom: number;
        isCalm: boolean;
    }) => Promise<void>;
    /**
     * the library's own zoom
     */
    ownZoom: (zoom: number) => number;
    /**
     * where a place is on the screen, from the map's corner: `x` 0 to 1 in
     * the first copy of the world, 1 to 2 in the next one to the east; null if the map can't show it, as on the far side of a globe
     */
    pixelOf: (x: number, y: number) => [x: number, y: number] | null;
    /**
     * the `x` of the map's centre
     */
    middle: () => number;
    /**
     * shows an attribution that wasn't known before
     */
    attribute: (html: string) => void;
    maxZoom: () => number;
    remove: () => void;
};
export type MapOptions = {
    /**
     * whether markers split and merge visibly (default: true, unless the user's system asks for reduced motion)
     */
    animate?: boolean | undefined;
    /**
     * the popup's content for a point; a string is
     * shown as text, not as HTML. `false`: a click opens no popup
     */
    popup?: false | ((point: import("./marker.js").Feature) => Node | string) | undefined;
    /**
     * the most points at one place that are spread around it; more are listed (default: 12)
     */
    spiderLimit?: number | undefined;
    /**
     * an HTML element in place of the drawn circle, centred at the marker.
     * It is made again if the marker's content changes
     */
    element?: ((marker: Marker) => HTMLElement | null | undefined) | undefined;
    /**
     * whether the map shows all points at first (default: false)
     */
    fit?: boolean | undefined;
    /**
     * whether markers can be reached by keyboard and screen reader (default: true)
     */
    keyboard?: boolean | undefined;
    /**
     * whether a bar at the map's upper edge shows that files are loading (default: true)
     */
    loadingBar?: boolean | undefined;
    /**
     * the map library, if it is not a global variable: `L`, `maplibregl` or `ol`
     */
    library?: any;
};
export type MarkerMapOptions = MapOptions & import("./appearance.js").AppearanceOptions & import("./marker-view.js").ViewOptions & import("./tileset.js").TilesetOptions;
import { Hover } from "./hover.js";
import { Neighbours } from "./neighbours.js";
import { Appearance } from "./appearance.js";
import { MarkerScene } from "./marker-scene.js";
import { MarkerView } from "./marker-view.js";
import { MarkerOpener } from "./marker-opener.js";
import { MarkerMap } from "./marker-map.js";
import { Overlay } from "./overlay.js";
