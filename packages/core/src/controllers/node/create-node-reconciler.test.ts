import { beforeEach, expect, it } from "vitest";
import type { Node } from "../../kube/client.ts";
import { createManualClock, type ManualClock } from "../../model/testing/manual-clock.ts";
import { Driver } from "../../reconcile/testing/driver.ts";
import { HOLD_ANNOTATION } from "../hold/hold.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { FakeInformer, found, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { INSTANCES, testRun } from "../testing/test-run.ts";
import type { NodeChange } from "./changes.ts";
import { createNodeReconciler } from "./create-node-reconciler.ts";
import type { NodeMemory } from "./node-memory.ts";
import type { NodeObserved } from "./observed.ts";

const CHANGE = { kind: "change", what: "addresses" } as const;
const REFRESH_MS = 300_000;

let clock: ManualClock;
let informer: FakeInformer;
let driver: Driver<NodeObserved, NodeChange, NodeMemory, Node>;
let written: Node[];
/** The bodies of the writes. */
let sent: unknown[];

/** Answers like the API server: each write makes the next version. */
const answer = async (_target: unknown, body: unknown) => {
  sent.push(body);
  const version = String(10 + written.length);
  const { metadata, ...rest } = node({ resourceVersion: version, providerID: "p://i-1" });
  const answered = { ...rest, metadata: { ...metadata, managedFields: [{ manager: "kubelet" }] } };
  written.push(answered);
  return answered as never;
};
const client = { patch: answer, update: answer };

beforeEach(() => {
  clock = createManualClock();
  informer = new FakeInformer(node({ resourceVersion: "9", taints: [UNINITIALIZED] }));
  written = [];
  sent = [];
  const reconciler = createNodeReconciler({
    instances: INSTANCES,
    client,
    informer,
    sightings: watchNodes(informer, clock),
    policy: { newNodeGraceMs: REFRESH_MS, refreshPeriodMs: REFRESH_MS },
    provider: "p",
  });
  driver = new Driver(reconciler, clock);
});

async function initialise(): Promise<void> {
  await driver.run(
    "n1",
    testRun(() => found()),
  );
}

it("recognises the echoes of its own writes, whether the cache has seen none, one or all of them", async () => {
  expect(driver.isSettled("n1", CHANGE)).toBe(false);
  await initialise();
  expect(written).toHaveLength(2);
  expect(driver.isSettled("n1", CHANGE)).toBe(true);
  for (const echo of written) {
    informer.put(echo);
    expect(driver.isSettled("n1", CHANGE)).toBe(true);
  }
});

it("does not send back who wrote which field", async () => {
  await initialise();
  expect(sent).toHaveLength(2);
  expect(JSON.stringify(sent)).not.toContain("managedFields");
});

it("does not mistake another client's change for an echo, nor any other trigger", async () => {
  await initialise();
  expect(driver.isSettled("n1", { kind: "period" })).toBe(false);
  expect(driver.isSettled("n1", { kind: "retry" })).toBe(false);
  informer.put(node({ resourceVersion: "12", labels: { a: "b" } }));
  expect(driver.isSettled("n1", CHANGE)).toBe(false);
});

it("does not mistake a change for an echo once the periodic check is overdue, nor before the first run", async () => {
  await initialise();
  await clock.advance(REFRESH_MS + 1);
  expect(driver.isSettled("n1", CHANGE)).toBe(false);
  expect(driver.isSettled("n2", CHANGE)).toBe(false);
});

it.each([
  ["before its first write", 0],
  ["between its two writes", 1],
])("removes no taint of a node that is held %s", async (_, writes) => {
  const annotations = { [HOLD_ANNOTATION]: "racks" };
  const held = node({ resourceVersion: "20", taints: [UNINITIALIZED], annotations });
  driver.beforeWrite = () => {
    if (written.length === writes) informer.put(held);
  };
  const run = testRun(() => found());
  await expect(driver.run("n1", run)).rejects.toMatchObject({ code: "Conflict" });
  expect(written).toHaveLength(writes);
});
