import { describe, expect, it } from "vitest";
import { runUrl } from "./run-url.ts";

const parse = (search: string) => runUrl.parse(new URLSearchParams(search));

describe("the address of a view of a run", () => {
  it.each([
    "",
    "?view=plan",
    "?span=call-3&as=table",
    "?span=call-3&zoom=-20..480",
    "?view=compare&with=r-1&all=1",
  ])("%s survives a round trip", (search) => {
    expect(runUrl.format(parse(search).view)).toBe(search);
  });

  it.each(["480..120", "a..b", "10..10", "1.5..2"])("knows no part %s of a run", (zoom) => {
    const { view, dropped } = parse(`?zoom=${zoom}`);
    expect(view.zoom).toBeUndefined();
    expect(dropped).toEqual([zoom]);
  });

  it("drops what it does not know and says so", () => {
    expect(parse("?view=map&size=9").dropped).toEqual(["map", "size"]);
  });
});
