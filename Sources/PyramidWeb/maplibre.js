export * from "./index.js";
export { addMarkers } from "./maps/maplibre.js";
