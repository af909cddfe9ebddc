import { describe, expect, test } from "vitest";
import type { MemberVerdict } from "../records/load-balancer-record.ts";
import { compactVerdicts, verdictOf } from "./compact-verdicts.ts";

describe("a verdict in compact form", () => {
  test.each<MemberVerdict>([
    { node: "w-1", verdict: "in", why: "eligible" },
    { node: "w-1", verdict: "in", why: "eligible", health: "healthy" },
    { node: "w-1", verdict: "in", why: "notReady" },
    { node: "w-1", verdict: "out", why: "refused", evidence: "no such instance" },
    { node: "w-1", verdict: "leaving", why: "foreign", evidence: "x", health: "draining" },
  ])("is read back: %j", (verdict) => {
    const kept = JSON.parse(JSON.stringify(compactVerdicts([verdict])));
    expect(verdictOf("w-1", kept["w-1"])).toEqual(verdict);
  });

  test("takes one digit if there is nothing to report", () => {
    const members = [{ node: "w-1", verdict: "in", why: "eligible" }] as const;
    expect(compactVerdicts(members)).toEqual({ "w-1": 1 });
  });

  test.each([null, undefined, 2, ["somewhere", "eligible"], ["in", "ofTheFuture"], "in"])(
    "is left out when it cannot be read: %j",
    (kept) => {
      expect(verdictOf("w-1", kept)).toBeUndefined();
    },
  );
});
