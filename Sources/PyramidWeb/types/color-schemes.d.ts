/**
 * The colour of a range.
 * @param {number} share 0 (the lowest) to 1 @returns {Color}
 */
export function rampColor(share: number): Color;
/** @typedef {"light" | "dark"} ColorScheme */
/** @typedef {string | Record<ColorScheme, string>} Color in both schemes, or in each */
/**
 * @typedef {object} Scheme
 * @property {string} middle inside a ring
 * @property {string} text on the middle of a ring
 * @property {string} textOnColor
 * @property {string} outline
 * @property {string} line to points spread around their place
 * @property {string} point
 * @property {[leastCount: number, color: string][]} counts the colours of clusters by their least number of points
 * @property {string[]} palette of values
 * @property {string} noValue
 * @property {string} other of values without a colour of their own, and of clusters of which a filter leaves an unknown number of points
 * @property {number[][]} ramp from low to high ranges
 */
/** Of labels on the colour for others, which is neither dark nor light. */
export const textOnOther: "#10151d";
/** @type {Record<ColorScheme, Scheme>} */
export const colorSchemes: Record<ColorScheme, Scheme>;
export function paletteColor(index: number): Color;
/** @type {Color} */
export const noValueColor: Color;
/** @type {Color} */
export const otherColor: Color;
export type ColorScheme = "light" | "dark";
/**
 * in both schemes, or in each
 */
export type Color = string | Record<ColorScheme, string>;
export type Scheme = {
    /**
     * inside a ring
     */
    middle: string;
    /**
     * on the middle of a ring
     */
    text: string;
    textOnColor: string;
    outline: string;
    /**
     * to points spread around their place
     */
    line: string;
    point: string;
    /**
     * the colours of clusters by their least number of points
     */
    counts: [leastCount: number, color: string][];
    /**
     * of values
     */
    palette: string[];
    noValue: string;
    /**
     * of values without a colour of their own, and of clusters of which a filter leaves an unknown number of points
     */
    other: string;
    /**
     * from low to high ranges
     */
    ramp: number[][];
};
