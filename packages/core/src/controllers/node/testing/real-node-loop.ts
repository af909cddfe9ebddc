import { type Lookup, ProviderError } from "@cloudwright/provider-api";
import { systemClock, systemRandom } from "../../../kube/system-clock.ts";
import type { LedgerRecord } from "../../../model/records/record.ts";
import type { Trigger } from "../../../model/run.ts";
import { fixed } from "../../../model/values/live-value.ts";
import { NODE_BACKOFF } from "../../../queue/backoff.ts";
import { createWorkQueue } from "../../../queue/work-queue.ts";
import { startControllerLoop } from "../../../reconcile/controller-loop.ts";
import type { ControllerLoop, RunOutcome } from "../../../reconcile/loop-port.ts";
import { mostUrgent } from "../../../reconcile/triggers.ts";
import { watchNodes } from "../../objects/node-sightings.ts";
import type { RealCluster } from "../../testing/real-cluster.ts";
import { createNodeReconciler } from "../create-node-reconciler.ts";
import { nodeModule } from "../module.ts";
import { startNodeController } from "../start-node-controller.ts";

/** The node loop as in production, on a real API server and a cloud that the test controls. */
export interface RealNodeLoop {
  readonly loop: ControllerLoop;
  /** The cloud's answers by node name; it is down for all others. */
  readonly cloud: Map<string, Lookup>;
  readonly records: readonly LedgerRecord[];
  readonly events: readonly string[];
  /** The last outcome of each node. */
  readonly outcomes: ReadonlyMap<string, RunOutcome>;
  stop(): Promise<void>;
}

const DOWN: Lookup = {
  kind: "failed",
  error: new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" }),
};

export function startRealNodeLoop(cluster: RealCluster): RealNodeLoop {
  const cloud = new Map<string, Lookup>();
  const records: LedgerRecord[] = [];
  const events: string[] = [];
  const outcomes = new Map<string, RunOutcome>();
  const queue = createWorkQueue<Trigger>({
    name: "Nodes",
    clock: systemClock,
    random: systemRandom,
    backoff: NODE_BACKOFF,
    merge: mostUrgent,
  });
  const reconciler = createNodeReconciler({
    client: cluster.client,
    informer: cluster.nodes,
    sightings: watchNodes(cluster.nodes, systemClock),
    policy: { newNodeGraceMs: 300_000, refreshPeriodMs: 300_000 },
    provider: "p",
    instances: {
      for: () => ({ lookup: async ({ nodeName }) => cloud.get(nodeName) ?? DOWN }),
    },
  });
  const loop = startControllerLoop({
    controller: nodeModule,
    reconciler,
    effects: {
      emit: (effect) => {
        if (effect.kind !== "event") return;
        const { type, reason, message } = effect.event;
        events.push(`${effect.target.name} ${type} ${reason}: ${message}`);
      },
    },
    queue,
    concurrency: 4,
    recorder: { append: (record) => void records.push(record) },
    clock: systemClock,
    random: systemRandom,
    identity: { cluster: "cluster-1", instance: "host_1" },
    onOutcome: (outcome) => void outcomes.set(outcome.object.name, outcome),
  });
  const stopFeeding = startNodeController({
    informer: cluster.nodes,
    queue,
    clock: systemClock,
    period: fixed(300_000),
  });
  return {
    loop,
    cloud,
    records,
    events,
    outcomes,
    stop: async () => {
      stopFeeding();
      await loop.stop(5_000);
    },
  };
}
