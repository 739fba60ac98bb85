// Built-in coasts, borders, countries and cities behind the markers, from world.js.

import { toWorld } from "../../PyramidWeb/tileset/geometry.js";
import { borderLines, cityLines, coastLines, countryLines } from "./world.js";

const worldDigits = new Map([..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].map((digit, value) => [digit, value]));

/** The numbers of a line of world.js. */
function decodedNumbers(text) {
  const numbers = [];
  let value = 0,
    factor = 1;
  for (const digit of text) {
    const bits = worldDigits.get(digit);
    value += (bits & 31) * factor;
    factor *= 32;
    if (bits >= 32) continue;
    numbers.push(value % 2 ? -(value + 1) / 2 : value / 2);
    [value, factor] = [0, 1];
  }
  return numbers;
}

/** A line's points in world coordinates, which may cross the antimeridian and the map's lower edge. */
function decodedLine(text) {
  const steps = decodedNumbers(text),
    points = [];
  for (let index = 0, longitude = 0, latitude = 0; index < steps.length; index += 2) {
    longitude += steps[index];
    latitude += steps[index + 1];
    points.push([longitude / 36000 + 0.5, 0.5 - Math.asinh(Math.tan((latitude * Math.PI) / 18000)) / (2 * Math.PI)]);
  }
  return points;
}

function addLine(path, points) {
  points.forEach(([x, y], index) => (index ? path.lineTo(x, y) : path.moveTo(x, y)));
}

/** The opacity of coasts and borders: they are some kilometres off, which would mislead from zoom 7 on. The land keeps its colour. */
const lineShare = (size) => Math.min(Math.max((8 - Math.log2(size / 256)) / 2, 0), 1);

const namedCities = (zoom) => [0, 10, 20, 60, 130][Math.floor(zoom)] ?? Infinity;

/** A name of world.js and its place; of a country also its width, 0 to 1. */
function decodedName(line) {
  const [, longitude, latitude, degrees, name] = line.match(/^(\S+) (\S+) (?:([\d.]+) )?(.+)$/),
    [x, y] = toWorld(Number(longitude), Number(latitude));
  return { x, y, name, share: Number(degrees) / 360 };
}

/** The pixels of a place in the window, in each copy of the world that is drawn. */
function* pixelsOf({ x, y }, { left, top, size, from, to, width, height }) {
  const down = (y - top) * size,
    last = down < 0 || down > height ? -Infinity : Math.floor(Math.min(left + width / size, to) - x);
  for (let copy = Math.ceil(Math.max(left, from) - x); copy <= last; copy++) yield [(x + copy - left) * size, down];
}

export class Geography {
  constructor() {
    [this.land, this.coast, this.borders] = [new Path2D(), new Path2D(), new Path2D()];
    for (const points of coastLines.map(decodedLine)) {
      addLine(this.coast, points);
      addLine(this.land, points);
      // Antarctica goes around the world. It overlaps its next copy to hide the seam.
      const way = points.at(-1)[0] - points[0][0];
      if (Math.abs(way) > 0.5) {
        const end = points.at(-1)[0] + way / 1000;
        for (const [x, y] of [
          [end, points.at(-1)[1]],
          [end, 1.2],
          [points[0][0], 1.2],
        ])
          this.land.lineTo(x, y);
      }
      this.land.closePath();
    }
    for (const text of borderLines) addLine(this.borders, decodedLine(text));
    [this.countries, this.cities] = [countryLines.map(decodedName), cityLines.map(decodedName)];
  }

  /** All copies of a path in the window as one path, which shows no seams between copies. */
  copies(path, { left, top, size, width }, margin) {
    const whole = new Path2D(),
      reach = margin / size;
    // Lines begin within the world; Russia extends 0.03 into the next one.
    for (let copy = Math.floor(left - reach - 0.05); copy <= Math.floor(left + width / size + reach); copy++) {
      whole.addPath(path, { a: size, b: 0, c: 0, d: size, e: (copy - left) * size, f: -top * size });
    }
    return whole;
  }

