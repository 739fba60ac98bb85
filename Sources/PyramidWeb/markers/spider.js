// Spreading points at one place around it.

/** The distance between the centres of neighbours, in pixels. */
const gap = 25;

/** Offsets for points so that each can be seen and tapped: on a circle, or on a spiral if there are many.
 * @param {number} count @returns {[east: number, south: number][]} pixels from the place that they share */
export function spiderOffsets(count) {
  if (count <= 9) {
    const radius = Math.max(32, (count * gap) / (2 * Math.PI));
    return Array.from({ length: count }, (_, index) => around(radius, (index / count) * 2 * Math.PI - Math.PI / 2));
  }
  /** @type {[number, number][]} */
  const offsets = [];
  for (let angle = 0, radius = 34; offsets.length < count; ) {
    offsets.push(around(radius, angle));
    angle += gap / radius;
    radius = 34 + (angle / (2 * Math.PI)) * gap * 1.1;
  }
  return offsets;
}

/** @param {number} radius @param {number} angle @returns {[number, number]} */
const around = (radius, angle) => [radius * Math.cos(angle), radius * Math.sin(angle)];
