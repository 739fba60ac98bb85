// What a marker is, where it goes when the zoom changes, and what it looks like.

/** World coordinates, 0 to 1 from the antimeridian east and from the map's upper edge down. */
function toWorld(longitude, latitude) {
  const sine = Math.min(Math.max(Math.sin(latitude * Math.PI / 180), -0.99627207622), 0.99627207622);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

/** The way from one world x to another, the short way round. */
const eastward = (from, to) => to - from - Math.round(to - from);

function markersOf(features) {
  const seen = new Map();
  return features.map((feature) => {
    const [longitude, latitude] = feature.geometry.coordinates;
    const properties = feature.properties ?? {};
    const isCluster = properties.cluster === true;
    const count = isCluster ? properties.point_count : 1;
    // A point without an id is known by its place, and by how many of those at its place came before it.
    const place = `${longitude},${latitude}`;
    const repeat = seen.get(place) ?? 0;
    if (!isCluster) seen.set(place, repeat + 1);
    const id = isCluster ? `cluster ${properties.cluster_id}` : feature.id != null ? `point ${feature.id}` : `${place} ${repeat}`;
    const [x, y] = toWorld(longitude, latitude);
    return {
      id, x, y, count, isCluster, feature, parent: properties.parent == null ? null : `cluster ${properties.parent}`,
      label: isCluster ? String(properties.point_count_abbreviated ?? abbreviated(count)) : "",
    };
  });
}

function abbreviated(count) {
  if (count < 1000) return String(count);
  const [value, unit] = count < 1e6 ? [count / 1e3, "k"] : [count / 1e6, "M"];
  return (value < 10 ? String(Math.floor(value * 10) / 10) : String(Math.floor(value))) + unit;
}

const coversLongitude = ([west, , east], x) => (west <= east ? x >= west && x <= east : x >= west || x <= east);

/** Whether all that a marker stands for can be among the members of a cluster. */
function mayContain(cluster, marker) {
  const box = cluster.feature.bbox, [longitude, latitude] = marker.feature.geometry.coordinates;
  return cluster.count >= marker.count && latitude >= box[1] && latitude <= box[3] && coversLongitude(box, longitude);
}

/**
 * The cluster of another zoom that a marker is part of: its parent where the pyramid says so, else the nearest whose box
 * holds the marker. `null` where there is none.
 */
function clusterAround(marker, markers, clusters) {
  if (marker.parent && markers.has(marker.parent)) return markers.get(marker.parent);
  let nearest = null, least = Infinity;
  for (const cluster of clusters) {
    const dx = eastward(cluster.x, marker.x), dy = cluster.y - marker.y, distance = dx * dx + dy * dy;
    if (distance < least && mayContain(cluster, marker)) [nearest, least] = [cluster, distance];
  }
  return nearest;
}

const shades = [
  { from: 10000, light: "#b02a63", dark: "#d1467f" }, { from: 1000, light: "#7a3cc0", dark: "#9157d8" },
  { from: 100, light: "#4456cf", dark: "#5a6ee6" }, { from: 10, light: "#1f74b4", dark: "#2c84c6" },
  { from: 0, light: "#15806f", dark: "#1d9180" },
];

/** Circles, drawn once for each look and then copied: tens of thousands of markers are as many copies. */
class MarkerPainter {
  constructor() {
    this.sprites = new Map();
    this.largest = 1;
  }

  /** The radius in pixels, by 1 + ln(count); no two circles of a zoom that keeps its distance overlap. */
  radius(marker, distance, isCrowded) {
    if (!marker.isCluster) return isCrowded ? 2 : Math.min(6, distance / 4);
    const most = Math.min(distance, 46) / 2 - 0.5, least = Math.min(10, most * 0.6);
    const share = (1 + Math.log(marker.count)) / (1 + Math.log(Math.max(this.largest, 2)));
    return least + (most - least) * Math.min(share, 1);
  }

  /** @param isCrowded whether there are so many points that rings around them would hide the rest */
  sprite(marker, distance, theme, ratio, isCrowded) {
    const radius = Math.round(this.radius(marker, distance, isCrowded) * 4) / 4;
    const shade = marker.isCluster ? shades.find((shade) => marker.count >= shade.from)[theme.name] : theme.point;
    const key = `${radius} ${shade} ${marker.label} ${ratio} ${theme.name}`;
    let sprite = this.sprites.get(key);
    if (sprite) return sprite;
    if (this.sprites.size > 3000) this.sprites.clear();
    const half = Math.ceil(radius + 2);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(2 * half * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.translate(half, half);
    const hasRing = marker.isCluster || !isCrowded;
    if (hasRing) circle(context, radius, theme.ring);
    circle(context, hasRing ? radius - 1.5 : radius, shade);
    if (marker.label) {
      context.fillStyle = "#fff";
      context.textAlign = "center";
      context.textBaseline = "middle";
      let size = Math.min(12.5, radius * 0.86);
      const font = () => { context.font = `600 ${size}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`; };
      font();
      const width = context.measureText(marker.label).width;
      if (width > 1.68 * radius) { size *= 1.68 * radius / width; font(); }
      context.fillText(marker.label, 0, size * 0.05);
    }
    sprite = { canvas, half, radius };
    this.sprites.set(key, sprite);
    return sprite;
  }
}

function circle(context, radius, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fill();
}
