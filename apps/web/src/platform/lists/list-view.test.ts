import { expect, it } from "vitest";
import {
  type ListView,
  listParams,
  readListView,
  showsFaultsOnly,
  sortedBy,
  toggleDrift,
  toggleFaults,
  toggleState,
  wanted,
} from "./list-view.ts";

const SORTS = ["state", "name"] as const;

function view(search: string): ListView<(typeof SORTS)[number]> {
  return readListView(new URLSearchParams(search), { sorts: SORTS }).view;
}

it("an address that says nothing shows everything, worst first", () => {
  const plain = view("");
  expect(plain).toMatchObject({ text: "", states: [], drift: undefined, reason: undefined });
  expect(plain.sort).toEqual({ by: "state", descending: false });
  expect(Object.values(listParams(plain)).filter(Boolean)).toEqual([]);
});

it("the order is named where it is not worst first", () => {
  expect(listParams(view("?sort=-state")).sort).toBe("-state");
  expect(listParams(view("?sort=name")).sort).toBe("name");
});

it("parameters that a list has alone are known when it names them", () => {
  const params = new URLSearchParams("?zone=a&size=9");
  expect(readListView(params, { sorts: SORTS, own: ["zone"] }).dropped).toEqual(["size"]);
});

it("a text of spaces alone is no filter", () => {
  expect(wanted("  ")).toBeUndefined();
  expect(wanted(" w-9 ")).toBe("w-9");
});

it("faults only goes on and off again", () => {
  const faults = toggleFaults(view(""));
  expect(faults.states).toEqual(["stuck", "unknown"]);
  expect(showsFaultsOnly(faults)).toBe(true);
  expect(toggleFaults(faults).states).toEqual([]);
});

it("a counter adds its state in the order of urgency, and takes it away", () => {
  const both = toggleState(view("?state=ok"), "stuck");
  expect(both.states).toEqual(["stuck", "ok"]);
  expect(toggleState(both, "ok").states).toEqual(["stuck"]);
});

it("one drift is chosen at a time, and left by choosing it again", () => {
  const drifted = toggleDrift(view("?drift=inStep"), "drifted");
  expect(drifted.drift).toBe("drifted");
  expect(toggleDrift(drifted, "drifted").drift).toBeUndefined();
});

it("a second click on a column turns its order round", () => {
  const once = sortedBy(view(""), "name");
  expect(once.sort).toEqual({ by: "name", descending: false });
  expect(sortedBy(once, "name").sort).toEqual({ by: "name", descending: true });
});
