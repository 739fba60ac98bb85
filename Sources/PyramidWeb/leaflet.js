export * from "./index.js";
export { addMarkers } from "./maps/leaflet.js";
