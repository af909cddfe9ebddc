import { createNodeReconciler } from "@cloudwright/core/controllers/node/create-node-reconciler";
import { startNodeController } from "@cloudwright/core/controllers/node/start-node-controller";
import {
  type ControllerParts,
  type StartedController,
  startController,
} from "./started-controller.ts";

/** Starts the controller that initialises nodes and keeps them in step (spec/10). */
export function startNode(parts: ControllerParts): StartedController {
  const { foundation, routesUnderWay } = parts;
  const { flags } = foundation;
  const refreshPeriodMs = flags["node-status-update-frequency"];
  const policy = { newNodeGraceMs: flags["new-node-grace"], refreshPeriodMs };
  return startController(parts, {
    name: "cloud-node-controller",
    concurrency: flags["concurrent-node-syncs"],
    build: (means) => {
      const reconciler = createNodeReconciler({ ...means, policy, routesUnderWay });
      const feed = () => startNodeController({ ...means, refreshPeriodMs });
      return { reconciler, feed };
    },
  });
}
