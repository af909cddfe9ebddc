import { describe, expect, it } from "vitest";
import { runsFilter, runsUrl } from "./runs-url.ts";

function parse(search: string) {
  return runsUrl.parse(new URLSearchParams(search));
}

describe("the address of a view of runs", () => {
  it.each(["", "?q=outcome%3Afailed%20key%3Aw-*", "?from=-1h", "?q=w-9&from=all&peek=01900000"])(
    "%s survives the way there and back",
    (search) => {
      expect(runsUrl.format(parse(search).view)).toBe(search);
    },
  );

  it("takes single parameters as terms of the box", () => {
    expect(parse("?controller=node&outcome=failed&from=-1h").view).toEqual({
      text: "controller:node outcome:failed",
      from: "-1h",
      peek: undefined,
    });
  });

  it("drops what it does not know and says so", () => {
    expect(parse("?from=-9h&colour=red").dropped).toEqual(["-9h", "colour"]);
  });
});

describe("the filter that the server gets", () => {
  const now = Date.UTC(2026, 10, 24, 12, 0, 30);

  it("starts at a whole minute", () => {
    expect(runsFilter({ text: "", from: "-1h", peek: undefined }, now)).toEqual({
      from: Date.UTC(2026, 10, 24, 11, 0, 0),
    });
  });

  it("has no start for everything kept", () => {
    expect(runsFilter({ text: "outcome:failed", from: "all", peek: "01900000" }, now)).toEqual({
      outcomes: ["failed"],
    });
  });
});
