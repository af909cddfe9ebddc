import { createNodeLifecycleReconciler } from "@cloudwright/core/controllers/node-lifecycle/create-node-lifecycle-reconciler";
import { startNodeLifecycleController } from "@cloudwright/core/controllers/node-lifecycle/start-node-lifecycle-controller";
import {
  type ControllerParts,
  createEvents,
  createQueue,
  type StartedController,
  startLoop,
} from "./started-controller.ts";

const NAME = "cloud-node-lifecycle-controller";

/** Starts the controller that taints nodes whose instance is off and deletes those whose instance is gone (spec/20). */
export function startNodeLifecycle(parts: ControllerParts): StartedController {
  const { foundation, client, nodes, cloud } = parts;
  const { flags, clock, metrics } = foundation;
  const monitorPeriodMs = flags["node-monitor-period"];
  const queue = createQueue(parts, NAME);
  const events = createEvents(parts, NAME);
  const reconciler = createNodeLifecycleReconciler({
    client,
    informer: nodes,
    events,
    metrics: metrics.nodes,
    clock,
    policy: { newNodeGraceMs: flags["new-node-grace"], monitorPeriodMs },
    provider: cloud.provider.name,
  });
  const concurrency = flags["concurrent-node-lifecycle-syncs"];
  const loop = startLoop(parts, { reconciler, queue, events, concurrency });
  const stopFeeding = startNodeLifecycleController({
    informer: nodes,
    queue,
    reconciler,
    clock,
    monitorPeriodMs,
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
