/**
 * A key that is the same for looks that are drawn the same.
 * @param {Look} look
 */
export function nameOf({ radius, color, textColor, ringColor, label, slices }: Look): string;
/**
 * Draws a label centred at 0, 0, as large as fits into the circle.
 * @param {CanvasRenderingContext2D} context @param {{ label: string, textColor: string }} look @param {number} radius
 */
export function drawLabel(context: CanvasRenderingContext2D, { label, textColor }: {
    label: string;
    textColor: string;
}, radius: number): void;
/**
 * The number of points with each value of a property, from points, clusters of `--group-by`, and clusters with counts
 * of `--count-by` or `--filter-by`. `""` stands for no value. Under a filter, the points that match count; clusters of which
 * that is unknown don't.
 * @param {Iterable<Marker>} markers @param {string} property
 * @returns {Map<string, number>}
 */
export function countsByValue(markers: Iterable<Marker>, property: string): Map<string, number>;
export const noValueColor: "#7d7468";
/** Distinguishable colours for light and dark maps. */
export const palette: string[];
export class Appearance {
    /** @param {AppearanceOptions} [options] */
    constructor(options?: AppearanceOptions | undefined);
    options: AppearanceOptions;
    set isCrowded(arg: boolean);
    /** Whether points are drawn as dots, because there are many markers. */
    get isCrowded(): boolean;
    /** @param {Marker} marker @returns {Look} */
    look(marker: Marker): Look;
    /**
     * The colour of a value of the property `colorBy`.
     * @param {unknown} value
     */
    color(value: unknown): string;
    /**
     * A circle or ring with its label, painted once per look.
     * @param {Look} look @param {number} ratio device pixels per CSS pixel
     * @returns {Sprite}
     */
    sprite(look: Look, ratio: number): Sprite;
    #private;
}
export type Marker = import("./marker.js").Marker;
/**
 * a part of a ring, and the points that it stands for
 */
export type Slice = {
    color: string;
    count: number;
};
export type Look = {
    radius: number;
    /**
     * of the circle, or of the disc inside a ring
     */
    color: string;
    label: string;
    textColor: string;
    /**
     * of the thin line around it
     */
    ringColor: string;
    /**
     * of the ring around the label, clockwise from the top (default: a plain circle)
     */
    slices?: Slice[] | undefined;
};
export type AppearanceOptions = {
    /**
     * the property whose values decide the colours, such as the column of `--group-by`. Clusters
     * with counts of its values, as made by `--count-by` and `--filter-by`, become rings
     */
    colorBy?: string | undefined;
    /**
     * colours by value,
     * in the order of a ring's slices; `""` stands for no value. Objects sort integer keys first: use pairs or a Map for these
     */
    colors?: Record<string, string> | Map<string | number | boolean, string> | [value: string | number | boolean, color: string][] | undefined;
    /**
     * of all other values (default: one of ten colours, chosen by the value's name, so that two values may
     * share one)
     */
    otherColor?: string | undefined;
    /**
     * the pixels between markers, as in `--cluster-distance` (default: 40). Circles don't overlap
     */
    distance?: number | undefined;
    /**
     * of the thin line around circles (default: white)
     */
    ringColor?: string | undefined;
    /**
     * changes the look of a marker
     */
    look?: ((marker: Marker) => Partial<Look> | undefined) | undefined;
};
/**
 * `half` the pixels of its width and height
 */
export type Sprite = {
    canvas: HTMLCanvasElement;
    half: number;
    ratio: number;
};
