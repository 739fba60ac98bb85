// Numbers in texts.

/** @param {number} count */
export const countText = (count) => counts.format(count);

// Making a format takes longer than using it.
const counts = new Intl.NumberFormat("en");

/**
 * A number from the data: 2024 is a year more often than a count.
 * @param {number} number
 */
export const numberText = (number) => number.toLocaleString("en", { useGrouping: Math.abs(number) >= 10000, maximumFractionDigits: 20 });
