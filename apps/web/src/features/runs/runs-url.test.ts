import { describe, expect, it } from "vitest";
import { wider } from "../../components/url/time-range.ts";
import { runsFilter, runsUrl } from "./runs-page.tsx";

function parse(search: string) {
  return runsUrl.parse(new URLSearchParams(search));
}

describe("the address of a view of runs", () => {
  it.each(["", "?q=outcome%3Afailed%20key%3Aw-*", "?from=-1h", "?q=w-9&from=all&peek=01900000"])(
    "%s survives a round trip",
    (search) => {
      expect(runsUrl.format(parse(search).view)).toBe(search);
    },
  );

  it("reads single parameters as terms of the box", () => {
    expect(parse("?controller=node&outcome=failed&from=-1h").view).toEqual({
      text: "controller:node outcome:failed",
      from: "-1h",
      between: undefined,
      peek: undefined,
    });
  });

  it("reads a stretch that begins before 1970, as a mistyped year does, from 1970 on", () => {
    const { view } = parse("?from=0026-11-24T14:03:00.000Z&to=2026-11-24T14:04:00.000Z");
    expect(view.between).toEqual({ from: 0, to: Date.UTC(2026, 10, 24, 14, 4) });
    expect(parse("?from=0025-01-01T00:00:00Z&to=0026-01-01T00:00:00Z").view.between).toBe(
      undefined,
    );
  });

  it("reads a stretch that ends after the year 9999 up to its end, so that it can be widened", () => {
    const { view } = parse("?from=2026-11-24T14:03:00.000Z&to=%2B275760-09-13T00:00:00.000Z");
    expect(view.between).toEqual({
      from: Date.UTC(2026, 10, 24, 14, 3),
      to: Date.UTC(9999, 11, 31, 23, 59, 59, 999),
    });
    const wide = view.between && wider(view.between);
    const reread = parse(runsUrl.format({ ...view, between: wide })).view.between;
    expect(reread?.to).toBe(view.between?.to);
  });

  it("accepts a stretch of time, but only a complete one", () => {
    const between = { from: Date.UTC(2026, 10, 24, 14, 3), to: Date.UTC(2026, 10, 24, 14, 4) };
    const search = "?from=2026-11-24T14%3A03%3A00.000Z&to=2026-11-24T14%3A04%3A00.000Z";
    expect(parse(search)).toMatchObject({ view: { between }, dropped: [] });
    expect(runsUrl.format(parse(search).view)).toBe(search);
    expect(parse("?from=2026-11-24T14:03:00Z")).toMatchObject({
      view: { between: undefined, from: "-24h" },
      dropped: ["2026-11-24T14:03:00Z"],
    });
    expect(parse("?from=-1h&to=2026-11-24T14:03:00Z").dropped).toEqual(["to"]);
  });

  it("drops what it does not know and says so", () => {
    expect(parse("?from=-9h&colour=red").dropped).toEqual(["-9h", "colour"]);
  });
});

describe("the server's filter", () => {
  const now = Date.UTC(2026, 10, 24, 12, 0, 30);
  const PLAIN = { text: "", from: "-24h", between: undefined, peek: undefined } as const;

  it("starts at a whole minute", () => {
    expect(runsFilter({ ...PLAIN, from: "-1h" }, now)).toEqual({
      from: Date.UTC(2026, 10, 24, 11, 0, 0),
    });
  });

  it("has no start for everything kept", () => {
    const view = { ...PLAIN, text: "outcome:failed", from: "all", peek: "01900000" } as const;
    expect(runsFilter(view, now)).toEqual({ outcomes: ["failed"] });
  });

  it("is a stretch of time exactly as in the address", () => {
    const between = { from: 1_000, to: 2_500 };
    expect(runsFilter({ ...PLAIN, between }, now)).toEqual(between);
  });
});
