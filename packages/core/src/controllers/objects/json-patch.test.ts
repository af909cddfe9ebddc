import { expect, test } from "vitest";
import { jsonPointer } from "./json-patch.ts";

test.each([
  [
    ["metadata", "labels", "topology.kubernetes.io/zone"],
    "/metadata/labels/topology.kubernetes.io~1zone",
  ],
  [["a~b", "c~1d"], "/a~0b/c~01d"],
])("%j is the pointer %s", (names, pointer) => {
  expect(jsonPointer(...names)).toBe(pointer);
});
