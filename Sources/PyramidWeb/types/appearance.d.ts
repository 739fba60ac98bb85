/**
 * The same for looks that can't be told apart.
 * @param {Look} look
 */
export function nameOf({ radius, color, textColor, ringColor, label, slices }: Look): string;
/**
 * Draws a label around 0, 0, as large as a circle lets it be.
 * @param {CanvasRenderingContext2D} context @param {{ label: string, textColor: string }} look @param {number} radius
 */
export function drawLabel(context: CanvasRenderingContext2D, { label, textColor }: {
    label: string;
    textColor: string;
}, radius: number): void;
/**
 * How many points of markers have each value of a property, as points carry it, clusters of `--group-by`, and clusters
 * with counts of `--count-by`; `""` is no value.
 * @param {Iterable<Marker>} markers @param {string} property
 * @returns {Map<string, number>}
 */
export function countsByValue(markers: Iterable<Marker>, property: string): Map<string, number>;
export const noValueColor: "#7d7468";
/** Colours that can be told apart, on light and dark maps. */
export const palette: string[];
export class Appearance {
    /** @param {AppearanceOptions} [options] */
    constructor(options?: AppearanceOptions | undefined);
    options: AppearanceOptions;
    set isCrowded(arg: boolean);
    /** Whether there are so many markers that points are no more than dots. */
    get isCrowded(): boolean;
    /** @param {Marker} marker @returns {Look} */
    look(marker: Marker): Look;
    /**
     * The colour of a value of the property `colorBy`.
     * @param {unknown} value
     */
    color(value: unknown): string;
    /**
     * A circle with a ring and its label, painted once for each look.
     * @param {Look} look @param {number} ratio screen pixels of a pixel
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
     * of the circle, or of the middle of a ring
     */
    color: string;
    label: string;
    textColor: string;
    /**
     * of the thin line around it
     */
    ringColor: string;
    /**
     * of a ring around the label, clockwise from the top; a plain circle has none
     */
    slices?: Slice[] | undefined;
};
export type AppearanceOptions = {
    /**
     * the property whose values have colours, such as the column of `--group-by`. Clusters with
     * counts by its values, as `--count-by` makes them, are rings
     */
    colorBy?: string | undefined;
    /**
     * colours of those values,
     * in the order that rings have them; `""` is no value. Objects put values that are whole numbers first: use pairs or a Map for these
     */
    colors?: Record<string, string> | Map<string | number | boolean, string> | [value: string | number | boolean, color: string][] | undefined;
    /**
     * of all other values (default: each value's name picks one of ten colours, so that two values may
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
     * what differs for a marker
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
