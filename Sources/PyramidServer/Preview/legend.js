// The legend of sizes and colours, and the choice of the column for colours.

import { countsByValue, noValueColor, palette } from "../../PyramidWeb/appearance.js";
import { markerOf } from "../../PyramidWeb/marker.js";
import { element, number } from "./panel.js";

const otherColor = "#6b7380";
const counts = [1, 2, 10, 100, 1000, 10000];

export class Legend {
  /**
   * @param markers the MarkerMap
   * @param overview markers of one zoom that stand for all points
   * @param columns the columns by which the tileset is grouped or counted
   * @param manifest null if there is none
   */
  constructor(markers, overview, columns, manifest) {
    this.markers = markers;
    this.overview = overview;
    this.total = overview.reduce((sum, { count }) => sum + count, 0);
    // Some points are missing at the first zooms of filtered tilesets.
    const points = manifest?.input?.rows_accepted;
    this.hasAll = points === undefined || points === this.total;
    // The manifest counts the values of all points; clusters have only the most frequent ones.
    const categories = manifest?.totals?.categories ?? [];
    this.counted = new Map((manifest?.content?.clusters?.count_by ?? []).map(({ name, column, limit }, index) => [name ?? column, { counts: categories[index], limit }]));
    const choice = element("color-by");
    choice.append(new Option("number of points", ""), ...columns.map((name) => new Option(name, name)));
    choice.parentElement.hidden = !columns.length;
    choice.value = columns[0] ?? "";
    choice.addEventListener("change", () => this.choose(choice.value));
    element("legend").open = innerWidth > 640;
    element("legend").hidden = !this.total;
    this.choose(choice.value);
  }

  /** Colours by the values of a column, or by the number of points. */
  choose(column) {
    const { counts, limit } = this.counted.get(column) ?? {};
    const values = (counts ? Object.entries(counts) : [...countsByValue(this.overview, column)]).sort((one, other) => other[1] - one[1]);
    // Clusters count values beyond the limit of --count-by as "other", which may also be a real value.
    const hasRest = this.counted.has(column) && !(values.length <= limit);
    const named = values.filter(([value]) => value !== "" && !(hasRest && value === "other")).slice(0, palette.length).map(([value]) => value);
    const colors = named.map((value, index) => [value, palette[index]]);
    if (values.some(([value]) => value === "")) colors.push(["", noValueColor]);
    this.markers.restyle({ colorBy: column || undefined, colors, otherColor });
    this.column = column;
    this.values = column ? values : [];
    this.isExact = counts ? true : this.hasAll && !hasRest;
    this.named = named;
    this.draw();
  }

  /** A circle as the map draws it for a cluster of this many points. */
  sample(count) {
    const properties = count > 1 ? { cluster: true, cluster_id: 0, point_count: count, point_count_abbreviated: count < 1000 ? count : `${count / 1000}k` } : {};
    const { appearance } = this.markers, marker = markerOf({ geometry: { type: "Point", coordinates: [0, 0] }, properties });
    const { canvas, half } = appearance.sprite({ ...appearance.look(marker), ...(this.column ? { color: otherColor } : {}) }, Math.min(devicePixelRatio || 1, 2));
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    copy.getContext("2d").drawImage(canvas, 0, 0);
    Object.assign(copy.style, { width: `${2 * half}px`, height: `${2 * half}px` });
    return copy;
  }

  draw() {
    const sizes = counts.filter((count) => count <= this.total).map((count) => this.sample(count));
    const shown = this.values.filter(([value]) => value === "" || this.named.includes(value));
    const rest = this.values.filter(([value]) => value !== "" && !this.named.includes(value));
    const rows = shown.map(([value, count]) => this.row(this.markers.appearance.color(value), value || "no value", count));
    const sum = rest.reduce((sum, [, count]) => sum + count, 0);
    if (sum) rows.push(this.row(otherColor, "other", sum));
    element("legend-sizes").replaceChildren(...sizes);
    element("legend-values").replaceChildren(...rows);
  }

  row(color, name, count) {
    const row = document.createElement("li"), swatch = document.createElement("span"), text = document.createElement("span"), figure = document.createElement("span");
    swatch.style.background = color;
    [text.textContent, figure.textContent] = [name, this.isExact ? number(count) : ""];
    row.append(swatch, text, figure);
    return row;
  }
}
