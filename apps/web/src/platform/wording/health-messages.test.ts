import type { Coverage, MassAlarm } from "@cloudwright/store/views/health";
import { describe, expect, it } from "vitest";
import { healthWith } from "../../testing/health.ts";
import { alarmsSentence, badgesOf, coverageSentence, isWhole } from "./health-messages.ts";

const NOW = 10_000_000;
const UNSEEN: MassAlarm = {
  kind: "unknown",
  of: "Node",
  count: 1_213,
  total: 1_240,
  since: NOW - 14 * 60_000,
  reason: {
    code: "ProviderTimedOut",
    provider: "sandbox",
    operation: "GET /v1/instances",
    afterMs: 0,
  },
};
const VANISHED: MassAlarm = {
  kind: "vanished",
  count: 13,
  total: 18,
  withinMs: 45_000,
  since: NOW - 60_000,
  removed: 5,
  held: 8,
};

describe("the headline of what affects many objects at once", () => {
  const say = (alarm: MassAlarm) =>
    alarmsSentence({ alarms: [alarm] }, { now: NOW, kinds: ["Node"] });

  it.each([
    [
      UNSEEN,
      "1,213 of 1,240 nodes could not be observed for 14 min: sandbox did not answer GET /v1/instances in time.",
    ],
    [VANISHED, "13 of 18 machines vanished within 1 min: 5 nodes removed, 8 deletions held."],
    [
      { ...VANISHED, count: 4, withinMs: 61_000, removed: 1, held: 0 },
      "4 of 18 machines vanished within 2 min: 1 node removed, 3 to be checked again.",
    ],
  ])("of %j", (alarm, text) => {
    expect(say(alarm)).toBe(text);
  });

  it("has the cause without the id of a single call", () => {
    const reason = {
      code: "ProviderUnavailable",
      provider: "sandbox",
      operation: "GET /v1/instances",
      message: "down",
      status: 503,
      requestId: "7f3a9c10-0000-4000-8000-00000000000a",
    } as const;
    expect(say({ ...UNSEEN, reason })).toMatch(
      /: sandbox failed on GET \/v1\/instances: down \(status 503\)\.$/,
    );
  });

  it("is shown on the pages that it concerns, and on no other", () => {
    const alarms = [VANISHED, { ...UNSEEN, of: "Service" } as const];
    const on = (kinds: readonly string[]) => alarmsSentence({ alarms }, { now: NOW, kinds });
    expect(on(["Node"])).toMatch(/^13 of 18 machines vanished[^.]*\.$/);
    expect(on(["Service"])).toMatch(/^1,213 of 1,240 load balancers could not/);
    expect(on(["PersistentVolume"])).toBe("");
    expect(alarmsSentence({ alarms }, { now: NOW })).toBe(`${on(["Node"])} ${on(["Service"])}`);
  });
});

describe("coverage of the cluster", () => {
  it.each<[Partial<Coverage>, string]>([
    [{ present: 3, reported: 3, uninitialised: 0 }, ""],
    [{ present: 3, reported: 3 }, ""],
    [{ present: 2_000, reported: 468 }, "468 of 2,000 nodes have reported."],
    [
      { present: 500, reported: 172, uninitialised: 328 },
      "172 of 500 nodes have reported; 328 are not initialised yet.",
    ],
    [
      { present: 2_000, reported: 2_000, uninitialised: 1 },
      "1 of 2,000 nodes is not initialised yet.",
    ],
  ])("%j", (over, text) => {
    expect(coverageSentence(healthWith(over))).toBe(text);
    expect(isWhole(healthWith(over))).toBe(text === "");
  });

  it.each<[Partial<Coverage>, boolean]>([
    [{ present: 0, reported: 0 }, false],
    [{ present: 0, reported: 0, uninitialised: 0 }, false],
    [{ present: 0, reported: 0, uninitialised: 0, isExpected: false }, true],
  ])("is incomplete until a controller has reported a first node: %j", (over, whole) => {
    expect(isWhole(healthWith(over))).toBe(whole);
  });

  it("keeps a cluster from being called well if much of it could not be observed", () => {
    expect(isWhole({ ...healthWith({ present: 3, reported: 3 }), alarms: [UNSEEN] })).toBe(false);
  });
});

it("a badge counts what its page says", () => {
  const needs = {
    stuck: { Node: 1, Service: 2, LoadBalancer: 4, Route: 8, RouteTable: 16, PersistentVolume: 64 },
    ...{ stuckParts: { NodeRoutes: 32 }, held: 128 },
  };
  expect(badgesOf(needs)).toEqual({ nodes: 129, balancers: 6, routes: 56, volumes: 64 });
});
