export * from "./index.js";
export { addLegend } from "./legend/legend.js";
