/**
 * The number of points with each value of a property, from points, clusters of `--group-by`, and clusters with counts
 * of `--count-by` or `--filter-by`. `""` stands for no value. Under a filter, counts the matching points, without
 * clusters for which their number is unknown.
 * @param {Iterable<Marker>} markers @param {string} property
 * @returns {Map<string, number>}
 */
export function countsByValue(markers: Iterable<Marker>, property: string): Map<string, number>;
export function distanceAt({ cluster_distances: distances, minzoom }: {
    cluster_distances?: number[];
    minzoom?: number;
}, zoom: number): number;
export class Appearance {
    /**
     * @param {AppearanceOptions} [options]
     * @param {() => void} [changed] called when a loaded icon has changed the look of markers
     */
    constructor(options?: AppearanceOptions | undefined, changed?: (() => void) | undefined);
    /** @type {AppearanceOptions} */ options: AppearanceOptions;
    /** @param {AppearanceOptions} options instead of the previous ones */
    restyle(options: AppearanceOptions): void;
    /** The colours that don't depend on values. */
    get scheme(): import("./color-schemes.js").Scheme;
    set isCrowded(arg: boolean);
    /** Whether points are drawn as dots, because there are many markers. */
    get isCrowded(): boolean;
    set distance(arg: number);
    /** The minimum distance between markers in pixels. Circles are no wider, so they don't overlap. */
    get distance(): number;
    /** @param {Marker} marker @returns {Look} */
    look(marker: Marker): Look;
    /**
     * The colour of a value of the property `colorBy`.
     * @param {unknown} value
     */
    color(value: unknown): string;
    /**
     * A circle, a ring or an icon with its label, painted once per look.
     * @param {Look} look @param {number} ratio device pixels per CSS pixel
     * @returns {import("./sprite.js").Sprite}
     */
    sprite(look: Look, ratio: number): import("./sprite.js").Sprite;
    #private;
}
export type Marker = import("./marker.js").Marker;
export type Color = import("./color-schemes.js").Color;
/**
 * a part of a ring, and the points that it stands for
 */
export type Slice = {
    color: string;
    count: number;
};
export type Picture = HTMLImageElement | HTMLCanvasElement;
export type Look = {
    /**
     * the radius in pixels, including the line around it; for an icon, half of its longer side
     */
    radius: number;
    /**
     * the colour of the circle, or of the disc inside a ring
     */
    color: string;
    label: string;
    textColor: string;
    /**
     * the colour of the thin line around it
     */
    ringColor: string;
    /**
     * the parts of the ring around the label, clockwise from the top (default: a plain circle)
     */
    slices?: Slice[] | undefined;
    /**
     * drawn instead of the circle, below the label: the URL of a picture, an image or a canvas. The circle
     * is drawn until it is loaded, or if it can't be loaded
     */
    icon?: string | Picture | undefined;
    /**
     * the icon's size in pixels (default: the picture's)
     */
    iconSize?: [width: number, height: number] | undefined;
    /**
     * the pixels from the icon's upper left corner to the marker's place (default: the icon's centre)
     */
    iconAnchor?: [x: number, y: number] | undefined;
};
export type ColorPairs = [value: string | number | boolean, color: Color][];
export type AppearanceOptions = {
    /**
     * the property whose values decide the colours, such as the column of `--group-by`. Clusters
     * become rings, with a slice for each value that they count (`--count-by` or `--filter-by`)
     */
    colorBy?: string | undefined;
    /**
     * colours by value,
     * in the order of a ring's slices; `""` stands for no value. Objects sort integer keys first: use pairs or a Map for these
     */
    colors?: Record<string, import("./color-schemes.js").Color> | ColorPairs | Map<string | number | boolean, import("./color-schemes.js").Color> | undefined;
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
    look?: ((marker: Marker) => Partial<Look> | undefined) | undefined;
};
