// The markers of a file, and how many of their points match a filter.

import { addTo } from "./facets.js";
import { contains } from "./geometry.js";
import { labelOf, markerOf } from "./marker.js";

/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker.js").Feature} Feature */
/** @typedef {import("./facets.js").Facets} Facets */
/** @typedef {import("./facets.js").Combination} Combination */
/** @typedef {import("./facets.js").Value} Value */
/** @typedef {import("./filter.js").Filter} Filter */
/** @typedef {{ marker: Marker, minzoom: number, maxzoom: number, parent: number }} Record a marker, the zooms at which it is shown, and the
 *   index of the cluster in the same file that has it at the zoom before; -1 if there is none */
/** @typedef {object} Content of a file
 * @property {Feature[]} features
 * @property {Combination[]} [table] the combinations to which the clusters' `facets` refer
 * @property {number} unit the precision of places, as a Marker's */
/** @typedef {object} Hierarchy the members of clusters, by index. The members of a cluster are shown from the zoom on at which it
 *   splits
 * @property {number[]} order members come before their clusters
 * @property {Int32Array} firstMember -1 if there are none
 * @property {Int32Array} nextMember of the same cluster; -1 after the last one
 * @property {Uint8Array} isComplete whether all points of a cluster are in the file */
/** @typedef {object} TilesetFacts
 * @property {number} lastZoom
 * @property {Facets | null} facets
 * @property {string} [groupBy] the column whose values never merge */
/** @typedef {object} Selection what a filter leaves of a file
 * @property {Filter} filter
 * @property {number[]} shares by combination of the file's table, see `Filter.share`
 * @property {Float64Array} counts the number of matching points, NaN if unknown
 * @property {(Marker | null)[]} markers made when they are first shown */

/** Where markers come from. Markers are plain data, so they don't have it themselves.
 * @type {WeakMap<Marker, { records: Records, index: number, selection: Selection | null }>} */
const origins = new WeakMap();

/** The markers of a tile or a bundle, over the zooms at which they are shown. */
export class Records {
  /** @type {Record[]} */ #records;
  /** @type {Combination[]} */ #table;
  /** @type {Facets | null} */ #facets;
  /** @type {string | undefined} */ #groupBy;
  /** @type {Hierarchy | null} */ #hierarchy = null;
  /** @type {Selection | null} */ #selection = null;
  /** @type {Map<number, Value[][]>} by column, the values of each combination of the table */ #names = new Map();

