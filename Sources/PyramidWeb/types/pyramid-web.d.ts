export * from "./index.js";
export { addLegend } from "./legend.js";
export namespace leaflet {
    export { addToLeaflet as addMarkers };
}
export namespace maplibre {
    export { addToMapLibre as addMarkers };
}
export namespace openlayers {
    export { addToOpenLayers as addMarkers };
}
import { addMarkers as addToLeaflet } from "./leaflet.js";
import { addMarkers as addToMapLibre } from "./maplibre.js";
import { addMarkers as addToOpenLayers } from "./openlayers.js";
