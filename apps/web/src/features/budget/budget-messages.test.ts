import { clockTime } from "@cloudwright/core/model/reasons/text";
import type { BudgetView } from "@cloudwright/store/views/budget";
import { describe, expect, it } from "vitest";
import {
  bandOf,
  budgetSentence,
  nextChecks,
  rateText,
  shareText,
  useText,
} from "./budget-messages.ts";
import { budgetView, use } from "./testing/budget-view.ts";

const NOW = Date.UTC(2026, 10, 22, 14);
const CALM = {
  callsLastMinute: 12,
  throttledLastMinute: 0,
  allowedPerSecond: undefined,
  resumesAt: undefined,
};

type Leader = NonNullable<Parameters<typeof nextChecks>[0]>;
type Running = Leader["controllers"][number];

function runsNode(over: Partial<Running>): Running {
  return { name: "cloud-node-controller", queueDepth: 0, oldestMs: 0, ...over };
}

describe("the summary", () => {
  const sentence = (
    live: Partial<typeof CALM> | Record<string, number>,
    over: Partial<BudgetView> = {},
    leader: Leader = { controllers: [] },
  ) =>
    budgetSentence({
      view: budgetView(over),
      isLed: true,
      live: { ...CALM, ...live },
      provider: "sandbox",
      now: NOW,
      nextCheckOf: nextChecks(leader, NOW),
      time: clockTime,
    });
  const nodes = (calls: number) => ({
    resync: [{ controller: "cloud-node-controller" as const, objects: 1_204, calls }],
  });

  it("says that there is no limit, and what a full check costs", () => {
    expect(sentence({}, nodes(13))).toBe(
      "12 calls in the last minute; sandbox has set no limit. Observing all 1,204 nodes costs about 13 calls. No throttling expected.",
    );
  });

  it("says when the next one begins", () => {
    const leader = { controllers: [runsNode({ nextCheckAt: NOW + 300_000 })] };
    expect(sentence({}, nodes(13), leader)).toContain(
      "Observing all 1,204 nodes costs about 13 calls (next at 2026-11-22 14:05 UTC).",
    );
  });

  it.each([
    ["an earlier release does not report it", runsNode({})],
    ["it is over, and nothing was reported since", runsNode({ nextCheckAt: NOW - 1 })],
    [
      "the controller is paused",
      runsNode({ nextCheckAt: NOW + 1, paused: { by: "bo", why: "", until: NOW + 9 } }),
    ],
  ])("does not say when the next one begins if %s", (_why, controller) => {
    expect(sentence({}, nodes(13), { controllers: [controller] })).toContain("13 calls. No");
  });

  it("says how much of the limit is used", () => {
    expect(sentence({ callsLastMinute: 212, allowedPerSecond: 400 / 60 }, nodes(120))).toBe(
      "212 calls in the last minute of the 400 that sandbox currently allows. Observing all 1,204 nodes costs about 120 calls. No throttling expected.",
    );
  });

  it.each([
    [
      "that it is near the limit",
      { callsLastMinute: 300, allowedPerSecond: 400 / 60 },
      "near the limit",
    ],
    [
      "that it is at it",
      { callsLastMinute: 380, allowedPerSecond: 400 / 60 },
      "less urgent calls wait",
    ],
    [
      "that the cloud refuses everything",
      { closedSince: NOW - 660_000, resumesAt: NOW + 1_000 },
      "The cloud has refused every call for 11 min: one call is tried after each wait.",
    ],
    ["that the cloud asked us to wait", { resumesAt: NOW + 1_000 }, "asked us to wait"],
  ])("says %s", (_what, live, text) => {
    expect(sentence(live)).toContain(text);
  });

  it("foresees that a full check does not fit", () => {
    expect(sentence({ callsLastMinute: 100, allowedPerSecond: 4 }, nodes(200))).toContain(
      "Parts of the next full check will have to wait.",
    );
  });

  it("names who waits", () => {
    expect(sentence({}, { deferred: { count: 3, oldest: [] } })).toMatch(
      /3 objects are waiting for it\.$/,
    );
  });

  it.each([
    [false, "No controller leads, so no calls are made to the cloud."],
    [true, "The leader has not reported yet how many calls it makes."],
  ])("has no figures to show, with a leader: %s", (isLed, expected) => {
    const requested = {
      ...{ view: budgetView(), live: undefined, provider: "sandbox", now: NOW },
      ...{ nextCheckOf: () => undefined, time: clockTime },
    };
    expect(budgetSentence({ ...requested, isLed })).toBe(expected);
  });
});

it.each([
  [{ share: undefined }, "well"],
  [{ share: 0.69 }, "well"],
  [{ share: 0.7 }, "near"],
  [{ share: 0.9 }, "over"],
  [{ share: 0.1, throttled: 1 }, "over"],
])("the band for %j is %s", (over, band) => {
  expect(bandOf(use(over))).toBe(band);
});

it.each([
  [0, "0"],
  [0.04, "< 0.1"],
  [2, "2"],
  [2.34, "2.3"],
  [1_204.4, "1,204"],
])("%d per minute is written %s", (rate, text) => {
  expect(rateText(rate)).toBe(text);
});

it("labels a bar with what it stands for", () => {
  expect(useText(use({ calls: 1, share: 0.53, throttled: 2 }))).toBe(
    "1 call, 2 answered 429, 53 % of the limit",
  );
  expect(useText(undefined)).toBe("not known");
  expect(shareText(undefined)).toBe("—");
});
