import { describe, expect, it } from "vitest";
import { type Intent, type IntentState, mayBecome } from "../model/intent.ts";
import type { Change, Next } from "../model/plan.ts";
import type { Reason } from "../model/reason.ts";
import type { ObjectWish, Wish } from "../model/wish.ts";
import type { ControlReport, ControlRequest, ControlTarget } from "./control-target.ts";
import { startIntents } from "./intents.ts";
import type { ControllerLoopOptions, Look } from "./loop-port.ts";
import type { IntentReport, IntentSource } from "./ports.ts";
import { change, LoopFixture, SETTLED, type Thing } from "./testing/loop-fixture.ts";

/** A source that keeps the states as the database would, and refuses moves that the model does not allow. */
class MemorySource implements IntentSource {
  readonly reports: IntentReport[] = [];
  readonly states = new Map<string, IntentState>();
  claimable: boolean = true;
  failures = 0;
  taken: boolean = false;
  #handler: (intent: Intent) => void = () => undefined;

  watch(handler: (intent: Intent) => void): void {
    this.#handler = handler;
  }

  offer(intent: Intent): void {
    this.states.set(intent.id, this.states.get(intent.id) ?? intent.state);
    this.#handler(intent);
  }

  claim(intent: Intent): Promise<boolean> {
    if (this.claimable) this.#move(intent, "claimed");
    return Promise.resolve(this.claimable);
  }

  report(intent: Intent, _claimant: unknown, report: IntentReport): Promise<boolean> {
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new Error("database away"));
    }
    if (this.taken) return Promise.resolve(false);
    this.#move(intent, report.state);
    this.reports.push(report);
    return Promise.resolve(true);
  }

  #move({ id }: Intent, to: IntentState): void {
    const from = this.states.get(id) ?? "requested";
    if (!mayBecome(from, to)) throw new Error(`${from} may not become ${to}`);
    this.states.set(id, to);
  }
}

function fixture(
  options: Partial<ControllerLoopOptions<Thing, Change>> = {},
  controls?: ControlTarget,
) {
  const all = new LoopFixture(options);
  const source = new MemorySource();
  const ends = new AbortController();
  const errors: unknown[] = [];
  startIntents({
    source,
    loops: new Map([
      ["cloud-node-controller", all.loop],
      ["cloud-node-lifecycle-controller", all.loop],
    ]),
    controls,
    claimant: { identity: "host_1", leaseTransitions: 3 },
    clock: all.clock,
    dryRun: options.dryRun ?? false,
    signal: ends.signal,
    onError: (error) => errors.push(error),
  });
  const reported = (count: number, stepMs = 0) =>
    all.until(() => source.reports.length >= count, stepMs);
  return { all, source, ends, errors, reported };
}

const HELD = {
  kind: "settled",
  reason: { code: "HeldByAnnotation", why: "repair" },
} as const satisfies Next;

function intent(more: Partial<Intent> = {}): Intent {
  return {
    id: "i-1",
    cluster: "cluster-1",
    kind: "retry",
    wish: { kind: "retry" },
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
    why: "the cloud is back",
    actor: "Ada",
    state: "requested",
    requestedAt: 0,
    expiresAt: 600_000,
    runIds: [],
    ...more,
  };
}

const FAILING: Next = {
  kind: "failed",
  reason: { code: "ProviderIDMissing", provider: "sandbox" },
};

