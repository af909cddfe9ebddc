import { describe, expect, it } from "vitest";
import { layoutOf, peeked, routesUrl, sortOf, toggleVerdict, withList } from "./routes-url.ts";

const view = (search: string) => routesUrl.parse(new URLSearchParams(search)).view;

describe("the address of a view of routes", () => {
  it.each([
    "",
    "?view=matrix",
    "?show=foreign&q=10.1",
    "?view=list&state=stuck,unknown&drift=drifted",
    "?state=stuck&reason=RouteTableFull",
    "?cell=missing,foreign&table=rtb-a&sort=-since&peek=w-1%2F10.244.1.0%2F24",
  ])("%s survives a round trip", (search) => {
    expect(routesUrl.format(view(search))).toBe(search);
  });

  it("drops what it does not know and says so", () => {
    const search =
      "?show=all&view=map&state=broken&drift=far&reason=bored&cell=lost&sort=colour&size=9";
    expect(routesUrl.parse(new URLSearchParams(search)).dropped).toEqual([
      ...["all", "map", "broken", "lost", "far", "bored", "colour", "size"],
    ]);
  });
});

describe("a view", () => {
  it("sends the server only what was chosen", () => {
    expect(routesUrl.filter(view("?q=%20w-1%20&cell=missing&table=rtb-a"))).toEqual({
      text: "w-1",
      states: undefined,
      drift: undefined,
      reason: undefined,
      verdicts: ["missing"],
      table: "rtb-a",
    });
    expect(routesUrl.isFiltered(view("?sort=name&peek=w-1&view=list"))).toBe(false);
    expect(routesUrl.isFiltered(view("?table=rtb-a"))).toBe(true);
  });

  it("clears its filters and keeps its order and layout", () => {
    expect(routesUrl.withoutFilters(view("?view=list&q=w&cell=add&sort=name"))).toEqual(
      view("?view=list&sort=name"),
    );
  });

  it("starts afresh in another list", () => {
    expect(withList(view("?q=w&sort=-name&peek=w-1"), "stale")).toEqual(view("?show=stale"));
  });

  it("turns verdicts on and off", () => {
    expect(toggleVerdict(view("?cell=missing"), "add")).toEqual(view("?cell=add,missing"));
    expect(toggleVerdict(view("?cell=missing"), "missing")).toEqual(view(""));
  });
});

describe("the layout", () => {
  it.each([
    ["", { isNarrow: false, nodes: 500 }, "matrix"],
    ["", { isNarrow: false, nodes: 501 }, "list"],
    ["?view=matrix", { isNarrow: false, nodes: 5_000 }, "matrix"],
    ["?view=list", { isNarrow: false, nodes: 3 }, "list"],
    ["?view=matrix", { isNarrow: true, nodes: 3 }, "list"],
  ] as const)("of %j with %j is %s", (search, screen, layout) => {
    expect(layoutOf(view(search), screen)).toBe(layout);
  });

  it("of a matrix is ordered by table", () => {
    expect(sortOf(view("?sort=-name"), "matrix")).toEqual({ by: "table", descending: false });
    expect(sortOf(view("?sort=-name"), "list")).toEqual({ by: "name", descending: true });
  });
});

it.each([
  [undefined, { node: undefined, cidr: undefined }],
  ["w-1", { node: "w-1", cidr: undefined }],
  ["w-1/fd00:1::/64", { node: "w-1", cidr: "fd00:1::/64" }],
])("beside the list %s is %j", (peek, expected) => {
  expect(peeked(peek)).toEqual(expected);
});