  /** @param {Content} content @param {import("./bundle-index.js").TileFile} file @param {TilesetFacts} tileset */
  constructor({ features, table = [], unit }, { isBundle, z }, { lastZoom, facets, groupBy }) {
    this.#table = table;
    this.#facets = facets;
    this.#groupBy = groupBy;
    // Only features of bundles state their zooms, and their parents beside the properties.
    this.#records = features.map(({ minzoom = z, maxzoom = isBundle ? lastZoom : z, parent = -1, parent_id: id, ...feature }) => {
      if (!isBundle && typeof feature.properties?.parent === "number") ({ parent: id, ...feature.properties } = feature.properties);
      return { marker: { ...markerOf(feature), unit, parent: id === undefined ? null : `cluster ${id}` }, minzoom, maxzoom, parent };
    });
    for (const record of this.#records) {
      const parent = this.#records[record.parent];
      if (parent?.marker?.isCluster && parent.minzoom < record.minzoom && parent.maxzoom >= record.minzoom - 1)
        record.marker.parent = parent.marker.key;
      else record.parent = -1;
    }
  }

  /** The markers of a zoom.
   * @param {number} z @param {Filter | null} [filter] @param {Box} [box] that holds their places @returns {Marker[]} */
  shown(z, filter = null, box) {
    const shown = [],
      selection = filter && this.#selected(filter);
    for (const [index, { marker, minzoom, maxzoom }] of this.#records.entries()) {
      if (z < minzoom || z > maxzoom || (box && !contains(box, placeBox(marker)))) continue;
      const own = selection ? this.#filtered(index, selection) : marker;
      if (!own) continue;
      origins.set(own, { records: this, index, selection });
      if (own !== marker) origins.set(marker, { records: this, index, selection: null });
      shown.push(own);
    }
    return shown;
  }

  /** @param {number} index */
  zooms(index) {
    return this.#records[index];
  }

  /** A marker's points, or its matching points; null if some are in other files.
   * @param {number} index @param {Selection | null} selection @returns {Marker[] | null} */
  points(index, selection) {
    /** @type {Marker[]} */
    const points = [];
    return this.#visit(index, selection, (marker) => !marker.isCluster && points.push(marker) > 0) ? points : null;
  }

  /** The number of a marker's points with each value of a column; null if unknown.
   * @param {number} index @param {Selection | null} selection @param {string} name of the column
   * @returns {Map<Value, number> | null | undefined} undefined if clusters don't count the column */
  countsByValue(index, selection, name) {
    const counts = new Map(),
      column = this.#facets?.indexOf(name) ?? -1;
    if (column < 0) return undefined;
    const known = /** @type {Facets} */ (this.#facets),
      names = this.#namesOf(column, known);
    const isKnown = this.#visit(index, selection, ({ isCluster, feature: { properties } }) => {
      if (!isCluster) {
        addTo(counts, known.valuesOf(column, properties[name]), 1);
        return true;
      }
      return this.#visitCounts(properties, (combination, count) => {
        if (!selection || selection.shares[combination]) addTo(counts, names[combination], count);
      });
    });
    return isKnown ? counts : null;
  }

  /** The first zoom at which the matching points of a cluster are more than one marker, and the cluster that it is until then.
   * @param {number} index @param {Float64Array} counts */
  #expansion(index, counts) {
    const { firstMember, nextMember, isComplete } = this.#members();
    let last = index;
    while (isComplete[last]) {
      let member = firstMember[last];
      while (member >= 0 && counts[member] !== counts[index]) member = nextMember[member];
      if (member < 0) return { last, zoom: this.#records[last].maxzoom + 1 };
      last = member;
    }
    return { last, zoom: this.#records[last].marker.feature.properties.expansion_zoom };
  }

  /** Calls `body` for the matching points that a marker stands for, or for clusters that hold points elsewhere.
   * @param {number} index @param {Selection | null} selection @param {(marker: Marker) => boolean} body returns whether to go on
   * @returns {boolean} whether `body` went on to the end, and everything was known */
  #visit(index, selection, body) {
    const { firstMember, nextMember, isComplete } = this.#members();
    const visit = (/** @type {number} */ index) => {
      if (selection && !(selection.counts[index] > 0)) return selection.counts[index] === 0;
      if (!isComplete[index]) return body(this.#records[index].marker);
      for (let member = firstMember[index]; member >= 0; member = nextMember[member]) if (!visit(member)) return false;
      return true;
    };
    return visit(index);
  }

  /** Calls `body` for each combination of a cluster, by its index in the table, with its number of points.
   * @param {any} properties of the cluster @param {(combination: number, count: number) => void} body
   * @returns {boolean} whether these are all of its points */
  #visitCounts({ facets, point_count: rest }, body) {
    const [gaps, counts] = Array.isArray(facets) ? facets : [];
    if (!Array.isArray(gaps) || !Array.isArray(counts)) return false;
    for (let index = 0, next = 0; rest > 0 && index < this.#table.length; index++) {
      const count = 1 + (counts[index] ?? 0);
      next += gaps[index] ?? 0;
      rest -= count;
      body(next++, count);
    }
    return rest === 0;
  }

  /** @param {number} column @param {Facets} facets */
  #namesOf(column, facets) {
    const names = this.#names.get(column) ?? this.#table.map((values) => facets.namesOf(column, values[column]));
    this.#names.set(column, names);
    return names;
  }

  /** The members of clusters. */
  #members() {
    return (this.#hierarchy ??= hierarchyOf(this.#records));
  }

  /** @param {Filter} filter @returns {Selection} */
  #selected(filter) {
    if (this.#selection?.filter === filter) return this.#selection;
    const { order, firstMember, nextMember, isComplete } = this.#members(),
      counts = new Float64Array(this.#records.length);
    const selection = { filter, shares: this.#table.map((values) => filter.share(values)), counts, markers: [] };
    for (const index of order) {
      const { isCluster, feature } = this.#records[index].marker;
      if (!isCluster) counts[index] = Number(filter.matches(feature));
      else if (isComplete[index]) {
        for (let member = firstMember[index]; member >= 0; member = nextMember[member]) counts[index] += counts[member];
      } else {
        const isKnown =
          this.#facets &&
          filter.facets === this.#facets &&
          this.#visitCounts(feature.properties, (combination, count) => (counts[index] += count * selection.shares[combination]));
        if (!isKnown) counts[index] = NaN;
      }
    }
    return (this.#selection = selection);
  }

  /** What a filter leaves of a marker.
   * @param {number} index @param {Selection} selection @returns {Marker | null} the marker itself if all its points match */
  #filtered(index, selection) {
    const { counts, markers } = selection,
      { marker } = this.#records[index];
    if (markers[index] !== undefined) return markers[index];
    return (markers[index] = counts[index] === 0 ? null : counts[index] === marker.total ? marker : this.#changed(index, selection));
  }

  /** A cluster of which a filter leaves some points, or an unknown number.
   * @param {number} index @param {Selection} selection @returns {Marker} */
  #changed(index, selection) {
    const whole = this.#records[index].marker,
      { id, ...feature } = whole.feature,
      isExact = !Number.isNaN(selection.counts[index]);
    const count = isExact ? selection.counts[index] : whole.total,
      own = count === 1 ? this.points(index, selection)?.[0] : undefined;
    if (own) return { ...whole, key: own.key, feature: own.feature, isCluster: false, count, whole };
    const { cluster, cluster_id, coincident, expansion_zoom, [this.#groupBy ?? ""]: group } = feature.properties;
    const { last, zoom } = isExact ? this.#expansion(index, selection.counts) : { last: index, zoom: expansion_zoom };
    const isAtOnePlace = coincident || (last !== index && this.#records[last].marker.feature.properties.coincident);
    // Other properties, such as sums, are true only of all points.
    const properties = {
      ...(count > 1 && { cluster, cluster_id, point_count: count, point_count_abbreviated: labelOf(count, whole) }),
      ...(count > 1 && isAtOnePlace && { coincident: true }),
      ...(zoom !== undefined && { expansion_zoom: zoom }),
      ...(group !== undefined && { [String(this.#groupBy)]: group }),
    };
    return { ...whole, feature: { ...(count > 1 && { id }), ...feature, properties }, isCluster: count > 1, count, isExact, whole };
  }
}

/** @param {Record[]} records of a file @returns {Hierarchy} */
function hierarchyOf(records) {
  const totals = new Float64Array(records.length);
  const firstMember = new Int32Array(records.length).fill(-1),
    nextMember = new Int32Array(records.length).fill(-1);
  for (const [index, { marker, parent }] of records.entries()) {
    if (parent < 0) continue;
    [nextMember[index], firstMember[parent]] = [firstMember[parent], index];
    totals[parent] += marker.total;
  }
  const isComplete = Uint8Array.from(records, ({ marker }, index) => Number(marker.isCluster && totals[index] === marker.total));
  const order = [...records.keys()].sort((one, other) => records[other].minzoom - records[one].minzoom);
  return { order, firstMember, nextMember, isComplete };
}

/** The number of points with each value of a column to filter by, of those that a marker stands for.
 * @param {Marker} marker of a tileset, not a stack @param {string} column
 * @returns {Map<Value, number> | null | undefined} null if unknown under a filter, undefined if clusters don't count the column */
export function facetCounts(marker, column) {
  const origin = origins.get(marker);
  return origin?.records.countsByValue(origin.index, origin.selection, column);
}

/** A marker's points, or its matching points if it was read with a filter; null if some are in other files.
 * @param {Marker} marker of a tileset @returns {Marker[] | null} */
export function pointsInFile(marker) {
  const origin = origins.get(marker);
  return origin?.records.points(origin.index, origin.selection) ?? null;
}

/** The first and the last zoom at which a marker is shown, as far as its file tells.
 * @param {Marker} marker of a tileset @returns {{ minzoom: number, maxzoom: number } | undefined} */
export function zoomsOf(marker) {
  const origin = origins.get(marker);
  return origin?.records.zooms(origin.index);
}

/** The filter with which a marker was read.
 * @param {Marker} marker of a tileset */
export const filterOf = (marker) => origins.get(marker)?.selection?.filter ?? null;

/** The box of a marker's place.
 * @param {Marker} marker @returns {Box} */
export function placeBox({ feature }) {
  const [longitude, latitude] = feature.geometry.coordinates;
  return [longitude, latitude, longitude, latitude];
}
