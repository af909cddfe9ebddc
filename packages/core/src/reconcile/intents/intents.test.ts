import { describe, expect, it } from "vitest";
import type { Intent } from "../../model/actions/intent.ts";
import type { Next } from "../../model/plan.ts";
import { intent, intentsFixture } from "../testing/intents-fixture.ts";
import { change } from "../testing/loop-fixture.ts";

const HELD = {
  kind: "settled",
  reason: { code: "HeldByAnnotation", why: "repair" },
} as const satisfies Next;

const FAILING: Next = {
  kind: "failed",
  reason: { code: "ProviderIDMissing", provider: "sandbox" },
};

describe("a retry intent", () => {
  it("is verified when a second check finds its effect", async () => {
    const { all, source, reported } = intentsFixture();
    all.thing("w-1", [change("w-1")]);
    source.offer(intent());
    await reported(3);
    expect(source.reports).toMatchObject([
      { state: "running" },
      { state: "running", runId: all.last?.runId },
      {
        state: "verified",
        result: "Done and confirmed: It is in sync with the cloud.",
        runId: all.last?.runId,
      },
    ]);
    expect(all.observed).toHaveLength(2);
    const audit = all.of("audit").map(({ action, result }) => `${action} ${result}`);
    expect(audit).toEqual(["node.initialise applied"]);
  });

  it("needs no second check when there was nothing to do", async () => {
    const { all, source, reported } = intentsFixture();
    all.thing("w-1");
    source.offer(intent());
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "verified",
      result: "Nothing had to be changed: It is in sync with the cloud.",
    });
    expect(all.observed).toHaveLength(1);
  });

  it("fails with the diagnosis when its run does", async () => {
    const { all, source, reported } = intentsFixture();
    all.thing("w-1", [], FAILING);
    source.offer(intent());
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "failed",
      result: expect.stringMatching(/^Sandbox reports no provider ID for this instance\. Set/),
    });
  });

  it("is rejected for an object that is held", async () => {
    const { all, source, reported } = intentsFixture();
    all.thing("w-1", [], HELD);
    source.offer(intent());
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "rejected",
      result: expect.stringMatching(/repair\. Release it/),
    });
  });

  it("is not verified by a check that finds the object held meanwhile", async () => {
    const { all, source, reported } = intentsFixture();
    const thing = all.thing("w-1", [change("w-1")]);
    all.onApply = () => {
      thing.next = HELD;
      return Promise.resolve();
    };
    source.offer(intent());
    await reported(3, 100);
    expect(source.reports[2]).toMatchObject({
      state: "failed",
      result: expect.stringMatching(/repair\. Release it/),
    });
  });

  it("fails when three checks do not find its effect", async () => {
    const { all, source, reported } = intentsFixture();
    const thing = all.thing("w-1", [change("w-1")]);
    all.onApply = () => {
      thing.wanted = [change("w-1", "node.labels.write")];
      return Promise.resolve();
    };
    source.offer(intent());
    await reported(3, 100);
    expect(all.observed).toHaveLength(4);
    expect(source.reports[2]).toMatchObject({
      state: "failed",
      result: expect.stringMatching(/^It was carried out, but its effect was not observed/),
    });
  });

  it.each<[string, Partial<Intent>, RegExp]>([
    ["an unknown object", { object: { kind: "Node", name: "w-9" } }, /^Node w-9 is not in the/],
    [
      "an object that was made anew",
      { object: { kind: "Node", name: "w-1", uid: "uid-old" } },
      /^Node w-1 was recreated/,
    ],
    ["a changed plan", { planHash: "other" }, /^The plan has changed since it was shown/],
    [
      "a controller that is not here",
      { controller: "service-lb-controller" },
      /is not running here/,
    ],
  ])("is rejected for %s", async (_what, more, result) => {
    const { all, source } = intentsFixture();
    all.thing("w-1", [change("w-1")]);
    source.offer(intent(more));
    await all.until(() => source.states.get("i-1") === "rejected");
    expect(source.reports.at(-1)).toMatchObject({
      state: "rejected",
      result: expect.stringMatching(result),
    });
  });

  it("is left alone when another leader has it", async () => {
    const { all, source } = intentsFixture();
    all.thing("w-1", [change("w-1")]);
    source.claimable = false;
    source.offer(intent());
    await all.clock.advance(0);
    expect([source.reports, all.observed]).toEqual([[], []]);
  });

  it("is dropped when another leader claimed it before its run", async () => {
    const { all, source } = intentsFixture();
    all.thing("w-1", [change("w-1")]);
    source.taken = true;
    source.offer(intent());
    await all.clock.advance(0);
    expect(all.observed).toEqual([]);
  });

  it("is carried out once although it is offered again meanwhile", async () => {
    const { all, source, reported } = intentsFixture();
    all.thing("w-1", [change("w-1")]);
    all.onApply = () => new Promise((resolve) => void all.clock.after(1_000, resolve));
    source.offer(intent());
    await all.clock.advance(500);
    source.offer(intent({ state: "running" }));
    await reported(3, 100);
    expect(source.reports.map(({ state }) => state)).toEqual(["running", "running", "verified"]);
  });

  it("is reported when the database is back", async () => {
    const { all, source, errors, reported } = intentsFixture();
    all.thing("w-1", [change("w-1")]);
    source.failures = 2;
    source.offer(intent());
    await reported(3, 100);
    expect(source.reports.map(({ state }) => state)).toEqual(["running", "running", "verified"]);
    source.failures = 5;
    source.offer(intent({ id: "i-2" }));
    await all.until(() => errors.length > 0, 1_000);
    expect(errors).toMatchObject([{ message: "database away" }]);
  });

  it("stays open for the next leader when this one stops", async () => {
    const { all, source, ends } = intentsFixture();
    all.thing("w-1");
    all.onObserve = (_key, run) =>
      new Promise((_resolve, reject) => {
        run.signal.addEventListener("abort", () => reject(run.signal.reason));
      });
    source.offer(intent());
    await all.clock.advance(0);
    ends.abort();
    const stopping = all.loop.stop(0);
    await all.clock.advance(0);
    await stopping;
    expect(source.reports.map(({ state }) => state)).toEqual(["running"]);
  });

  it("is refused by a dry run", async () => {
    const { all, source, reported } = intentsFixture({ dryRun: true });
    all.thing("w-1", [change("w-1")]);
    source.offer(intent());
    await reported(1);
    expect(source.reports).toMatchObject([{ state: "rejected" }]);
  });
});

