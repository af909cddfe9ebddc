import { expect } from "vitest";
import { overlaps } from "../../../model/values/cidr.ts";
import { cidr } from "./ipam-fixture.ts";

export function expectNoneTwice(ranges: readonly string[]): void {
  const seen = ranges.map(cidr);
  const twice = seen.filter((one, index) => seen.slice(0, index).some((two) => overlaps(one, two)));
  expect(twice).toEqual([]);
}
