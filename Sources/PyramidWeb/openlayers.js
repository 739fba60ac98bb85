export * from "./index.js";
export { addMarkers } from "./maps/openlayers.js";
