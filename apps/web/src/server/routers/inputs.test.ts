import { expect, test } from "vitest";
import { nodesInput, routesInput } from "./inputs.ts";

const LIST = { cluster: "c", sort: { by: "state", descending: false }, limit: 50 };

test("a list takes the filters and orders of its kind", () => {
  const filter = { text: "w-", states: ["stuck"], drift: "drifted", zones: ["z1"], types: ["m"] };
  const input = { ...LIST, filter, sort: { by: "init", descending: true } };
  expect(nodesInput.parse(input)).toEqual(input);
  const routes = { ...LIST, filter: { verdicts: ["missing"], table: "rtb-a" } };
  expect(routesInput.parse(routes)).toEqual(routes);
});

test.each([
  { filter: { states: ["broken"] } },
  { filter: { zones: "z1" } },
  { filter: { zones: Array(101).fill("z") } },
  { filter: { text: "\0" } },
  { filter: {}, sort: { by: "colour", descending: false } },
  { filter: {}, limit: 201 },
])("and refuses what is none of them: %j", (over) => {
  expect(nodesInput.safeParse({ ...LIST, ...over }).success).toBe(false);
});

test("a verdict that no route can have is refused", () => {
  const input = { ...LIST, filter: { verdicts: ["lost"] } };
  expect(routesInput.safeParse(input).success).toBe(false);
});
