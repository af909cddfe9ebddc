import { describe, expect, it } from "vitest";
import { loadBalancersUrl, orphanSort, withView } from "./load-balancers-url.ts";

const view = (search: string) => loadBalancersUrl.parse(new URLSearchParams(search)).view;

describe("the address of a view of load balancers", () => {
  it.each([
    "",
    "?view=orphans",
    "?q=shop",
    "?state=stuck,unknown",
    "?drift=drifted",
    "?state=stuck&reason=BalancerUnowned",
    "?q=web&state=waiting&sort=-changed&peek=shop%2Fweb",
    "?view=orphans&q=lb-9&sort=name",
  ])("%s survives a round trip", (search) => {
    expect(loadBalancersUrl.format(view(search))).toBe(search);
  });

  it("drops what it does not know and says so", () => {
    const { dropped } = loadBalancersUrl.parse(
      new URLSearchParams("?view=all&state=broken&drift=far&reason=bored&sort=colour&size=9"),
    );
    expect(dropped).toEqual(["all", "broken", "far", "bored", "colour", "size"]);
  });
});

describe("a view", () => {
  it("sends the server only what was chosen", () => {
    expect(loadBalancersUrl.filter(view("?q=%20web%20&drift=drifted"))).toEqual({
      text: "web",
      states: undefined,
      drift: "drifted",
      reason: undefined,
    });
    expect(loadBalancersUrl.isFiltered(view("?sort=name&peek=shop/web"))).toBe(false);
    expect(loadBalancersUrl.isFiltered(view("?q=%20"))).toBe(false);
  });

  it("clears its filters and keeps its order", () => {
    expect(loadBalancersUrl.withoutFilters(view("?q=web&state=ok&sort=name"))).toEqual(
      view("?sort=name"),
    );
  });

  it("starts afresh in the other list", () => {
    expect(withView(view("?q=web&sort=-members&peek=a/b"), "orphans")).toEqual(
      view("?view=orphans"),
    );
  });

  it("sorts orphans by the columns they have", () => {
    expect(orphanSort(view("?view=orphans"))).toEqual({ by: "since", descending: false });
    expect(orphanSort(view("?sort=-members"))).toEqual({ by: "since", descending: false });
    expect(orphanSort(view("?sort=-name"))).toEqual({ by: "name", descending: true });
  });
});
