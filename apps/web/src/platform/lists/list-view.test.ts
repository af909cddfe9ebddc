import { expect, it } from "vitest";
import { wordsParam } from "../../components/url/url-codec.ts";
import {
  type ListView,
  listFilter,
  listUrl,
  showsFaultsOnly,
  sortedBy,
  toggleDrift,
  toggleFaults,
  toggleState,
  wanted,
} from "./list-view.ts";

interface View extends ListView<"state" | "name"> {
  readonly zones: readonly string[];
}

const url = listUrl<View, object>({
  sorts: ["state", "name"],
  own: { zones: wordsParam("zone") },
  filter: listFilter,
});

function read(search: string) {
  return url.parse(new URLSearchParams(search));
}

function view(search: string): View {
  return read(search).view;
}

it("the default address shows everything, worst first", () => {
  const plain = view("");
  expect(plain).toMatchObject({ text: "", states: [], drift: undefined, reason: undefined });
  expect(plain.sort).toEqual({ by: "state", descending: false });
  expect(url.format(plain)).toBe("");
});

it("the order is named if it is not worst first", () => {
  expect(url.format(view("?sort=-state"))).toBe("?sort=-state");
  expect(url.format(view("?sort=name"))).toBe("?sort=name");
});

it("a list's own parameters are known if it declares them", () => {
  expect(read("?zone=a,b").view.zones).toEqual(["a", "b"]);
  expect(read("?zone=a&size=9").dropped).toEqual(["size"]);
});

it("invalid parts of a parameter are named, and the rest is used", () => {
  const { view: taken, dropped } = read("?state=stuck,lost&drift=some&reason=no%20code&sort=-size");
  expect(taken).toMatchObject({ states: ["stuck"], drift: undefined, reason: undefined });
  expect(taken.sort).toEqual({ by: "state", descending: false });
  expect(dropped).toEqual(["lost", "some", "no code", "-size"]);
});

it("a view without filters keeps its order and the row open beside the list", () => {
  const filtered = view("?q=w-9&zone=a&sort=name&peek=w-9");
  expect(url.isFiltered(filtered)).toBe(true);
  expect(url.format(url.withoutFilters(filtered))).toBe("?sort=name&peek=w-9");
});

it("a text of spaces is no filter", () => {
  expect(wanted("  ")).toBeUndefined();
  expect(wanted(" w-9 ")).toBe("w-9");
});

it("faults only can be turned on and off again", () => {
  const faults = toggleFaults(view(""));
  expect(faults.states).toEqual(["stuck", "unknown"]);
  expect(showsFaultsOnly(faults)).toBe(true);
  expect(toggleFaults(faults).states).toEqual([]);
});

it("a counter adds its state in the order of urgency, and removes it", () => {
  const both = toggleState(view("?state=ok"), "stuck");
  expect(both.states).toEqual(["stuck", "ok"]);
  expect(toggleState(both, "ok").states).toEqual(["stuck"]);
});

it("one drift is selected at a time, and cleared by selecting it again", () => {
  const drifted = toggleDrift(view("?drift=inStep"), "drifted");
  expect(drifted.drift).toBe("drifted");
  expect(toggleDrift(drifted, "drifted").drift).toBeUndefined();
});

it("a second click on a column reverses its order", () => {
  const once = sortedBy(view(""), "name");
  expect(once.sort).toEqual({ by: "name", descending: false });
  expect(sortedBy(once, "name").sort).toEqual({ by: "name", descending: true });
});