  drawLand(context, area, margin, theme) {
    context.fillStyle = theme.land;
    context.fill(this.copies(this.land, area, margin));
    context.globalAlpha = lineShare(area.size);
    if (context.globalAlpha === 0) return void (context.globalAlpha = 1);
    context.lineJoin = "round";
    context.lineWidth = 1;
    context.strokeStyle = theme.border;
    context.stroke(this.copies(this.borders, area, margin));
    context.strokeStyle = theme.coast;
    context.stroke(this.copies(this.coast, area, margin));
    context.globalAlpha = 1;
  }

  /** Draws names of countries in which there is room for them, the widest countries first. */
  drawCountries(context, area, theme, space) {
    context.globalAlpha = lineShare(area.size);
    context.font = '600 11px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = theme.city;
    for (const country of context.globalAlpha ? this.countries : []) {
      const width = (country.width ??= context.measureText(country.name).width);
      if (width > country.share * area.size) continue;
      for (const [x, y] of pixelsOf(country, area)) {
        const start = x - width / 2,
          middle = [y, y - 14, y + 14].find((middle) => space.isFree(start - 2, middle - 7, width + 4, 14));
        if (middle === undefined) continue;
        space.take(start - 8, middle - 9, width + 16, 18);
        drawLabel(context, country.name, start, middle, theme);
        space.labels.push({ text: country.name, x: start, y: middle - 6, width, height: 12 });
      }
    }
    context.globalAlpha = 1;
  }

  /** Draws names of cities where there is room, the most important ones first. */
  drawCities(context, area, theme, space) {
    const zoom = Math.log2(area.size / 256);
    const alpha = Math.min(Math.max(10 - zoom, 0), 1);
    if (alpha === 0) return;
    context.globalAlpha = alpha;
    context.font = '11px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const city of this.cities.slice(0, namedCities(zoom + 1e-6))) {
      city.width ??= context.measureText(city.name).width;
      for (const [x, y] of pixelsOf(city, area)) {
        if (!space.isFree(x - 3, y - 3, 6, 6)) continue;
        const start = [x + 6, x - 6 - city.width].find((start) => space.isFree(start - 2, y - 7, city.width + 4, 14));
        if (start === undefined) continue;
        space.take(Math.min(start, x) - 4, y - 8, city.width + 14, 16);
        context.fillStyle = theme.city;
        context.beginPath();
        context.arc(x, y, 1.8, 0, 2 * Math.PI);
        context.fill();
        drawLabel(context, city.name, start, y, theme);
        space.labels.push({ text: city.name, x: start, y: y - 6, width: city.width, height: 12 });
      }
    }
    context.globalAlpha = 1;
  }
}

export function drawLabel(context, text, x, y, theme) {
  context.strokeStyle = theme.halo;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

/** The free areas of the window for labels: without markers, panels and other labels. */
export class LabelSpace {
  constructor(width, height) {
    this.columns = Math.ceil(width / LabelSpace.side);
    this.rows = Math.ceil(height / LabelSpace.side);
    this.taken = new Uint8Array(this.columns * this.rows);
    this.labels = [];
  }

  static side = 4;

  /** The cells of a rectangle: first and last column, first and last row. */
  cells(x, y, width, height) {
    const cell = (value) => Math.floor(value / LabelSpace.side);
    return [cell(x), cell(x + width), cell(y), cell(y + height)];
  }

  take(x, y, width, height) {
    const [first, last, top, bottom] = this.cells(x, y, width, height);
    for (let row = Math.max(top, 0); row <= Math.min(bottom, this.rows - 1); row++) {
      if (last >= 0 && first < this.columns)
        this.taken.fill(1, row * this.columns + Math.max(first, 0), row * this.columns + Math.min(last, this.columns - 1) + 1);
    }
  }

  isFree(x, y, width, height) {
    const [first, last, top, bottom] = this.cells(x, y, width, height);
    if (first < 0 || top < 0 || last >= this.columns || bottom >= this.rows) return false;
    for (let row = top; row <= bottom; row++) {
      for (let column = first; column <= last; column++) if (this.taken[row * this.columns + column]) return false;
    }
    return true;
  }
}
