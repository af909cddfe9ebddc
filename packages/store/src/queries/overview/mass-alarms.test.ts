import { describe, expect, it } from "vitest";
import type { VanishedNode } from "../../sql/objects/health.ts";
import { unknownAlarm, vanishedAlarm } from "./health.ts";

const NOW = 10_000_000;
const reason = {
  code: "ProviderUnavailable",
  provider: "s",
  operation: "GET /x",
  message: "down",
} as const;

function nodes(count: number, fate: VanishedNode["fate"], at: number): readonly VanishedNode[] {
  return Array.from({ length: count }, () => ({ fate, at }));
}

describe("many that could not be observed", () => {
  it.each([
    [1_213, 1_240],
    [3, 30],
    [1, 1],
    [2, 2],
  ])("are %i of %i", (count, total) => {
    const unseen = { of: "Node", count, total, since: 5, reason } as const;
    expect(unknownAlarm(unseen)).toEqual({ kind: "unknown", ...unseen });
  });

  it.each([
    [0, 0],
    [0, 30],
    [2, 10],
    [3, 31],
  ])("are not %i of %i", (count, total) => {
    expect(unknownAlarm({ of: "Node", count, total, since: 5, reason })).toBeUndefined();
  });
});

describe("many machines that vanished at once", () => {
  it("are counted with those whose nodes were removed already", () => {
    const vanished = [...nodes(5, "removed", NOW - 60_000), ...nodes(8, "held", NOW - 15_000)];
    expect(vanishedAlarm(vanished, { present: 13, now: NOW })).toEqual({
      kind: "vanished",
      count: 13,
      total: 18,
      withinMs: 45_000,
      since: NOW - 60_000,
      removed: 5,
      held: 8,
    });
  });

  it("stay an alarm as long as a deletion is held", () => {
    const vanished = [...nodes(5, "removed", 60_000), ...nodes(8, "held", 90_000)];
    expect(vanishedAlarm(vanished, { present: 13, now: NOW })).toMatchObject({
      count: 13,
      held: 8,
    });
  });

  it("are no alarm any more once all were removed and minutes have passed", () => {
    const at = NOW - 600_001;
    expect(vanishedAlarm(nodes(5, "removed", at), { present: 5, now: NOW })).toBeUndefined();
    expect(vanishedAlarm(nodes(5, "removed", at + 2), { present: 5, now: NOW })?.removed).toBe(5);
  });

  it("are not those that an autoscaler took long before", () => {
    const long = nodes(20, "removed", NOW - 2_000_000);
    expect(
      vanishedAlarm([...long, ...nodes(3, "doubted", NOW)], { present: 20, now: NOW }),
    ).toMatchObject({
      count: 3,
      total: 20,
      removed: 0,
    });
  });

  it.each([
    ["none", [], 10],
    ["two", nodes(2, "held", NOW), 3],
    ["one in fifty", nodes(4, "held", NOW), 200],
  ] as const)("are not %s", (_what, vanished, present) => {
    expect(vanishedAlarm(vanished, { present, now: NOW })).toBeUndefined();
  });
});
