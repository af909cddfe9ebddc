import { LifecycleChecks } from "@cloudwright/core/controllers/node-lifecycle/checks";
import { PASSES } from "@cloudwright/core/controllers/node-lifecycle/conclude";
import { createNodeLifecycleReconciler } from "@cloudwright/core/controllers/node-lifecycle/create-node-lifecycle-reconciler";
import { startNodeLifecycleController } from "@cloudwright/core/controllers/node-lifecycle/start-node-lifecycle-controller";
import type { Trigger } from "@cloudwright/core/model/run";
import {
  type ControllerParts,
  type StartedController,
  startController,
} from "./started-controller.ts";

const RELEASED: Trigger = { kind: "change", what: "released from the deletion guard" };

/** Starts the controller that taints nodes whose instance is off and deletes those whose instance is gone (spec/20). */
export function startNodeLifecycle(parts: ControllerParts): StartedController {
  const { foundation, controls } = parts;
  const { flags } = foundation;
  const monitorPeriodMs = flags["node-monitor-period"];
  const policy = { newNodeGraceMs: flags["new-node-grace"], monitorPeriodMs };
  const { clock, metrics } = foundation;
  const checks = new LifecycleChecks(clock, (value) =>
    metrics.declared.record({ name: PASSES, value }),
  );
  return startController(parts, {
    name: "cloud-node-lifecycle-controller",
    concurrency: flags["concurrent-node-lifecycle-syncs"],
    build: (means) => {
      const { guard } = controls;
      const reconciler = createNodeLifecycleReconciler({ ...means, policy, guard });
      controls.onReleased((nodes) => {
        for (const { name } of nodes) means.queue.add(name, RELEASED, "change");
      });
      const feed = () => startNodeLifecycleController({ ...means, checks, guard, monitorPeriodMs });
      return { reconciler, feed, ended: (outcome) => checks.ended(outcome) };
    },
  });
}
