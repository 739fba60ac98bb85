/**
 * A key that is the same for looks that are drawn the same.
 * @param {Look} look
 */
export function nameOf({ radius, color, textColor, ringColor, label, slices, icon, iconSize, iconAnchor }: Look): string;
/**
 * How far a place is outside a circle or an icon, in pixels; at most 0 if it is inside.
 * @param {Look} look @param {number} east pixels from the marker @param {number} south
 */
export function pixelsOutside({ radius, icon, iconSize, iconAnchor }: Look, east: number, south: number): number;
/** @param {Look} look @param {number} ratio device pixels per CSS pixel @returns {Sprite} */
export function painted(look: Look, ratio: number): Sprite;
/**
 * The radius of the smallest circle with room for a label, in pixels.
 * @param {Pick<Look, "label" | "slices">} look
 */
export function radiusFor({ label, slices }: Pick<Look, "label" | "slices">): number;
export function heightOf({ radius, icon, iconAnchor }: Look): number;
export type Look = import("./appearance.js").Look;
/**
 * the marker's place is in the middle of the canvas; `half`
 *  the pixels of its width and height
 */
export type Sprite = {
    canvas: HTMLCanvasElement;
    half: number;
    ratio: number;
};
