import { describe, expect, it } from "vitest";
import { volumesUrl } from "./volumes-page.tsx";

const view = (search: string) => volumesUrl.parse(new URLSearchParams(search)).view;

describe("the address of a view of volumes", () => {
  it.each([
    "",
    "?q=shop&state=stuck,ok&drift=drifted",
    "?reason=VolumeNotFound&sort=-zone&peek=pv",
  ])("%s survives a round trip", (search) => {
    expect(volumesUrl.format(view(search))).toBe(search);
  });

  it("drops what it does not know and says so", () => {
    const search = "?state=broken&drift=far&reason=bored&sort=size&view=map";
    expect(volumesUrl.parse(new URLSearchParams(search)).dropped).toEqual([
      ...["broken", "far", "bored", "size", "view"],
    ]);
  });
});

describe("a view", () => {
  it("sends the server only what was chosen", () => {
    expect(volumesUrl.filter(view("?q=%20pv%20&drift=drifted"))).toEqual({
      ...{ text: "pv", states: undefined, drift: "drifted", reason: undefined },
    });
    expect(volumesUrl.isFiltered(view("?sort=name&peek=pv"))).toBe(false);
  });

  it("clears its filters and keeps its order", () => {
    expect(volumesUrl.withoutFilters(view("?q=pv&sort=name"))).toEqual(view("?sort=name"));
  });
});
