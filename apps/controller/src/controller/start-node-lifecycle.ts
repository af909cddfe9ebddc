import { createNodeLifecycleReconciler } from "@cloudwright/core/controllers/node-lifecycle/create-node-lifecycle-reconciler";
import { startNodeLifecycleController } from "@cloudwright/core/controllers/node-lifecycle/start-node-lifecycle-controller";
import {
  type ControllerParts,
  type StartedController,
  startController,
} from "./started-controller.ts";

/** Starts the controller that taints nodes whose instance is off and deletes those whose instance is gone (spec/20). */
export function startNodeLifecycle(parts: ControllerParts): StartedController {
  const { flags } = parts.foundation;
  const monitorPeriodMs = flags["node-monitor-period"];
  const policy = { newNodeGraceMs: flags["new-node-grace"], monitorPeriodMs };
  return startController(parts, {
    name: "cloud-node-lifecycle-controller",
    concurrency: flags["concurrent-node-lifecycle-syncs"],
    build: (means) => {
      const reconciler = createNodeLifecycleReconciler({ ...means, policy });
      const feed = () => startNodeLifecycleController({ ...means, reconciler, monitorPeriodMs });
      return { reconciler, feed };
    },
  });
}
