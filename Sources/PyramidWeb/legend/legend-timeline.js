// What a slider for dates has beside that for numbers: texts of dates, and a button that moves the window through time.

import { made } from "../markers/elements.js";

/** @typedef {import("../tileset/dates.js").Unit} Unit */
/** @typedef {import("./legend-slider.js").Slider} Slider */

/** The time for all buckets, and for one. */
const roundMilliseconds = 24000,
  leastMilliseconds = 100,
  mostMilliseconds = 500;
/** If all is chosen, the window has this part of all. */
const parts = 24;

/** @param {import("../tileset/facets.js").Facet} facet with dates @param {string} title @param {import("./legend-slider.js").Words} texts
 * @param {import("./legend-slider.js").Format} format @param {(values: import("../tileset/facets.js").Value[]) => void} choose */
export async function sliderOf(facet, title, texts, format, choose) {
  const loadSlider = () => import("./legend-slider.js"),
    loadDates = () => import("../tileset/dates.js");
  const [{ Slider }, { startOf, endOf }] = await Promise.all([loadSlider(), loadDates()]);
  const { unit } = /** @type {import("../tileset/dates.js").Dates} */ (facet.dates),
    values = /** @type {string[]} */ (facet.values.filter((value) => value !== null)),
    dates = new Intl.DateTimeFormat(texts.locale, { ...shownOf(unit), timeZone: "UTC", calendar: "gregory" });
  // A bucket has the name of its first day, and ends with its last one.
  const startAt = (/** @type {number} */ index) => startOf(values[index] ?? "") ?? NaN,
    lastAt = (/** @type {number} */ index) => endOf(startAt(index), unit) - 1;
  const from = (/** @type {number} */ place) => format(values[place]) ?? dates.format(startAt(place)),
    to = (/** @type {number} */ place) => format(values[place - 1]) ?? dates.format(lastAt(place - 1));
  const between = (/** @type {number} */ first, /** @type {number} */ end) => {
    if (end - first === values.length) return texts.all;
    if (format(values[first]) === undefined) return dates.formatRange(startAt(first), lastAt(end - 1));
    return [...new Set([from(first), to(end)])].join(" – ");
  };
  const ends = values.length ? [...new Set([from(0), to(values.length)])] : [],
    scale = made("div", { className: "edges ends", "aria-hidden": "true" }, ...ends.map((text) => made("span", {}, text)));
  const slider = new Slider({ values, from, to, between, scale }, title, texts, choose);
  if (values.length > 1) addPlay(slider, texts.play(title));
  return slider;
}

/** @param {Unit} unit @returns {Intl.DateTimeFormatOptions} */
function shownOf(unit) {
  if (unit === "year") return { year: "numeric" };
  if (unit === "quarter" || unit === "month") return { year: "numeric", month: "short" };
  return { year: "numeric", month: "short", day: "numeric", ...(unit === "hour" && { hour: "numeric" }) };
}

/** @param {Slider} slider @param {string} name */
function addPlay(slider, name) {
  const button = made("button", { type: "button", className: "play", "aria-label": name, "aria-pressed": "false" }),
    { length } = slider.steps.values;
  let timer = 0,
    isStep = false;
  const step = (/** @type {number} */ first, /** @type {number} */ width) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return slider.stop();
    isStep = true;
    slider.move(first, first + width);
    isStep = false;
    const next = first + width < length ? first + 1 : 0;
    timer = window.setTimeout(() => step(next, width), Math.min(Math.max(roundMilliseconds / length, leastMilliseconds), mostMilliseconds));
  };
  slider.stop = () => {
    if (isStep) return;
    clearTimeout(timer);
    button.setAttribute("aria-pressed", "false");
  };
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-pressed") === "true") return slider.stop();
    button.setAttribute("aria-pressed", "true");
    const [first, end] = slider.limits;
    if (end - first === length) step(0, Math.ceil(length / parts));
    else step(end < length ? first + 1 : 0, end - first);
  });
  slider.row.prepend(button);
}
