import { describe, expect, it } from "vitest";
import { nodesUrl } from "./nodes-page.tsx";

function parse(search: string) {
  return nodesUrl.parse(new URLSearchParams(search));
}

describe("the address of a view of nodes", () => {
  it.each([
    "",
    "?q=10.0.3",
    "?state=stuck,unknown",
    "?zone=a,b&type=m5.large",
    "?drift=drifted",
    "?state=stuck&reason=InstanceNotFound",
    "?q=w-9&state=waiting&sort=-since&peek=w-9",
  ])("%s survives a round trip", (search) => {
    expect(nodesUrl.format(parse(search).view)).toBe(search);
  });

  it("shows all nodes, worst first, by default", () => {
    const { view, dropped } = parse("");
    expect(view.sort).toEqual({ by: "state", descending: false });
    expect(nodesUrl.isFiltered(view)).toBe(false);
    expect(dropped).toEqual([]);
  });

  it("drops what it does not know and says so", () => {
    const { view, dropped } = parse("?state=stuck,broken&sort=colour&size=big&reason=bored");
    expect(view.states).toEqual(["stuck"]);
    expect(view.sort.by).toBe("state");
    expect(dropped).toEqual(["broken", "bored", "colour", "size"]);
  });

  it("keeps a text with characters that are reserved in addresses", () => {
    const { view } = parse(nodesUrl.format({ ...parse("").view, text: "aws:///a&b=c, d" }));
    expect(view.text).toBe("aws:///a&b=c, d");
  });
});

describe("the server's filter", () => {
  it("names only what was chosen", () => {
    expect(nodesUrl.filter(parse("?q=%20w-9%20&state=stuck").view)).toEqual({
      text: "w-9",
      states: ["stuck"],
      zones: undefined,
      types: undefined,
      drift: undefined,
    });
  });
});

it("clearing the filters keeps the order and the open row", () => {
  const { view } = parse("?q=w&state=ok&zone=a&type=b&drift=drifted&sort=-since&peek=w-9");
  expect(nodesUrl.format(nodesUrl.withoutFilters(view))).toBe("?sort=-since&peek=w-9");
});
