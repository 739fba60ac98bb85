// Filters as text in the URL's hash: "#4/46.5/9&filter.kind=bakery,caf%C3%A9&filter.country=!US". Other parts, which `&` separates,
// belong to the page, or to other legends: those of other columns, or with another word than "filter". Neighbouring dates are a window:
// "filter.opened=2024-01..2024-06".

/** @typedef {import("../tileset/facets.js").Facet} Facet */
/** @typedef {import("../tileset/facets.js").Value} Value */

/** The parts of the URL's hash, without the `#`. */
export const hashParts = () => location.hash.slice(1).split("&").filter(Boolean);

/** Replaces parts of the hash where they are, without an event or an entry in the history. New parts come last, or first.
 * @param {(part: string) => boolean} isReplaced @param {string[]} parts @param {boolean} [isFirst] */
export function replaceInHash(isReplaced, parts, isFirst = false) {
  const place = hashParts().findIndex(isReplaced),
    all = hashParts().filter((part) => !isReplaced(part));
  all.splice(place >= 0 ? place : isFirst ? 0 : all.length, 0, ...parts);
  const hash = all.length ? `#${all.join("&")}` : "",
    { pathname, search } = location;
  if (hash !== location.hash) history.replaceState(history.state, "", pathname + search + hash);
}

/** What the part of a column begins with.
 * @param {string} word @param {Facet} facet */
const startOf = (word, { name }) => `${word}.${encoded(name)}=`;

/** The test for the parts of some columns.
 * @param {string} word @param {Facet[]} facets @returns {(part: string) => boolean} */
export const isOf = (word, facets) => (part) => facets.some((facet) => part.startsWith(startOf(word, facet)));

/** @param {string} word @param {Facet[]} facets @param {(facet: Facet) => Set<Value>} chosenOf @returns {string[]} a part for each column that is
 *   filtered */
export function partsOf(word, facets, chosenOf) {
  return facets.flatMap((facet) => {
    const { values } = facet,
      chosen = chosenOf(facet),
      rest = values.filter((value) => !chosen.has(value));
    if (!rest.length) return [];
    // The shorter list, with "!" for all but these.
    const isRest = rest.length < chosen.size,
      listed = isRest ? rest : [...chosen];
    return [`${startOf(word, facet)}${isRest ? "!" : ""}${(facet.dates ? windowsOf(values, new Set(listed)) : listed.map(textOf)).join(",")}`];
  });
}

/** @param {string} word @param {string[]} parts of the hash @param {Facet[]} facets
 * @returns {[Facet, Set<Value>][]} the chosen values of the columns that are filtered; unknown columns and values are ignored */
export function chosenIn(word, parts, facets) {
  return facets.flatMap((facet) => {
    const start = startOf(word, facet),
      part = parts.find((part) => part.startsWith(start))?.slice(start.length);
    if (part === undefined) return [];
    const isRest = part.startsWith("!"),
      texts = new Set((isRest ? part.slice(1) : part).split(","));
    const windows = [...texts].map((text) => text.split("..")),
      isIn = (/** @type {Value} */ value) =>
        windows.some(([first, last = first]) => (value === null ? first === "null" : value >= first && value <= last));
    const chosen = facet.values.filter((value) => (facet.dates ? isIn(value) : texts.has(textOf(value))) !== isRest);
    if (!chosen.length && part !== "" && !isRest) return [];
    return chosen.length < facet.values.length ? /** @type {[Facet, Set<Value>][]} */ ([[facet, new Set(chosen)]]) : [];
  });
}

/** Buckets in the order of time as windows, each by its first and last one.
 * @param {Value[]} values of the column @param {Set<Value>} listed */
function windowsOf(values, listed) {
  /** @type {Value[][]} */
  const windows = [];
  values.forEach((value, index) => {
    if (!listed.has(value)) return;
    if (index && value !== null && listed.has(values[index - 1])) windows[windows.length - 1][1] = value;
    else windows.push([value]);
  });
  return windows.map((ends) => ends.map(String).join(".."));
}

/** @param {string} text */
const encoded = (text) => encodeURIComponent(text).replace(/!/g, "%21").replace(/%20/g, "+");

/** Strings that look like another value are in quotes.
 * @param {Value} value */
function textOf(value) {
  if (typeof value !== "string") return encoded(JSON.stringify(value));
  return encoded(value === "" || (/^(null|true|false|[-\d"].*)$/.test(value) && isJSON(value)) ? JSON.stringify(value) : value);
}

/** @param {string} text */
function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
