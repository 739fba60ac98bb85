// Numbers and names in texts.

/** @typedef {import("../tileset/marker.js").Feature} Feature */

/** @param {number} count */
export const countText = (count) => counts.format(count);

// Making a format takes longer than using it.
const counts = new Intl.NumberFormat("en");

/**
 * A number from the data: 2024 is a year more often than a count.
 * @param {number} number
 */
export const numberText = (number) => number.toLocaleString("en", { useGrouping: Math.abs(number) >= 10000, maximumFractionDigits: 20 });

/** @param {number} count */
const pointsText = (count) => `${countText(count)} point${count === 1 ? "" : "s"}`;

/**
 * The number of a cluster's points, or the name of a point: its first property with a name like "name", else its first
 * text.
 * @param {Feature} feature
 */
export function titleOf({ id, properties }) {
  if (properties.cluster) return pointsText(properties.point_count);
  const texts = Object.entries(properties).filter(([, value]) => typeof value === "string" && value);
  const named = texts.find(([name]) => /^(name|title|label)$/i.test(name)) ?? texts.find(([name]) => /name|title|city|place/i.test(name));
  return String((named ?? texts[0])?.[1] ?? id ?? "Point");
}

/**
 * The title of a list of points.
 * @param {number} count of all points @param {number} total of the listed points @param {boolean} isAtOnePlace
 */
export function listTitle(count, total, isAtOnePlace) {
  return `${total < count ? `${countText(total)} of ` : ""}${pointsText(count)}${isAtOnePlace ? " at one place" : ""}`;
}
