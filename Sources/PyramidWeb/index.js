// For pages that draw the markers themselves. The adapters for map libraries are separate modules.

export { countsByValue } from "./markers/appearance.js";
export { MarkerView } from "./markers/marker-view.js";
export { Tileset, TilesetError } from "./tileset/tileset.js";

/** @typedef {import("./markers/appearance.js").AppearanceOptions} AppearanceOptions */
/** @typedef {import("./markers/appearance.js").Look} Look */
/** @typedef {import("./markers/color-schemes.js").Color} Color */
/** @typedef {import("./markers/color-schemes.js").ColorScheme} ColorScheme */
/** @typedef {import("./tileset/bundle-index.js").TileFile} TileFile */
/** @typedef {import("./tileset/facets.js").Facet} Facet */
/** @typedef {import("./tileset/facets.js").Value} Value */
/** @typedef {import("./tileset/filter.js").FilterInput} FilterInput */
/** @typedef {import("./tileset/geometry.js").Box} Box */
/** @typedef {import("./tileset/geometry.js").Tile} Tile */
/** @typedef {import("./tileset/marker.js").Feature} Feature */
/** @typedef {import("./tileset/marker.js").Marker} Marker */
/** @typedef {import("./markers/marker-map.js").MapEvents} MapEvents */
/** @typedef {import("./markers/marker-map.js").MarkerMap} MarkerMap */
/** @typedef {import("./markers/map-adapter.js").FitOptions} FitOptions */
/** @typedef {import("./markers/map-adapter.js").FoundMarker} FoundMarker */
/** @typedef {import("./markers/map-adapter.js").MarkerMapOptions} MarkerMapOptions */
/** @typedef {import("./legend/legend.js").LegendOptions} LegendOptions */
/** @typedef {import("./markers/marker-scene.js").Shown} Shown */
/** @typedef {import("./markers/texts.js").Texts} Texts */
/** @typedef {import("./markers/marker-view.js").Change} Change */
/** @typedef {import("./markers/marker-view.js").Failure} Failure */
/** @typedef {import("./markers/marker-view.js").ViewEvents} ViewEvents */
/** @typedef {import("./markers/marker-view.js").ViewOptions} ViewOptions */
/** @typedef {import("./tileset/points.js").PointAddress} PointAddress */
/** @typedef {import("./tileset/tileset.js").Points} Points */
/** @typedef {import("./tileset/tileset.js").TilesetOptions} TilesetOptions */
/** @typedef {import("./tileset/tileset.js").ValueCounts} ValueCounts */
