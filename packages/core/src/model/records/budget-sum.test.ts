import { describe, expect, it } from "vitest";
import type { OperationCounts } from "./budget-record.ts";
import {
  durationAt,
  sumControllers,
  sumLookups,
  sumOperations,
  sumPriorities,
} from "./budget-sum.ts";

function counts(over: Partial<OperationCounts>): OperationCounts {
  return {
    operation: "GET /v1/instances",
    calls: 1,
    throttled: 0,
    failed: 0,
    retries: 0,
    waited: 0,
    waitMs: 0,
    longestWaitMs: 0,
    durations: [1],
    ...over,
  };
}

describe("the sum of several minutes", () => {
  it("has each operation once, the most called first", () => {
    const sum = sumOperations([
      counts({ calls: 2, waitMs: 30, longestWaitMs: 20, durations: [1, 1] }),
      counts({ operation: "DELETE /v1/routes", calls: 4, throttled: 1 }),
      counts({ calls: 1, waitMs: 50, longestWaitMs: 50, durations: [0, 0, 1] }),
    ]);
    expect(sum).toMatchObject([
      { operation: "DELETE /v1/routes", calls: 4, throttled: 1 },
      { operation: "GET /v1/instances", calls: 3, waitMs: 80, longestWaitMs: 50 },
    ]);
    expect(sum[1]?.durations).toEqual([1, 1, 1]);
  });

  it("adds waits, lookups and controllers by their name", () => {
    const waits = { calls: 3, waited: 1, waitMs: 5, longestWaitMs: 5, putOff: 1 };
    expect(
      sumPriorities([
        { priority: "refresh", ...waits },
        { priority: "new", ...waits },
        { priority: "new", ...waits, longestWaitMs: 9 },
      ]),
    ).toEqual([
      { priority: "new", calls: 6, waited: 2, waitMs: 10, longestWaitMs: 9, putOff: 2 },
      { priority: "refresh", ...waits },
    ]);
    const lookups = { what: "look up instance", asked: 4, withoutCall: 1, shared: 2 };
    expect(sumLookups([lookups, lookups])).toEqual([
      { what: "look up instance", asked: 8, withoutCall: 2, shared: 4 },
    ]);
    const use = {
      controller: "cloud-node-controller",
      runs: 2,
      failed: 1,
      cloudCalls: 0.5,
      kubeCalls: 3,
      periodRuns: 1,
      periodCloudCalls: 0.25,
    } as const;
    expect(sumControllers([use, use])).toEqual([
      {
        ...use,
        runs: 4,
        failed: 2,
        cloudCalls: 1,
        kubeCalls: 6,
        periodRuns: 2,
        periodCloudCalls: 0.5,
      },
    ]);
  });
});

describe("the duration that a share of calls did not exceed", () => {
  it.each([
    { name: "of no call is not known", share: 0.95, durations: [], expected: undefined },
    {
      name: "lies within the bounds of its count",
      share: 0.5,
      durations: [0, 0, 4],
      expected: 17.5,
    },
    { name: "is a bound where all are needed", share: 1, durations: [2, 2], expected: 10 },
    {
      name: "passes over empty counts",
      share: 0.95,
      durations: [90, 0, 0, 0, 0, 10],
      expected: 175,
    },
    {
      name: "of what took longer than the last bound is that bound",
      share: 0.95,
      durations: [...new Array<number>(12).fill(0), 3],
      expected: 30_000,
    },
  ])("$name", ({ share, durations, expected }) => {
    expect(durationAt(share, durations)).toBe(expected);
  });
});
