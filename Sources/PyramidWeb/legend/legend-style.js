// The look of legends. Pages change it with rules for `.pyramid-legend`, or with its custom properties.
//
// Rules for the legend itself give way to any rule of the page, and the others to rules for `.pyramid-legend` with an element or a class.
// A page's rules for elements alone, such as `li button`, don't reach into it.

// The content scrolls, not the element with the background: Chromium takes the whole length of an opaque scroller for covered, and leaves
// out what a canvas of WebGL below it shows.
const style = `
& {
  --legend-text: var(--pyramid-text, #17202e); --legend-soft: var(--pyramid-soft, #536074); --legend-line: var(--pyramid-line, #c9d1dc);
  --legend-accent: var(--pyramid-accent, #3f51cf); --legend-press: var(--pyramid-press, rgba(63, 81, 207, .12));
  --legend-background: var(--pyramid-background, #fff); --legend-thumb: 16px; --legend-touch: 26px;
  --legend-handle: radial-gradient(circle, var(--legend-accent) 5.5px, var(--legend-background) 6px 7.5px, transparent 8px);
  box-sizing: border-box; display: flex; flex-direction: column; padding: 10px 14px; border-radius: 10px;
  background: var(--legend-background); color: var(--legend-text); color-scheme: var(--pyramid-color-scheme, light);
  font: 13px/1.35 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
}
&.dark {
  --legend-text: var(--pyramid-text, #e8edf5); --legend-soft: var(--pyramid-soft, #a3afc2); --legend-line: var(--pyramid-line, #47536a);
  --legend-accent: var(--pyramid-accent, #93a3ff); --legend-press: var(--pyramid-press, rgba(147, 163, 255, .2));
  --legend-background: var(--pyramid-background, #1b222e); color-scheme: var(--pyramid-color-scheme, dark);
}
@media (pointer: coarse) { & { --legend-thumb: 40px; --legend-touch: 40px; } }
&[hidden], & [hidden] { display: none !important; }
& * { box-sizing: border-box; }
& :is(button, fieldset, input, label, legend, li, p, select, ul) {
  float: none; margin: 0; padding: 0; border: 0; width: auto; min-width: 0; max-width: none; box-shadow: none; list-style: none;
  font: inherit; letter-spacing: inherit; text-transform: none;
}
& .content { position: relative; margin: 0 -14px -10px; padding: 0 14px 10px; min-height: 0; overflow-y: auto; overscroll-behavior: contain; }
& .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
& .head { position: relative; display: flex; flex-wrap: wrap; align-items: center; gap: 0 8px; min-height: var(--legend-touch); }
& .total { flex: 1; text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
& .total b { font-weight: 650; }
& .soft, & .colors { color: var(--legend-soft); }
& .colors { display: flex; align-items: center; gap: 8px; min-height: var(--legend-touch); }
& select, & input[type="search"] {
  font: inherit; color: inherit; background: none; border: 1px solid var(--legend-line); border-radius: 6px; min-height: var(--legend-touch);
  padding: 2px 6px; flex: 1; min-width: 0; width: 100%;
}
& select, & option { color: var(--legend-text); background: var(--legend-background); }
& .sizes { display: flex; align-items: center; gap: 3px; min-height: 30px; }
& fieldset { position: relative; margin-top: 6px; padding-top: 4px; border-top: 1px solid var(--legend-line); }
& legend {
  float: inline-start; display: flex; align-items: center; width: 100%; min-height: var(--legend-touch); padding-inline-end: 44px; font-weight: 650;
  overflow-wrap: anywhere;
}
& legend ~ * { clear: both; }
& .all { position: absolute; top: 4px; inset-inline-end: -6px; }
& li { display: flex; align-items: center; gap: 2px; }
& label, & .plain li { display: flex; align-items: center; gap: 7px; flex: 1; min-width: 0; min-height: var(--legend-touch); }
& label:has(input) { cursor: pointer; }
& input[type="checkbox"] { flex: none; width: 16px; height: 16px; margin: 0; accent-color: var(--legend-accent); cursor: inherit; }
& .dot { flex: none; width: 10px; height: 10px; border-radius: 50%; }
& .text {
  flex: 1; min-width: 0; overflow: hidden; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3;
}
& .counts { color: var(--legend-soft); font-variant-numeric: tabular-nums; white-space: nowrap; font-size: 12px; }
& button {
  font: inherit; font-size: 12px; font-weight: 600; color: var(--legend-accent); background: none; border: 0; border-radius: 6px; cursor: pointer;
  flex: none; min-width: 0; height: auto; min-height: var(--legend-touch); padding: 0 6px;
}
& button:hover { background: var(--legend-press); }
& .toggle { margin-inline-start: -6px; color: var(--legend-soft); font-size: inherit; font-weight: inherit; }
& .toggle::before {
  content: ""; display: inline-block; margin-block: 0 1px; margin-inline: 1px 7px; border: 4px solid transparent;
  border-inline-start: 6px solid; border-inline-end: 0;
}
& .toggle[aria-expanded="true"]::before {
  margin-block: 0 2px; margin-inline: 0 6px; border: 4px solid transparent; border-top: 6px solid; border-bottom: 0;
}
& .head button:last-child, & .only { margin-inline-end: -6px; }
@media (hover: hover) and (pointer: fine) {
  & .only { opacity: 0; }
  & li:hover .only, & .only:focus-visible { opacity: 1; }
}
@media (pointer: coarse) {
  & { --legend-handle: radial-gradient(circle, var(--legend-accent) 10px, var(--legend-background) 10.5px 12px, transparent 12.5px); }
  & button { min-width: 40px; }
  & .toggle::after { content: ""; position: absolute; inset: 0; }
  & .head button:last-child { position: relative; }
}
& :focus-visible { outline: 2px solid var(--legend-accent); outline-offset: 1px; }
& .bars { display: flex; align-items: flex-end; gap: 1px; height: 34px; padding: 0 calc(var(--legend-thumb) / 2); }
& .bars i { flex: 1; min-width: 0; border-radius: 2px 2px 0 0; background: var(--legend-accent); }
& .bars i.off { background: var(--legend-line); }
& .slider { position: relative; height: var(--legend-touch); }
& .slider::before, & .slider i { content: ""; position: absolute; top: 50%; height: 4px; margin-top: -2px; border-radius: 2px; }
& .slider::before { inset-inline: calc(var(--legend-thumb) / 2); background: var(--legend-line); }
& .slider i { background: var(--legend-accent); }
& .slider input {
  position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; appearance: none; background: none; pointer-events: none;
  border-radius: 8px;
}
& .slider input::-webkit-slider-thumb {
  appearance: none; pointer-events: auto; cursor: pointer; width: var(--legend-thumb); height: var(--legend-thumb);
  border: 0; border-radius: 50%; background: var(--legend-handle);
}
& .slider input:focus-visible { outline: none; z-index: 1; }
& .slider input:focus-visible::-webkit-slider-thumb { outline: 2px solid var(--legend-text); }
& .slider input:focus-visible::-moz-range-thumb { outline: 2px solid var(--legend-text); }
& .slider input::-moz-range-thumb {
  pointer-events: auto; cursor: pointer; box-sizing: border-box; width: var(--legend-thumb); height: var(--legend-thumb);
  border: 0; border-radius: 50%; background: var(--legend-handle);
}
& .edges { position: relative; height: 15px; margin: 0 calc(var(--legend-thumb) / 2); color: var(--legend-soft); font-size: 11px; }
& .edges span { position: absolute; display: flex; justify-content: center; width: 0; white-space: nowrap; }
& .ends { display: flex; justify-content: space-between; }
& .ends span { position: static; width: auto; }
@media (forced-colors: active) {
  & {
    --legend-accent: Highlight; --legend-line: GrayText; --legend-background: Canvas; --legend-text: CanvasText; border: 1px solid;
  }
  & .dot, & .bars, & .slider, & .toggle::before, & .play::before { forced-color-adjust: none; }
  & .dot { outline: 1px solid CanvasText; }
}
& .range { display: flex; align-items: center; gap: 8px; font-variant-numeric: tabular-nums; }
& .range .counts { margin-inline-start: auto; }
& .play { margin-inline: -6px -2px; }
& .play ~ bdi { display: grid; align-content: center; min-height: 2.7em; }
& .play::before { content: ""; display: block; height: 12px; margin: auto; width: 10px; background: currentColor; clip-path: polygon(0 0, 100% 50%, 0 100%); }
& .play[aria-pressed="true"]::before { clip-path: polygon(0 0, 35% 0, 35% 100%, 65% 100%, 65% 0, 100% 0, 100% 100%, 0 100%); }
& .play:dir(rtl) { transform: scaleX(-1); }
@media (prefers-reduced-motion: reduce) { & .play { display: none; } }
`
  .replace(/& ((?:\([^)]*\)|:(?!:)|[^,:{(])+?)(?=\s*(?:::|,|\{))/g, ".pyramid-legend :where($1)")
  .replace(/&([^\s,{]*)/g, ":where(.pyramid-legend$1)");

/** @type {WeakSet<Document | ShadowRoot>} */
const styled = new WeakSet();

/** Makes the rules known to the document or shadow tree of an element.
 * @param {Element} element */
export function addStyle(element) {
  const root = element.getRootNode(),
    place = root instanceof ShadowRoot ? root : element.ownerDocument;
  if (styled.has(place)) return;
  styled.add(place);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  place.adoptedStyleSheets = [sheet, ...place.adoptedStyleSheets];
}
