import { describe, expect, it } from "vitest";
import type { ObjectAction } from "../../model/actions/action.ts";
import type { Intent } from "../../model/actions/intent.ts";
import type { Next } from "../../model/plan.ts";
import { intent, intentsFixture, NOTHING, UNTIL } from "../testing/intents-fixture.ts";
import { change, SETTLED } from "../testing/loop-fixture.ts";

const WAITING: Next = { kind: "waiting", reason: { code: "HeldByAnnotation" }, forMs: 1 };
const HOLD: ObjectAction = { kind: "hold", until: UNTIL };

describe("an intent to hold", () => {
  /** Returns objects that are held by whoever asked last. */
  function holdable() {
    const all = intentsFixture();
    const holders = new Map<string, string>();
    all.all.thing("w-1");
    all.all.onRequest = ({ intentId }, { uid }) =>
      holders.get(uid) === intentId
        ? { changes: [], notTaken: [{ step: "hold", reason: NOTHING }], next: SETTLED }
        : { changes: [change("w-1", "node.hold")], notTaken: [], next: WAITING };
    all.all.onApply = ({ target }) => {
      holders.set(target.uid ?? "", "i-1");
      return Promise.resolve();
    };
    const shown = async () => {
      const requested = { action: HOLD, intentId: "i-1", by: "Ada", why: "INC-88" } as const;
      const { signal } = new AbortController();
      return all.all.loop.preview("w-1", { trigger: { kind: "period" }, requested, signal });
    };
    return { ...all, holders, shown };
  }

  const holding = (more: Partial<Intent> = {}) => intent({ kind: "hold", action: HOLD, ...more });

  it("is verified when the hold is observed, and names its run as soon as that writes", async () => {
    const { all, source, shown, reported } = holdable();
    source.offer(holding({ planHash: (await shown())?.planHash ?? "" }));
    await reported(3);
    const [run] = all.of("run.end");
    expect(source.reports).toEqual([
      { state: "running" },
      { state: "running", runId: run?.id },
      {
        state: "verified",
        result: "Done and confirmed: The node is held as requested.",
        evidence: { reason: NOTHING },
        runId: run?.id,
      },
    ]);
  });

  it("fails when three checks do not find the hold", async () => {
    const { all, source, reported } = holdable();
    all.onApply = () => Promise.resolve();
    source.offer(holding());
    await reported(3, 100);
    expect(source.reports[2]).toMatchObject({
      state: "failed",
      result: expect.stringMatching(/^It was carried out, but its effect was not observed/),
    });
  });

  it.each([
    ["was made although its answer got lost", true, "verified"],
    ["was not made", false, "failed"],
  ] as const)("whose write failed ends by what is seen: it %s", async (_what, isMade, state) => {
    const { all, source, holders, reported } = holdable();
    all.onApply = ({ target }) => {
      if (isMade) holders.set(target.uid ?? "", "i-1");
      return Promise.reject(new Error("connection reset"));
    };
    source.offer(holding());
    await reported(3, 100);
    expect(source.reports[2]).toMatchObject({ state });
  });

  it("is rejected with the current plan when that has changed", async () => {
    const { all, source, shown, reported } = holdable();
    source.offer(holding({ planHash: "other" }));
    await reported(2);
    const preview = await shown();
    expect(source.reports[1]).toMatchObject({
      state: "rejected",
      result: expect.stringMatching(/^The plan has changed/),
      preview: { planHash: preview?.planHash, changes: preview?.plan.changes, next: WAITING },
    });
    expect(all.of("audit")).toEqual([]);
  });

  it("is rejected when the hold exists already, but verified when an earlier leader may have set it", async () => {
    const { source, holders, reported } = holdable();
    holders.set("uid-w-1", "i-1");
    source.offer(holding());
    await reported(2);
    expect(source.reports[1]).toEqual({
      state: "rejected",
      result: "The node is held as requested.",
      evidence: { reason: NOTHING },
    });
    source.states.clear();
    source.offer(holding({ state: "running", planHash: "of the time before" }));
    await reported(4);
    expect(source.reports[3]).toMatchObject({ state: "verified" });
  });

  it.each([
    ["carried on though the plan is another, after a run wrote in its name", ["r-1"], "verified"],
    ["rejected when the plan is another and nothing was written", [], "rejected"],
  ] as const)("of an earlier leader is %s", async (_what, runIds, state) => {
    const { all, source } = holdable();
    source.offer(holding({ state: "running", planHash: "other", runIds: [...runIds] }));
    await all.until(() => source.states.get("i-1") === state);
  });

  it.each<[string, Partial<Intent>, RegExp]>([
    [
      "its end has passed",
      { action: { kind: "hold", until: Date.parse("2025-12-31T23:59:59Z") } },
      /^The chosen end has already passed/,
    ],
    [
      "its action is of another kind",
      { kind: "retry" },
      /^The request is for retry, but its action is hold/,
    ],
    [
      "it is for a loop that writes no holds",
      { controller: "cloud-node-lifecycle-controller" },
      /^cloud-node-lifecycle-controller cannot carry out the action hold/,
    ],
  ])("is rejected when %s", async (_what, more, result) => {
    const { all, source, reported } = holdable();
    source.offer(holding(more));
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "rejected",
      result: expect.stringMatching(result),
    });
    expect(all.observed).toEqual([]);
  });

  it("is rejected with the pause's sentence while its controller is paused", async () => {
    const { all, source, reported } = holdable();
    await all.loop.pause({
      controller: "cloud-node-controller",
      by: "Bo",
      why: "LB migration",
      at: 0,
      until: UNTIL,
      intentId: "i-0",
    });
    source.offer(holding());
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "rejected",
      result: expect.stringMatching(/paused by Bo.*LB migration.*Resume/),
    });
    source.offer(intent({ id: "i-2", kind: "preview", action: HOLD }));
    await reported(4);
    expect(source.reports[3]).toMatchObject({ state: "verified" });
  });

  it("is previewed with its own plan, and with the reason of a refusal", async () => {
    const { source, holders, shown, reported } = holdable();
    const preview = await shown();
    source.offer(intent({ kind: "preview", action: HOLD }));
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "verified",
      preview: { planHash: preview?.planHash, changes: [{ kind: "node.hold" }] },
    });
    holders.set("uid-w-1", "i-2");
    source.offer(intent({ id: "i-2", kind: "preview", action: HOLD }));
    await reported(4);
    expect(source.reports[3]).toMatchObject({
      state: "rejected",
      result: "The node is held as requested.",
      preview: { changes: [], notTaken: [{ step: "hold" }] },
    });
  });
});
