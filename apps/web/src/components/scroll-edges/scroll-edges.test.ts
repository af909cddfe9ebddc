import { expect, it } from "vitest";
import { edgesOf } from "./scroll-edges.tsx";

const SIZES = { clientWidth: 300, offsetWidth: 315 };

it.each([
  [
    { scrollLeft: 0, scrollWidth: 300 },
    { start: false, end: false },
  ],
  [
    { scrollLeft: 0, scrollWidth: 301 },
    { start: false, end: false },
  ],
  [
    { scrollLeft: 0, scrollWidth: 500 },
    { start: false, end: true },
  ],
  [
    { scrollLeft: 100, scrollWidth: 500 },
    { start: true, end: true },
  ],
  [
    { scrollLeft: 199.5, scrollWidth: 500 },
    { start: true, end: false },
  ],
])("of %j there is more %j", (at, edges) => {
  expect(edgesOf({ ...SIZES, ...at })).toEqual({ ...edges, bar: 15 });
});
