import { expect, it } from "vitest";
import type { LoopProgress } from "../../model/actions/intent.ts";
import type { ControllerName } from "../../model/controller-names.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import { type Change, combinedPlanHash, type Next } from "../../model/plan.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import type {
  IntentTarget,
  Preview,
  PreviewOptions,
  RetryReport,
  RetryRequest,
  RunOutcome,
} from "../loop-port.ts";
import { intent } from "../testing/intents-fixture.ts";
import { change } from "../testing/loop-fixture.ts";
import { carryOut } from "./carry-out-intent.ts";

const NODE = "cloud-node-controller";
const ROUTE = "node-route-controller";
const CONTROLLERS = [NODE, ROUTE] as const satisfies readonly ControllerName[];
const ACTION = { kind: "retry", controllers: [...CONTROLLERS] } as const;

const NO_MACHINE: Next = {
  kind: "failed",
  reason: { code: "InstanceNotFound", provider: "sandbox", by: "name", value: "w-1" },
};
const WELL: Next = { kind: "settled", reason: { code: "InStep" } };

/** A loop whose run makes its changes, unless its plan fails. */
class PlayedLoop implements IntentTarget {
  readonly #name: string;
  readonly #next: Next;
  readonly #done: string[];
  changes: readonly Change[] = [change("w-1")];
  /** Lets a test make its preview throw. */
  previewFails: () => void = () => undefined;
  /** Lets a test change other things during its run. */
  onRun: () => void = () => undefined;

  constructor(name: string, next: Next, done: string[]) {
    this.#name = name;
    this.#next = next;
    this.#done = done;
  }

  carriesOut(): boolean {
    return true;
  }

  object(): ObjectRef {
    return { kind: "Node", name: "w-1", uid: "uid-w-1" };
  }

  keyOf(): string {
    return "w-1";
  }