describe("a retry intent", () => {
  it("is verified when its effect is seen on a second look", async () => {
    const { all, source, reported } = fixture();
    all.thing("w-1", [change("w-1")]);
    source.offer(intent());
    await reported(3);
    expect(source.reports).toMatchObject([
      { state: "running" },
      { state: "running", runId: all.last?.runId },
      {
        state: "verified",
        result: "Done, and seen when looked at again: It agrees with the cloud.",
        runId: all.last?.runId,
      },
    ]);
    expect(all.observed).toHaveLength(2);
    const audit = all.of("audit").map(({ action, result }) => `${action} ${result}`);
    expect(audit).toEqual(["node.initialise applied"]);
  });

  it("needs no second look when there was nothing to do", async () => {
    const { all, source, reported } = fixture();
    all.thing("w-1");
    source.offer(intent());
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "verified",
      result: "Nothing had to be changed: It agrees with the cloud.",
    });
    expect(all.observed).toHaveLength(1);
  });

  it("fails with the diagnosis when its run does", async () => {
    const { all, source, reported } = fixture();
    all.thing("w-1", [], FAILING);
    source.offer(intent());
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "failed",
      result: expect.stringMatching(/^Sandbox gives this instance no provider ID\. Set/),
    });
  });

  it("is rejected for an object that is held", async () => {
    const { all, source, reported } = fixture();
    all.thing("w-1", [], HELD);
    source.offer(intent());
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "rejected",
      result: expect.stringMatching(/repair\. Release it/),
    });
  });

  it("is not verified by a look at an object that was held meanwhile", async () => {
    const { all, source, reported } = fixture();
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

  it("fails when its effect is not there on three looks", async () => {
    const { all, source, reported } = fixture();
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
      result: expect.stringMatching(/^It was carried out, but its effect was not there/),
    });
  });

  it.each<[string, Partial<Intent>, RegExp]>([
    ["an unknown object", { object: { kind: "Node", name: "w-9" } }, /^Node w-9 is not in the/],
    [
      "an object that was made anew",
      { object: { kind: "Node", name: "w-1", uid: "uid-old" } },
      /^Node w-1 was made anew/,
    ],
    ["a changed plan", { planHash: "other" }, /^The plan has changed since it was shown/],
    ["a controller that is not here", { controller: "service-lb-controller" }, /does not run here/],
  ])("is rejected for %s", async (_what, more, result) => {
    const { all, source } = fixture();
    all.thing("w-1", [change("w-1")]);
    source.offer(intent(more));
    await all.until(() => source.states.get("i-1") === "rejected");
    expect(source.reports.at(-1)).toMatchObject({
      state: "rejected",
      result: expect.stringMatching(result),
    });
  });

  it("is left alone when another leader has it", async () => {
    const { all, source } = fixture();
    all.thing("w-1", [change("w-1")]);
    source.claimable = false;
    source.offer(intent());
    await all.clock.advance(0);
    expect([source.reports, all.observed]).toEqual([[], []]);
  });

  it("is dropped when another leader claimed it before it ran", async () => {
    const { all, source } = fixture();
    all.thing("w-1", [change("w-1")]);
    source.taken = true;
    source.offer(intent());
    await all.clock.advance(0);
    expect(all.observed).toEqual([]);
  });

  it("is carried out once when it is offered again meanwhile", async () => {
    const { all, source, reported } = fixture();
    all.thing("w-1", [change("w-1")]);
    all.onApply = () => new Promise((resolve) => void all.clock.after(1_000, resolve));
    source.offer(intent());
    await all.clock.advance(500);
    source.offer(intent({ state: "running" }));
    await reported(3, 100);
    expect(source.reports.map(({ state }) => state)).toEqual(["running", "running", "verified"]);
  });

  it("is reported when the database is back", async () => {
    const { all, source, errors, reported } = fixture();
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
    const { all, source, ends } = fixture();
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
    const { all, source, reported } = fixture({ dryRun: true });
    all.thing("w-1", [change("w-1")]);
    source.offer(intent());
    await reported(1);
    expect(source.reports).toMatchObject([{ state: "rejected" }]);
  });
});

