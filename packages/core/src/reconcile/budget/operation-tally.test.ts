import { describe, expect, it } from "vitest";
import { OperationTally, type TalliedCall } from "./operation-tally.ts";

function call(over: Partial<TalliedCall> = {}): TalliedCall {
  return {
    operation: "GET /v1/instances",
    target: "all",
    durationMs: 20,
    limiterWaitMs: 0,
    result: "ok",
    ...over,
  };
}

describe("a tally of calls", () => {
  it("counts the results of calls by operation", () => {
    const tally = new OperationTally();
    tally.add(call());
    tally.add(call({ result: "throttled" }));
    tally.add(call({ operation: "POST /v1/routes", target: "r-1", result: "failed" }));
    expect(tally.take()).toMatchObject([
      { operation: "GET /v1/instances", calls: 2, throttled: 1, failed: 0 },
      { operation: "POST /v1/routes", calls: 1, throttled: 0, failed: 1 },
    ]);
    expect(tally.take()).toEqual([]);
  });

  it("counts as retries both resent calls and the first call after a failed one of the same target", () => {
    const tally = new OperationTally();
    tally.add(call({ result: "failed" }));
    tally.add(call({ target: "other" }));
    tally.take();
    tally.add(call());
    tally.add(call());
    expect(tally.take()).toMatchObject([{ calls: 2, retries: 1 }]);
    tally.add(call({ resent: 3 }));
    expect(tally.take()).toMatchObject([{ calls: 1, retries: 3 }]);
  });

  it("sorts durations without the wait for our limit, which it sums separately", () => {
    const tally = new OperationTally();
    tally.add(call({ durationMs: 320, limiterWaitMs: 300.4 }));
    tally.add(call({ durationMs: 40, limiterWaitMs: 20 }));
    tally.add(call({ durationMs: 90_000 }));
    const durations = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    expect(tally.take()).toMatchObject([{ waited: 2, waitMs: 320, longestWaitMs: 300, durations }]);
  });

  it("stays small when operations contain ids", () => {
    const tally = new OperationTally();
    for (let id = 0; id < 500; id += 1) tally.add(call({ operation: `GET /v1/instances/${id}` }));
    const taken = tally.take();
    expect(taken).toHaveLength(40);
    expect(taken[0]).toMatchObject({ operation: "other operations", calls: 461 });
  });
});
