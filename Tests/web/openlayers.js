// The classes of OpenLayers as the global variable `ol` of its full build, taken out of instances that the bundle of PyPI's
// `openlayers` makes: it is loaded before this, and keeps the classes to itself.

{
  const log = console.log;
  console.log = () => {};
  const element = document.createElement("div");
  element.id = "map";
  element.style.cssText = "position: absolute; width: 10px; height: 10px; visibility: hidden";
  document.documentElement.append(element);
  const geometries = [
    { type: "Point", coordinates: [1, 2] },
    {
      type: "LineString",
      coordinates: [
        [1, 2],
        [3, 5],
      ],
    },
  ];
  const features = geometries.map((geometry) => ({ type: "Feature", properties: {}, geometry }));
  window.renderOLMapWidget({
    view: { "@@type": "View", center: [0, 0], zoom: 1 },
    layers: [{ "@@type": "VectorLayer", id: "vectors", source: { "@@type": "VectorSource", "@@geojson": { type: "FeatureCollection", features } } }],
    calls: [{ method_name: "addOverlay", args: ["", [0, 0]] }],
  });
  const map = window.olMapWidget.getMap(),
    layer = map.getLayers().item(0),
    source = layer.getSource();
  const [point, line] = source.getFeatures(),
    [style] = layer.getStyleFunction()(point, 1);
  layer.setStyle({ "icon-src": "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" });
  const [icon] = layer.getStyleFunction()(point, 1);
  window.ol = {
    Map: map.constructor,
    View: map.getView().constructor,
    Feature: point.constructor,
    Overlay: map.getOverlays().item(0).constructor,
    geom: { Point: point.getGeometry().constructor, LineString: line.getGeometry().constructor },
    layer: { Vector: layer.constructor },
    source: { Vector: source.constructor },
    style: { Style: style.constructor, Stroke: style.getStroke().constructor, Icon: icon.getImage().constructor },
    proj: {
      fromLonLat: ([longitude, latitude]) => [
        (longitude / 180) * 20037508.342789244,
        (Math.atanh(Math.sin((latitude * Math.PI) / 180)) / Math.PI) * 20037508.342789244,
      ],
    },
  };
  map.setTarget(undefined);
  element.remove();
  console.log = log;
}