describe("a preview intent", () => {
  it("is answered with the plan and its hash, without a write, a run or an audit entry", async () => {
    const { all, source, reported } = intentsFixture({ dryRun: true });
    all.thing("w-1", [change("w-1")]);
    source.offer(intent({ kind: "preview" }));
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "verified",
      preview: {
        planHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        changes: [{ kind: "node.initialise" }],
        notTaken: [],
        next: { kind: "settled" },
      },
    });
    expect(all.records).toEqual([]);
  });

  it("reports within five seconds that no answer came", async () => {
    const { all, source, reported } = intentsFixture();
    all.thing("w-1");
    all.onObserve = (_key, run) =>
      new Promise((_resolve, reject) => {
        run.signal.addEventListener("abort", () => reject(run.signal.reason));
      });
    source.offer(intent({ kind: "preview" }));
    await reported(2, 500);
    expect(source.reports[1]).toEqual({
      state: "failed",
      result: "No answer came within 4.5 s; check the cloud's status and try again.",
    });
  });

  it("reports why it could not observe", async () => {
    const { all, source, reported } = intentsFixture();
    all.thing("w-1");
    all.onObserve = () => Promise.reject(new Error("out of cheese"));
    source.offer(intent({ kind: "preview" }));
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "failed",
      result: expect.stringMatching("out of cheese"),
    });
  });
});
