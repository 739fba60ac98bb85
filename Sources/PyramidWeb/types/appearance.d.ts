/**
 * Draws a label around 0, 0, as large as a circle lets it be.
 * @param {CanvasRenderingContext2D} context @param {Look} look @param {number} radius
 */
export function drawLabel(context: CanvasRenderingContext2D, { label, textColor }: Look, radius: number): void;
export class Appearance {
    /** @param {AppearanceOptions} [options] */
    constructor(options?: AppearanceOptions | undefined);
    options: AppearanceOptions;
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
     */
    sprite(look: Look, ratio: number): {
        canvas: HTMLCanvasElement;
        half: number;
    };
    #private;
}
export type Marker = import("./marker.js").Marker;
export type Look = {
    radius: number;
    color: string;
    label: string;
    textColor: string;
};
export type AppearanceOptions = {
    /**
     * the property whose values have colours, such as the column of `--group-by`
     */
    colorBy?: string | undefined;
    /**
     * colours of those values; others get one of ten
     */
    colors?: Record<string, string> | undefined;
    /**
     * the pixels between markers, as in `--cluster-distance`; 40 unless given. Circles don't overlap.
     */
    distance?: number | undefined;
    /**
     * what differs for a marker
     */
    look?: ((marker: Marker) => Partial<Look> | undefined) | undefined;
};
