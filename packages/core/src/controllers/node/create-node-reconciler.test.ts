import { beforeEach, expect, it } from "vitest";
import type { Node } from "../../kube/client.ts";
import { createManualClock, type ManualClock } from "../../model/testing/manual-clock.ts";
import { HOLD_ANNOTATION } from "../hold/hold.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { FakeInformer, found, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { testRun } from "../testing/test-run.ts";
import { createNodeReconciler, type NodeReconciler } from "./create-node-reconciler.ts";

const CHANGE = { kind: "change", what: "addresses" } as const;
const REFRESH_MS = 300_000;

let clock: ManualClock;
let informer: FakeInformer;
let reconciler: NodeReconciler;
let written: Node[];

/** The API server's answers: each write makes the next version. */
const answer = async () => {
  const version = String(10 + written.length);
  const answered = node({ resourceVersion: version, providerID: "p://i-1" });
  written.push(answered);
  return answered as never;
};
const client = { patch: answer, update: answer };

beforeEach(() => {
  clock = createManualClock();
  informer = new FakeInformer(node({ resourceVersion: "9", taints: [UNINITIALIZED] }));
  written = [];
  reconciler = createNodeReconciler({
    client,
    informer,
    sightings: watchNodes(informer, clock),
    events: { event: () => undefined },
    metrics: {
      observeTaintRemovalDelay: () => undefined,
      observeInitialSyncDelay: () => undefined,
    },
    clock,
    policy: { newNodeGraceMs: REFRESH_MS, refreshPeriodMs: REFRESH_MS },
    provider: "p",
  });
});

async function initialise(): Promise<void> {
  const run = testRun(() => found());
  const observed = await reconciler.observe("n1", run);
  if (observed === undefined) throw new Error("the node is there");
  const plan = reconciler.plan(observed, clock.now());
  for (const change of plan.changes) await reconciler.apply(change, observed, run);
  const result = { applied: plan.changes.length, runId: run.runId, startedAt: 0, endedAt: 1 };
  reconciler.project(observed, plan, result);
}

it("knows the echoes of its own writes, whether the cache has seen none, one or all of them", async () => {
  expect(reconciler.isSettled?.("n1", CHANGE)).toBe(false);
  await initialise();
  expect(written).toHaveLength(2);
  expect(reconciler.isSettled?.("n1", CHANGE)).toBe(true);
  for (const echo of written) {
    informer.put(echo);
    expect(reconciler.isSettled?.("n1", CHANGE)).toBe(true);
  }
});

it("takes another's change for what it is, and any other trigger", async () => {
  await initialise();
  expect(reconciler.isSettled?.("n1", { kind: "period" })).toBe(false);
  expect(reconciler.isSettled?.("n1", { kind: "retry" })).toBe(false);
  informer.put(node({ resourceVersion: "12", labels: { a: "b" } }));
  expect(reconciler.isSettled?.("n1", CHANGE)).toBe(false);
});

it("does not take a change for an echo once the periodic look is overdue, nor before the first run", async () => {
  await initialise();
  await clock.advance(REFRESH_MS + 1);
  expect(reconciler.isSettled?.("n1", CHANGE)).toBe(false);
  expect(reconciler.isSettled?.("n2", CHANGE)).toBe(false);
});

it.each([
  ["before its first write", 0],
  ["between its two writes", 1],
])("frees no node that is held %s", async (_, writes) => {
  const run = testRun(() => found());
  const observed = await reconciler.observe("n1", run);
  if (observed === undefined) throw new Error("the node is there");
  const { changes } = reconciler.plan(observed, clock.now());
  for (const change of changes.slice(0, writes)) await reconciler.apply(change, observed, run);
  const annotations = { [HOLD_ANNOTATION]: "racks" };
  informer.put(node({ resourceVersion: "20", taints: [UNINITIALIZED], annotations }));
  const [next] = changes.slice(writes);
  if (next === undefined) throw new Error("a write is left");
  await expect(reconciler.apply(next, observed, run)).rejects.toMatchObject({ code: "Conflict" });
  expect(written).toHaveLength(writes);
});
