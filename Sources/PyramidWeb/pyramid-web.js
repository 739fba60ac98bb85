// All that pages use, under one name. `make dist` makes it one file, minified, as a module and for a script element.

import { addMarkers as addToLeaflet } from "./leaflet.js";
import { addMarkers as addToMapLibre } from "./maplibre.js";
import { addMarkers as addToOpenLayers } from "./openlayers.js";

export * from "./index.js";
export { addLegend } from "./legend.js";
export const leaflet = { addMarkers: addToLeaflet },
  maplibre = { addMarkers: addToMapLibre },
  openlayers = { addMarkers: addToOpenLayers };
