import { createNodeReconciler } from "@cloudwright/core/controllers/node/create-node-reconciler";
import { startNodeController } from "@cloudwright/core/controllers/node/start-node-controller";
import {
  type ControllerParts,
  createEvents,
  createQueue,
  type StartedController,
  startLoop,
} from "./started-controller.ts";

const NAME = "cloud-node-controller";

/** Starts the controller that initialises nodes and keeps them in step (spec/10). */
export function startNode(parts: ControllerParts): StartedController {
  const { foundation, client, nodes, cloud } = parts;
  const { flags, clock, metrics } = foundation;
  const refreshPeriodMs = flags["node-status-update-frequency"];
  const queue = createQueue(parts, NAME);
  const events = createEvents(parts, NAME);
  const reconciler = createNodeReconciler({
    client,
    informer: nodes,
    events,
    metrics: metrics.nodes,
    clock,
    policy: { newNodeGraceMs: flags["new-node-grace"], refreshPeriodMs },
    provider: cloud.provider.name,
  });
  const concurrency = flags["concurrent-node-syncs"];
  const loop = startLoop(parts, { reconciler, queue, events, concurrency });
  const stopFeeding = startNodeController({
    informer: nodes,
    queue,
    reconciler,
    clock,
    refreshPeriodMs,
  });
  return {
    name: NAME,
    loop,
    queue,
    events,
    stop: (deadlineMs) => {
      stopFeeding();
      return loop.stop(deadlineMs);
    },
  };
}
