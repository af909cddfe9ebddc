import { describe, expect, it, vi } from "vitest";
import type { ObjectAction } from "../../model/actions/action.ts";
import { type Plan, planHash } from "../../model/plan.ts";
import type { RetryReport } from "../loop-port.ts";
import {
  asNoUser,
  keepWilling,
  PendingRetries,
  type RetryPending,
  triggerOf,
} from "./pending-retries.ts";

const RETRY: ObjectAction = { kind: "retry" };
const HOLD: ObjectAction = { kind: "hold", until: 5 };
const SETTLED = { kind: "settled", reason: { code: "InStep" } } as const;
const PLAN: Plan = { changes: [], notTaken: [], next: SETTLED };

function request(intentId: string, action = RETRY, planHash?: string): RetryPending["request"] {
  const requested = { action, intentId, by: "Ada", why: "INC-88" };
  return { intentId, actor: `by-${intentId}`, requested, planHash };
}

function pending(intentId: string, action = RETRY, hash?: string) {
  return { request: request(intentId, action, hash), report: vi.fn<RetryPending["report"]>() };
}

const idsOf = (taken: readonly RetryPending[]) => taken.map((each) => each.request.intentId);

describe("the actions that wait for a run of their key", () => {
  it.each<[what: string, waiting: readonly ObjectAction[], runs: readonly string[][]]>([
    ["retries are answered by one run, however many", [RETRY, RETRY, RETRY], [["0", "1", "2"]]],
    ["another action has a run of its own", [HOLD], [["0"]]],
    ["two other actions have a run each", [HOLD, HOLD], [["0"], ["1"]]],
    ["retries before another action go first", [RETRY, RETRY, HOLD], [["0", "1"], ["2"]]],
    ["retries after it wait for it", [HOLD, RETRY, RETRY], [["0"], ["1", "2"]]],
    ["in the order of arrival", [RETRY, HOLD, RETRY, HOLD], [["0"], ["1"], ["2"], ["3"]]],
  ])("%s", (_what, waiting, runs) => {
    const all = new PendingRetries();
    for (const [id, action] of waiting.entries()) void all.wait("w-9", request(String(id), action));
    for (const run of runs) expect(idsOf(all.take("w-9"))).toEqual(run);
    expect(all.take("w-9")).toEqual([]);
  });

  it("are taken only by a run of their own key", () => {
    const all = new PendingRetries();
    void all.wait("w-1", request("a"));
    void all.wait("w-2", request("b"));
    expect(idsOf(all.take("w-2"))).toEqual(["b"]);
    expect(all.nextTrigger("w-2")).toBeUndefined();
    expect(all.nextTrigger("w-1")).toEqual({ kind: "intent", intentId: "a", actor: "by-a" });
  });

  it("learn their outcome from the run that took them", async () => {
    const all = new PendingRetries();
    const outcome = all.wait("w-9", request("a"));
    const answer: RetryReport = { kind: "refused", reason: { code: "InStep" } };
    for (const { report } of all.take("w-9")) report(answer);
    expect(await outcome).toBe(answer);
  });

  it("are all refused when their controller is paused, except those that a run has taken", async () => {
    const all = new PendingRetries();
    const taken = all.wait("w-1", request("a"));
    const [first] = all.take("w-1");
    const others = [all.wait("w-1", request("b")), all.wait("w-2", request("c"))];
    all.reject({ kind: "stopped" });
    expect(await Promise.all(others)).toEqual([{ kind: "stopped" }, { kind: "stopped" }]);
    first?.report({ kind: "refused", reason: { code: "InStep" } });
    expect(await taken).toMatchObject({ kind: "refused" });
    void all.wait("w-2", request("d"));
    expect(idsOf(all.take("w-2"))).toEqual(["d"]);
  });

  it("stay open when the loop stops, and a later one is answered at once", async () => {
    const all = new PendingRetries();
    const before = all.wait("w-9", request("a"));
    all.stop();
    expect(await before).toEqual({ kind: "stopped" });
    expect(await all.wait("w-9", request("b"))).toEqual({ kind: "stopped" });
    expect(all.take("w-9")).toEqual([]);
  });
});

describe("the trigger of their run", () => {
  it("names the first action", () => {
    expect(triggerOf([pending("a"), pending("b")])).toEqual({
      kind: "intent",
      intentId: "a",
      actor: "by-a",
    });
    expect(triggerOf([])).toBeUndefined();
  });

  it("names no user once all its actions were refused; other triggers stay", () => {
    expect(asNoUser({ kind: "intent", intentId: "a", actor: "ada" })).toEqual({ kind: "retry" });
    expect(asNoUser({ kind: "period" })).toEqual({ kind: "period" });
  });
});

describe("the requests that remain once the plan is known", () => {
  it("are all that were shown this plan or none", async () => {
    const shown = pending("a", HOLD, await planHash(PLAN));
    const unshown = pending("b");
    expect(idsOf(await keepWilling([shown, unshown], PLAN))).toEqual(["a", "b"]);
    expect(shown.report).not.toHaveBeenCalled();
    expect(unshown.report).not.toHaveBeenCalled();
  });

  it("do not include those that were shown another plan: they get the current one", async () => {
    const shown = pending("a", HOLD, "another");
    const unshown = pending("b");
    expect(idsOf(await keepWilling([shown, unshown], PLAN))).toEqual(["b"]);
    expect(shown.report).toHaveBeenCalledExactlyOnceWith({
      kind: "planChanged",
      preview: { plan: PLAN, planHash: await planHash(PLAN) },
    });
  });

  it("do not include those whose action the plan refuses, with its reason, whatever they were shown", async () => {
    const reason = { code: "NothingToDo", what: "it is held already" } as const;
    const refusing: Plan = { ...PLAN, notTaken: [{ step: "hold", reason }] };
    const [held, retried] = [pending("a", HOLD, "another"), pending("b")];
    expect(idsOf(await keepWilling([held, retried], refusing))).toEqual(["b"]);
    expect(held.report).toHaveBeenCalledExactlyOnceWith({ kind: "refused", reason });
    expect(retried.report).not.toHaveBeenCalled();
  });
});