describe("a preview intent", () => {
  it("is answered with the plan and its hash, without a write, a run or an audit entry", async () => {
    const { all, source, reported } = fixture({ dryRun: true });
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

  it("says within five seconds that no answer came", async () => {
    const { all, source, reported } = fixture();
    all.thing("w-1");
    all.onObserve = (_key, run) =>
      new Promise((_resolve, reject) => {
        run.signal.addEventListener("abort", () => reject(run.signal.reason));
      });
    source.offer(intent({ kind: "preview" }));
    await reported(2, 500);
    expect(source.reports[1]).toEqual({
      state: "failed",
      result: "No answer came within 4.5 s; look at the cloud's status and ask again.",
    });
  });

  it("says why it could not look", async () => {
    const { all, source, reported } = fixture();
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

const WAITING: Next = { kind: "waiting", reason: { code: "HeldByAnnotation" }, forMs: 1 };
const UNTIL = Date.parse("2026-01-01T01:00:00Z");
const HOLD: ObjectWish = { kind: "hold", until: UNTIL };
const NOTHING: Reason = { code: "NothingToDo", what: "the node is held as wished" };

describe("an intent to hold", () => {
  /** A world in which a thing is held by whoever asked last. */
  function holdable() {
    const all = fixture();
    const holders = new Map<string, string>();
    all.all.thing("w-1");
    all.all.onWish = ({ intentId }, { uid }) =>
      holders.get(uid) === intentId
        ? { changes: [], notTaken: [{ step: "hold", reason: NOTHING }], next: SETTLED }
        : { changes: [change("w-1", "node.hold")], notTaken: [], next: WAITING };
    all.all.onApply = ({ target }) => {
      holders.set(target.uid ?? "", "i-1");
      return Promise.resolve();
    };
    const shown = async () => {
      const asked = { wish: HOLD, intentId: "i-1", by: "Ada", why: "INC-88" } as const;
      const { signal } = new AbortController();
      return all.all.loop.look("w-1", { trigger: { kind: "period" }, asked, signal });
    };
    return { ...all, holders, shown };
  }

  const holding = (more: Partial<Intent> = {}) => intent({ kind: "hold", wish: HOLD, ...more });

  it("is verified when the hold is seen, and names its run as soon as that writes", async () => {
    const { all, source, shown, reported } = holdable();
    source.offer(holding({ planHash: (await shown())?.planHash ?? "" }));
    await reported(3);
    const [run] = all.of("run.end");
    expect(source.reports).toEqual([
      { state: "running" },
      { state: "running", runId: run?.id },
      {
        state: "verified",
        result: "Done, and seen when looked at again: The node is held as wished.",
        runId: run?.id,
      },
    ]);
  });

  it("fails when the hold is not there on three looks", async () => {
    const { all, source, reported } = holdable();
    all.onApply = () => Promise.resolve();
    source.offer(holding());
    await reported(3, 100);
    expect(source.reports[2]).toMatchObject({
      state: "failed",
      result: expect.stringMatching(/^It was carried out, but its effect was not there/),
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

  it("is rejected with the plan of now when that is another one", async () => {
    const { all, source, shown, reported } = holdable();
    source.offer(holding({ planHash: "other" }));
    await reported(2);
    const look = await shown();
    expect(source.reports[1]).toMatchObject({
      state: "rejected",
      result: expect.stringMatching(/^The plan has changed/),
      preview: { planHash: look?.planHash, changes: look?.plan.changes, next: WAITING },
    });
    expect(all.of("audit")).toEqual([]);
  });

  it("is rejected when it is there already, but verified when an earlier leader had made it", async () => {
    const { source, holders, reported } = holdable();
    holders.set("uid-w-1", "i-1");
    source.offer(holding());
    await reported(2);
    expect(source.reports[1]).toEqual({
      state: "rejected",
      result: "The node is held as wished.",
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
      { wish: { kind: "hold", until: Date.parse("2025-12-31T23:59:59Z") } },
      /^The end that was chosen has passed/,
    ],
    [
      "it wishes for more than its kind",
      { kind: "retry" },
      /^The request is for retry, but what it wishes for is hold/,
    ],
    [
      "it is for a loop that writes no holds",
      { controller: "cloud-node-lifecycle-controller" },
      /^cloud-node-lifecycle-controller cannot carry out a hold/,
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
    source.offer(intent({ id: "i-2", kind: "preview", wish: HOLD }));
    await reported(4);
    expect(source.reports[3]).toMatchObject({ state: "verified" });
  });

  it("is previewed with its own plan, and with why it is refused", async () => {
    const { source, holders, shown, reported } = holdable();
    const look = await shown();
    source.offer(intent({ kind: "preview", wish: HOLD }));
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "verified",
      preview: { planHash: look?.planHash, changes: [{ kind: "node.hold" }] },
    });
    holders.set("uid-w-1", "i-2");
    source.offer(intent({ id: "i-2", kind: "preview", wish: HOLD }));
    await reported(4);
    expect(source.reports[3]).toMatchObject({
      state: "rejected",
      result: "The node is held as wished.",
      preview: { changes: [], notTaken: [{ step: "hold" }] },
    });
  });
});

describe("an intent to pause", () => {
  const PAUSE: Wish = { kind: "pause", until: UNTIL };
  const pausing = (more: Partial<Intent> = {}) =>
    intent({
      kind: "pause",
      wish: PAUSE,
      object: { kind: "Controller", name: "cloud-node-controller" },
      planHash: "hash",
      ...more,
    });
  const LOOK: Look = {
    plan: { changes: [change("x", "controller.pause")], notTaken: [], next: SETTLED },
    planHash: "hash of now",
  };

  /** A control record that answers as the test says and keeps what was asked. */
  function recordThat(answer: ControlReport | Error) {
    const requests: ControlRequest[] = [];
    const controls: ControlTarget = {
      look: () => Promise.resolve(LOOK),
      carryOut: (request) => {
        requests.push(request);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    };
    return { controls, requests };
  }

  it.each<[string, ControlReport | Error, object]>([
    ["done", { kind: "done", result: "Paused." }, { state: "verified", result: "Paused." }],
    [
      "planned otherwise",
      { kind: "planChanged", look: LOOK },
      { state: "rejected", preview: { planHash: "hash of now" } },
    ],
    ["refused", { kind: "refused", reason: NOTHING }, { state: "rejected" }],
    [
      "impossible",
      new Error("out of cheese"),
      { state: "failed", result: expect.stringMatching("out of cheese") },
    ],
  ])("is %s by the control record, and no run is made", async (_what, answer, report) => {
    const { controls, requests } = recordThat(answer);
    const { all, source, reported } = fixture({}, controls);
    source.offer(pausing());
    await reported(2);
    expect(source.reports[1]).toMatchObject(report);
    const { object } = pausing();
    const asked = { wish: PAUSE, intentId: "i-1", by: "Ada", why: "the cloud is back" };
    expect(requests).toEqual([{ asked, object, planHash: "hash" }]);
    expect(all.observed).toEqual([]);
  });

  it("is previewed on the control record", async () => {
    const { source, reported } = fixture({}, recordThat(new Error("a preview wrote")).controls);
    source.offer(pausing({ kind: "preview" }));
    await reported(2);
    expect(source.reports[1]).toMatchObject({
      state: "verified",
      preview: { planHash: "hash of now", changes: [{ kind: "controller.pause" }] },
    });
  });

  it("says within five seconds that the control record does not answer", async () => {
    const hang = () => new Promise<never>(() => undefined);
    const { controls } = recordThat(new Error("a preview wrote"));
    const { source, reported } = fixture({}, { ...controls, look: hang });
    source.offer(pausing({ kind: "preview" }));
    await reported(2, 500);
    expect(source.reports[1]).toMatchObject({
      state: "failed",
      result: expect.stringMatching("4.5 s"),
    });
  });

  it("is rejected where no control record is kept", async () => {
    const { source, reported } = fixture();
    source.offer(pausing());
    await reported(2);
    expect(source.reports[1]).toMatchObject({ state: "rejected" });
  });
});
