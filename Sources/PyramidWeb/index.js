// For pages that draw the markers themselves. The adapters for map libraries are separate modules.

export { Appearance, countsByValue } from "./appearance.js";
export { BundleIndex } from "./bundle-index.js";
export { covering, toDegrees, toWorld } from "./geometry.js";
export { MarkerChanges } from "./marker-changes.js";
export { MarkerEvent } from "./marker-event.js";
export { MarkerScene } from "./marker-scene.js";
export { MarkerView } from "./marker-view.js";
export { stacked } from "./stacks.js";
export { Tileset, TilesetError } from "./tileset.js";

/** @typedef {import("./appearance.js").AppearanceOptions} AppearanceOptions */
/** @typedef {import("./appearance.js").Look} Look */
/** @typedef {import("./color-schemes.js").Color} Color */
/** @typedef {import("./color-schemes.js").ColorScheme} ColorScheme */
/** @typedef {import("./bundle-index.js").TileFile} TileFile */
/** @typedef {import("./facets.js").Facet} Facet */
/** @typedef {import("./facets.js").Value} Value */
/** @typedef {import("./filter.js").FilterInput} FilterInput */
/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./geometry.js").Tile} Tile */
/** @typedef {import("./marker.js").Feature} Feature */
/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker-map.js").MapEvents} MapEvents */
/** @typedef {import("./marker-map.js").MarkerMap} MarkerMap */
/** @typedef {import("./map-adapter.js").MarkerMapOptions} MarkerMapOptions */
/** @typedef {import("./marker-scene.js").Shown} Shown */
/** @typedef {import("./marker-view.js").Change} Change */
/** @typedef {import("./marker-view.js").Failure} Failure */
/** @typedef {import("./marker-view.js").ViewEvents} ViewEvents */
/** @typedef {import("./marker-view.js").ViewOptions} ViewOptions */
/** @typedef {import("./tileset.js").Leaves} Leaves */
/** @typedef {import("./tileset.js").TilesetOptions} TilesetOptions */
/** @typedef {import("./tileset.js").ValueCounts} ValueCounts */
