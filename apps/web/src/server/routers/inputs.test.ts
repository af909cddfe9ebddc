import { expect, test } from "vitest";
import { intentsInput, nodesInput, routesInput, runsInput } from "./inputs.ts";

const LIST = { cluster: "c", sort: { by: "state", descending: false }, limit: 50 };

test("a list accepts the filters and orders of its kind", () => {
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
])("and rejects unknown ones: %j", (over) => {
  expect(nodesInput.safeParse({ ...LIST, ...over }).success).toBe(false);
});

test("a verdict that no route can have is refused", () => {
  const input = { ...LIST, filter: { verdicts: ["lost"] } };
  expect(routesInput.safeParse(input).success).toBe(false);
});

test("text that cannot be stored is refused, also in a kind or a controller of another release", () => {
  const requested = { by: "requested", descending: true };
  const started = { by: "started", descending: true };
  const object = (kind: string) => ({
    ...LIST,
    sort: requested,
    filter: { object: { kind, name: "some" } },
  });
  expect(intentsInput.safeParse(object("Namespace")).success).toBe(true);
  expect(intentsInput.safeParse(object("\0")).success).toBe(false);
  const controller = (name: string) => ({ ...LIST, sort: started, filter: { controller: name } });
  expect(runsInput.safeParse(controller("namespace-label-controller")).success).toBe(true);
  expect(runsInput.safeParse(controller("a\0-controller")).success).toBe(false);
});
