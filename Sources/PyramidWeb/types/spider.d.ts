/**
 * Offsets for points so that each can be seen and tapped: on a circle, or on a spiral if there are many.
 * @param {number} count
 * @returns {[east: number, south: number][]} pixels from the place that they share
 */
export function spiderOffsets(count: number): [east: number, south: number][];
