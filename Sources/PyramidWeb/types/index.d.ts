export { BundleIndex } from "./bundle-index.js";
export { MarkerChanges } from "./marker-changes.js";
export { MarkerEvent } from "./marker-event.js";
export { MarkerScene } from "./marker-scene.js";
export { MarkerView } from "./marker-view.js";
export { stacked } from "./stacks.js";
export { Appearance, countsByValue } from "./appearance.js";
export { covering, toDegrees, toWorld } from "./geometry.js";
export { Tileset, TilesetError } from "./tileset.js";