  preview(_key: string, { trigger }: PreviewOptions): Promise<Preview> {
    this.#done.push(`${this.#name} look by ${trigger.kind}`);
    this.previewFails();
    return Promise.resolve(this.#preview);
  }

  retry(_key: string, { planHash, onWriting }: RetryRequest): Promise<RetryReport> {
    if (planHash !== undefined && planHash !== this.#preview.planHash) {
      return Promise.resolve({ kind: "planChanged", preview: this.#preview });
    }
    this.#done.push(`${this.#name} run`);
    const run =
      this.#next.kind === "failed" ? this.#outcome("failed", 0) : this.#succeed(onWriting);
    this.onRun();
    return Promise.resolve({ kind: "ran", run });
  }

  get #preview(): Preview {
    const plan = { changes: this.changes, notTaken: [], next: this.#next };
    return { plan, planHash: `${this.#name}-${this.changes.length}` };
  }

  #succeed(onWriting: RetryRequest["onWriting"]): RunOutcome {
    const applied = this.changes.length;
    if (applied > 0) onWriting?.(`run-${this.#name}`);
    this.changes = [];
    return this.#outcome(applied > 0 ? "changed" : "unchanged", applied);
  }

  #outcome(outcome: RunOutcome["outcome"], applied: number): RunOutcome {
    return {
      controller: NODE,
      object: this.object(),
      runId: `run-${this.#name}`,
      trigger: { kind: "retry" },
      outcome,
      state: outcome === "failed" ? "stuck" : "ok",
      reason: this.#next.reason,
      failures: 0,
      nextAt: undefined,
      applied,
      written: [],
      unwritten: [],
      durationMs: 1,
      queuedMs: 0,
      dryRun: false,
    };
  }
}

function fixture(node: Next = WELL, route: Next = WELL) {
  const done: string[] = [];
  const progress: (readonly LoopProgress[])[] = [];
  const nodes = new PlayedLoop("node", node, done);
  const routes = new PlayedLoop("route", route, done);
  const ends = new AbortController();
  const ask = (more: Parameters<typeof intent>[0] = {}) =>
    carryOut({
      intent: intent({ action: ACTION, ...more }),
      loop: nodes,
      loops: new Map<ControllerName, IntentTarget>([
        [NODE, nodes],
        [ROUTE, routes],
      ]),
      controls: undefined,
      clock: createManualClock(),
      signal: ends.signal,
      onWriting: (runId) => void done.push(`writing ${runId}`),
      onProgress: (loops) => void progress.push(loops),
    });
  const fail = (why: () => Error) => {
    for (const loop of [nodes, routes]) {
      loop.previewFails = () => {
        throw why();
      };
    }
  };
  return { ask, done, progress, ends, fail, node: nodes, route: routes };
}

it("retries each loop in turn, and is verified when each has observed the effect", async () => {
  const { ask, done, progress } = fixture();
  const report = await ask();
  expect(done).toEqual([
    ...["node run", "writing run-node", "node look by intent"],
    ...["route run", "writing run-route", "route look by intent"],
  ]);
  expect(report).toMatchObject({
    state: "verified",
    result: expect.stringMatching(/^Node initialisation verified: Done.* Routes verified: Done/),
    loops: [
      { controller: NODE, state: "verified", runId: "run-node" },
      { controller: ROUTE, state: "verified", runId: "run-route" },
    ],
  });
  expect(progress.map((loops) => loops.map(({ state }) => state).join(" "))).toEqual([
    "running requested",
    "running requested",
    "verified requested",
    "verified running",
    "verified running",
    "verified verified",
  ]);
});

it("fails with the cause of the loop that failed, although another loop succeeded", async () => {
  const { ask } = fixture(NO_MACHINE);
  expect(await ask()).toMatchObject({
    state: "failed",
    result: expect.stringMatching(/^Node initialisation failed: No instance .*Routes verified: /),
    loops: [
      { controller: NODE, state: "failed", result: expect.stringContaining("No instance") },
      { controller: ROUTE, state: "verified" },
    ],
  });
});

it("does not succeed if one of its loops is not running here", async () => {
  const { ask } = fixture();
  const action = { kind: "retry", controllers: [NODE, "node-ipam-controller"] } as const;
  expect(await ask({ action: { ...action, controllers: [...action.controllers] } })).toMatchObject({
    state: "failed",
    result: expect.stringMatching(/^Node IPAM rejected: .*is not running here/),
  });
});

it("is previewed by each loop, and promises nothing that one of them cannot do", async () => {
  const { ask, done } = fixture(NO_MACHINE);
  const report = await ask({ kind: "preview" });
  expect(done).toEqual(["node look by intent", "route look by intent"]);
  expect(report).toMatchObject({
    state: "verified",
    preview: {
      next: NO_MACHINE,
      changes: [change("w-1"), change("w-1")],
      loops: [
        { controller: NODE, plan: { next: NO_MACHINE } },
        { controller: ROUTE, plan: { next: WELL } },
      ],
      planHash: await combinedPlanHash(["node-1", "route-1"]),
    },
  });
});

it("writes nothing when any of the plans has changed since it was shown", async () => {
  const { ask, done, route } = fixture();
  const planHash = await combinedPlanHash(["node-1", "route-1"]);
  route.changes = [];
  const report = await ask({ planHash });
  expect(done).not.toContain("node run");
  expect(report).toMatchObject({
    state: "rejected",
    result: expect.stringMatching(/^The plan has changed/),
    preview: { loops: [{ controller: NODE }, { controller: ROUTE }] },
  });
});

it("reports why nothing could be observed, rather than a changed plan", async () => {
  const { ask, done, fail } = fixture();
  fail(() => new Error("the cloud is away"));
  const report = await ask({ planHash: await combinedPlanHash(["node-1", "route-1"]) });
  expect(done).not.toContain("node run");
  expect(report?.state).toBe("rejected");
  expect(report?.result).toMatch(/^Node initialisation: .*the cloud is away.* Routes: /);
});

it.each(["retry", "preview"] as const)(
  "is left to the next leader where this one's time ends before it knows the plans (%s)",
  async (kind) => {
    const { ask, ends, fail } = fixture();
    fail(() => {
      ends.abort();
      return new Error("aborted");
    });
    const planHash = await combinedPlanHash(["node-1", "route-1"]);
    expect(await ask({ kind, planHash })).toBeUndefined();
  },
);

it("must match the plans that were shown only until the first write", async () => {
  const { ask, node, route } = fixture();
  const planHash = await combinedPlanHash(["node-1", "route-1"]);
  node.onRun = () => {
    route.changes = [change("w-1"), change("w-1")];
  };
  expect(await ask({ planHash })).toMatchObject({ state: "verified" });
});

it("is continued by the next leader where the last one stopped", async () => {
  const { ask, done } = fixture();
  const report = await ask({
    state: "claimed",
    runIds: ["run-of-the-last-leader"],
    loops: [
      { controller: NODE, state: "verified", result: "Done.", runId: "run-of-the-last-leader" },
      { controller: ROUTE, state: "running" },
    ],
  });
  expect(done).not.toContain("node run");
  expect(report).toMatchObject({
    state: "verified",
    loops: [{ result: "Done." }, { state: "verified" }],
  });
});

it("in the old form is carried out only by the loop that it names", async () => {
  const { ask, done } = fixture();
  expect(await ask({ action: { kind: "retry" } })).toMatchObject({
    state: "verified",
    result: "Done and confirmed: It is in sync with the cloud.",
  });
  expect(done).not.toContain("route run");
});
