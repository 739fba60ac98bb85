// Filters as text in the URL's hash: "#4/46.5/9&filter.kind=bakery,caf%C3%A9&filter.country=!US". Other parts, which `&` separates,
// belong to the page.

/** @typedef {import("../tileset/facets.js").Facet} Facet */
/** @typedef {import("../tileset/facets.js").Value} Value */

const prefix = "filter.";

/** The parts of the URL's hash, without the `#`. */
export const hashParts = () => location.hash.slice(1).split("&").filter(Boolean);

/** Replaces parts of the hash, without an event or an entry in the history. Parts of the page come before filters.
 * @param {(part: string) => boolean} isReplaced @param {string[]} parts */
export function replaceInHash(isReplaced, parts) {
  const all = hashParts().filter((part) => !isReplaced(part)),
    place = all.findIndex(isFilter);
  all.splice(place < 0 ? all.length : place, 0, ...parts);
  const hash = all.length ? `#${all.join("&")}` : "",
    { pathname, search } = location;
  if (hash !== location.hash) history.replaceState(history.state, "", pathname + search + hash);
}

/** @param {string} part of the hash */
export const isFilter = (part) => part.startsWith(prefix);

/** @param {Facet[]} facets @param {(facet: Facet) => Set<Value>} chosenOf @returns {string[]} a part for each column that is filtered */
export function partsOf(facets, chosenOf) {
  return facets.flatMap((facet) => {
    const { name, values } = facet,
      chosen = chosenOf(facet),
      rest = values.filter((value) => !chosen.has(value));
    if (!rest.length) return [];
    // The shorter list, with "!" for all but these.
    const isRest = rest.length < chosen.size,
      listed = isRest ? rest : [...chosen];
    return [`${prefix}${encoded(name)}=${isRest ? "!" : ""}${listed.map(textOf).join(",")}`];
  });
}

/** @param {string[]} parts of the hash @param {Facet[]} facets
 * @returns {[Facet, Set<Value>][]} the chosen values of the columns that are filtered; unknown columns and values are ignored */
export function chosenIn(parts, facets) {
  return facets.flatMap((facet) => {
    const start = `${prefix}${encoded(facet.name)}=`,
      part = parts.find((part) => part.startsWith(start))?.slice(start.length);
    if (part === undefined) return [];
    const isRest = part.startsWith("!"),
      texts = new Set((isRest ? part.slice(1) : part).split(","));
    const chosen = facet.values.filter((value) => texts.has(textOf(value)) !== isRest);
    if (!chosen.length && part !== "" && !isRest) return [];
    return chosen.length < facet.values.length ? /** @type {[Facet, Set<Value>][]} */ ([[facet, new Set(chosen)]]) : [];
  });
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
