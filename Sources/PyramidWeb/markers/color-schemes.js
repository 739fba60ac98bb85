// Colours for light and dark maps. Tests measure their contrasts, and that colour-blind people can tell them apart.

/** @typedef {"light" | "dark"} ColorScheme */
/** @typedef {string | Record<ColorScheme, string>} Color in both schemes, or in each */
/** @typedef {object} Scheme
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
 * @property {number[][]} ramp from low to high ranges */

/** The colour of labels on the colour for others, which is neither dark nor light. */
export const textOnOther = "#10151d";

/** @type {Record<ColorScheme, Scheme>} */
export const colorSchemes = {
  light: {
    middle: "#ffffff",
    text: "#17202e",
    textOnColor: "#ffffff",
    outline: "#ffffff",
    line: "#555555",
    point: "#c2570c",
    counts: [
      [10000, "#a8285e"],
      [1000, "#7a3cc0"],
      [100, "#4456cf"],
      [10, "#1f6fb0"],
      [0, "#14796a"],
    ],
    palette: ["#2081ef", "#9d8207", "#d92b6e", "#9f1b06", "#9976b7", "#035391", "#1a742e", "#5241b2", "#c96855", "#8c2867"],
    noValue: "#574c41",
    other: "#7a8593",
    ramp: [
      [169, 118, 10],
      [194, 80, 46],
      [168, 40, 94],
      [109, 42, 145],
      [42, 36, 112],
    ],
  },
  dark: {
    middle: "#17202e",
    text: "#eef2f8",
    textOnColor: "#10151d",
    outline: "#10151d",
    line: "#a3afc2",
    point: "#ee9350",
    counts: [
      [10000, "#ee7dab"],
      [1000, "#b487ee"],
      [100, "#8592f2"],
      [10, "#4c9fe6"],
      [0, "#3fae9b"],
    ],
    palette: ["#5fb5fd", "#b9d27b", "#e95d60", "#d67d39", "#d262c6", "#2ddff7", "#4ab882", "#7681f5", "#e4b93e", "#e09bcc"],
    noValue: "#d7c9bc",
    other: "#818d9a",
    ramp: [
      [244, 221, 133],
      [240, 163, 95],
      [226, 117, 144],
      [184, 119, 210],
      [132, 130, 242],
    ],
  },
};

/** A colour of the palette, in each scheme.
 * @param {number} index @returns {Color} */
export const paletteColor = (index) => ({ light: colorSchemes.light.palette[index], dark: colorSchemes.dark.palette[index] });

/** @type {Color} */
export const noValueColor = { light: colorSchemes.light.noValue, dark: colorSchemes.dark.noValue };
/** @type {Color} */
export const otherColor = { light: colorSchemes.light.other, dark: colorSchemes.dark.other };

/** The colour of a range.
 * @param {number} share 0 (the lowest) to 1 @returns {Color} */
export function rampColor(share) {
  const between = (/** @type {number[][]} */ ramp) => {
    const place = share * (ramp.length - 1),
      index = Math.min(Math.floor(place), ramp.length - 2);
    const [red, green, blue] = ramp[index].map((from, channel) => Math.round(from + (ramp[index + 1][channel] - from) * (place - index)));
    return `rgb(${red}, ${green}, ${blue})`;
  };
  return { light: between(colorSchemes.light.ramp), dark: between(colorSchemes.dark.ramp) };
}
