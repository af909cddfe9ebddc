import { type Lookup, ProviderError } from "@cloudwright/provider-api";
import { it } from "vitest";
import type { Node } from "../../kube/client.ts";
import type { Trigger } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { NODE_BACKOFF } from "../../queue/backoff.ts";
import { createWorkQueue } from "../../queue/work-queue.ts";
import { startControllerLoop } from "../../reconcile/controller-loop.ts";
import type { Effect } from "../../reconcile/effects.ts";
import type { RunOutcome } from "../../reconcile/loop-port.ts";
import { mostUrgent } from "../../reconcile/triggers.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { FakeInformer, found, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { expectPreviewsLeaveNothing } from "../testing/previews.ts";
import { readsOnly } from "../testing/reads-only.ts";
import { createNodeReconciler } from "./create-node-reconciler.ts";
import { startNodeController } from "./start-node-controller.ts";

const PERIOD_MS = 300_000;
const DOWN: Lookup = {
  kind: "failed",
  error: new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" }),
};

/** The node loop over an API server and a cloud in memory, on a clock of its own. */
function startNodes() {
  const clock = createManualClock();
  const informer = new FakeInformer();
  const effects: Effect[] = [];
  const writes: string[] = [];
  const outcomes: RunOutcome[] = [];
  const cloud: { answer: Lookup } = { answer: DOWN };
  /** What is written comes back as a node of the next version. */
  const write = (verb: string) => async (_target: unknown, body: unknown) => {
    writes.push(`${verb} ${JSON.stringify(body)}`);
    const resourceVersion = String(100 + writes.length);
    const taints = verb === "update" ? [] : [UNINITIALIZED];
    const providerID = verb === "update" ? { providerID: "p://i-1" } : {};
    const written: Node = node({ resourceVersion, taints, ...providerID });
    informer.put(written);
    return written as never;
  };
  const reconciler = createNodeReconciler({
    client: { patch: write("patch"), update: write("update") },
    informer,
    sightings: watchNodes(informer, clock),
    provider: "p",
    policy: { newNodeGraceMs: PERIOD_MS, refreshPeriodMs: PERIOD_MS },
  });
  const queue = createWorkQueue<Trigger>({
    name: "Nodes",
    clock,
    random: () => 0.5,
    backoff: NODE_BACKOFF,
    merge: mostUrgent,
  });
  const loop = startControllerLoop({
    reconciler: readsOnly(reconciler),
    queue,
    effects: { emit: (effect) => effects.push(effect) },
    concurrency: 4,
    recorder: { append: () => undefined },
    clock,
    random: () => 0.5,
    identity: { cluster: "c", instance: "i" },
    directory: { for: () => ({ lookup: async () => cloud.answer }) },
    onOutcome: (outcome) => void outcomes.push(outcome),
  });
  startNodeController({ informer, queue, clock, refreshPeriodMs: PERIOD_MS });
  const settle = (ms = 0) => clock.advance(ms);
  return { loop, settle, informer, cloud, effects, writes, outcomes };
}

type Environment = ReturnType<typeof startNodes>;

/** All that was published, remembered and written so far. */
function traces({ effects, writes, outcomes, loop }: Environment) {
  const { timeline, ...memory } = loop.memories.of("n1", loop.object("n1").uid);
  return {
    effects: [...effects],
    writes: [...writes],
    runs: outcomes.map(({ outcome, reason, written }) => [outcome, reason, written.length]),
    memory,
    timeline: timeline?.map(({ step, state, tries }) => [step, state, tries]),
  };
}

it("leave nothing of a node that waits for its cloud, is initialised, changes and goes", () =>
  expectPreviewsLeaveNothing<Environment>({
    keys: ["n1"],
    traces,
    start: async () => {
      const made = startNodes();
      await made.settle();
      return made;
    },
    steps: [
      ({ informer }) => informer.put(node({ taints: [UNINITIALIZED] })),
      ({ cloud }) => {
        cloud.answer = found();
      },
      ({ informer }) =>
        informer.put(node({ resourceVersion: "500", providerID: "p://i-1", labels: { a: "b" } })),
      ({ informer }) => informer.remove("n1"),
    ],
  }));
