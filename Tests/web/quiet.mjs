// A reporter of Node's tests: failures whole, what was left out, the seconds of the slowest tests, and a line at the end.

import { inspect } from "node:util";

export default async function* quiet(events) {
  const times = [];
  let failures = 0;
  for await (const { type, data } of events) {
    if (type === "test:stderr") yield data.message;
    // A file is a test too.
    if (type !== "test:fail" && (type !== "test:pass" || data.name.endsWith(".mjs"))) continue;
    times.push([data.details.duration_ms / 1000, data.name]);
    if (data.skip !== undefined) yield `left out: ${data.name}${data.skip === true || data.skip === "" ? "" : `, ${data.skip}`}\n`;
    if (type === "test:pass") continue;
    failures += 1;
    yield `FAILED ${data.name}\n${inspect(data.details.error.cause ?? data.details.error)}\n`;
  }
  times.sort((a, b) => b[0] - a[0]);
  for (const [seconds, name] of times.slice(0, 20)) yield `${seconds.toFixed(1).padStart(7)} s ${name}\n`;
  yield `${times.length} tests of Node, ${failures} failed\n`;
}
