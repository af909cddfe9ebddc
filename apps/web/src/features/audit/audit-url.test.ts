import { describe, expect, it } from "vitest";
import { auditFilter, auditUrl, chainOf } from "./audit-url.ts";

function parse(search: string) {
  return auditUrl.parse(new URLSearchParams(search));
}

describe("the address of a view of the audit", () => {
  it.each([
    "",
    "?q=actor%3Aana%20result%3Arefused",
    "?from=-24h&chain=accounts",
    "?q=request%3A7f3a9c10&previews=shown",
    "?from=2026-11-24T14%3A03%3A00.000Z&to=2026-11-24T14%3A04%3A00.000Z&peek=12406",
  ])("%s survives a round trip", (search) => {
    expect(parse(search).dropped).toEqual([]);
    expect(auditUrl.format(parse(search).view)).toBe(search);
  });

  it("reads single parameters as terms of the box", () => {
    expect(parse("?actor=Ana%20Diaz&result=failed").view.text).toBe(
      'actor:"Ana Diaz" result:failed',
    );
  });

  it("drops what it does not know and says so", () => {
    const { view, dropped } = parse("?chain=other&previews=some&peek=-3&colour=red&from=-9h");
    expect(view).toMatchObject({ chain: "cluster", peek: undefined, from: "all" });
    expect(dropped).toEqual(["-9h", "other", "some", "-3", "colour"]);
  });
});

describe("the server's filter", () => {
  it("combines the box and the time", () => {
    const now = Date.UTC(2026, 10, 24, 12, 0, 30);
    expect(auditFilter(parse("?q=actor%3Aana&from=-1h").view, now)).toEqual({
      actorName: "ana",
      from: Date.UTC(2026, 10, 24, 11, 0, 0),
      withoutPreviews: true,
    });
  });

  it.each([
    ["?previews=shown", {}],
    ["?chain=accounts", {}],
    [
      "?intent=01900000-0000-7000-8000-000000000001",
      { intentId: "01900000-0000-7000-8000-000000000001" },
    ],
  ])("hides no previews with %s", (search, filter) => {
    expect(auditFilter(parse(search).view, 0)).toEqual(filter);
  });

  it("covers one chain", () => {
    expect(chainOf("c1", { chain: "cluster" })).toBe("c1");
    expect(chainOf("c1", { chain: "accounts" })).toBe("accounts");
  });
});
