// What maps and legends say: in English, if the page has no other texts.

/** @typedef {import("../tileset/marker.js").Feature} Feature */
/** @typedef {(text: string) => string} TextOf */
/** @typedef {Record<"legend" | "showAll" | "colorsBy" | "numberOfPoints" | "sizes" | "counts" | "noValue" | "other" | "some" | "none" | "all" | "only" |
 *   "find" | "fewer" | "yes" | "no" | "empty" | "unlimited", string> & Record<"inView" | "inAll" | "allOf" | "onlyValue" | "findIn" |
 *   "moreValues" | "lowerLimit" | "upperLimit" | "lessThan" | "orMore" | "play", TextOf> & { between: (from: string, to: string) => string }} LegendTexts
 *   with titles, values or numbers, which are texts already */
/** @typedef {typeof english & LegendTexts} Texts what a page can say in its own words */
/** @typedef {ReturnType<typeof textsOf>} Words texts, and numbers in their language */

const english = {
  /** The language of numbers, for `Intl`. */ locale: "en",
  map: "Map of clusters and points",
  keys: "Arrow keys move the map, plus and minus zoom. N and P go through the markers on the screen, Enter opens one, Escape closes it.",
  points: (/** @type {string} */ number, /** @type {number} */ count) => `${number} point${count === 1 ? "" : "s"}`,
  about: (/** @type {string} */ number) => `about ${number}`,
  cluster: (/** @type {string} */ points) => `Cluster of ${points}`,
  atOnePlace: (/** @type {string} */ points) => `${points} at one place`,
  part: (/** @type {string} */ some, /** @type {string} */ all) => `${some} of ${all}`,
  point: "Point",
  more: "More",
  close: "Close",
};

/** @param {Partial<Texts>} own instead of the English ones */
export function textsOf(own = {}) {
  // Making a format takes longer than using it.
  const texts = { ...english, ...own },
    counts = new Intl.NumberFormat(texts.locale);
  const digits = [...new Intl.NumberFormat(texts.locale, { useGrouping: false }).format(9876543210)].reverse(),
    [, point] = new Intl.NumberFormat(texts.locale).format(0.5);
  return {
    ...texts,
    /** A short count of a tileset, such as "1.2k". */
    labelText: (/** @type {string} */ label) => label.replace(/[\d.]/g, (sign) => (sign === "." ? point : digits[Number(sign)])),
    countText: (/** @type {number} */ count) => counts.format(count),
    pointsText: (/** @type {number} */ count) => texts.points(counts.format(count), count),
    /** A number from the data: 2024 is a year and 8001 a code more often than a count. Edges up to 3000 may be years.
     * @param {number} number @param {number[] | null} [edges] of the column that it is one of */
    numberText: (number, edges) => {
      const useGrouping = edges ? edges.some((edge) => Math.abs(edge) > 3000) : Math.abs(number) >= 10000;
      return number.toLocaleString(texts.locale, { useGrouping, maximumFractionDigits: 20 });
    },
  };
}

/** The number of a cluster's points, or the name of a point: its first property with a name like "name", else its first
 * text.
 * @param {Feature} feature @param {Words} texts */
export function titleOf({ id, properties }, texts) {
  if (properties.cluster) return texts.pointsText(properties.point_count);
  const named = Object.entries(properties).filter(([, value]) => typeof value === "string" && value);
  const best = named.find(([name]) => /^(name|title|label)$/i.test(name)) ?? named.find(([name]) => /name|title|city|place/i.test(name));
  return String((best ?? named[0])?.[1] ?? id ?? texts.point);
}
