import { type ControllerModule, offered } from "../controller-module.ts";
import { LifecycleChecks } from "./checks.ts";
import { LIFECYCLE_METRICS, PASSES } from "./conclude.ts";
import { createNodeLifecycleReconciler } from "./create-node-lifecycle-reconciler.ts";
import type { LifecyclePolicy } from "./observed.ts";
import { startNodeLifecycleController } from "./start-node-lifecycle-controller.ts";

interface Flags {
  readonly "new-node-grace": number;
  readonly "concurrent-node-lifecycle-syncs": number;
}

const NODES = { group: "", resource: "nodes" } as const;

/** Taints nodes whose instance is off and deletes those whose instance is gone (spec/20). */
export const nodeLifecycleModule: ControllerModule<Flags> = {
  name: "cloud-node-lifecycle-controller",
  needs: { ofProvider: "instances" },
  watches: [],
  permissions: {
    part: "node-lifecycle",
    work: [
      { ...NODES, verbs: ["patch"], without: "stopped nodes are not tainted" },
      { ...NODES, verbs: ["delete"], without: "nodes whose machine is gone are not deleted" },
    ],
  },
  metrics: LIFECYCLE_METRICS,
  migratesAs: "cloud-node-lifecycle-controller",
  start: ({ flags, clock, cloud, controls, instruments }, run) => {
    const instances = offered(cloud.instances, "instances");
    const period = controls.settings.of("node-monitor-period");
    const policy: LifecyclePolicy = {
      newNodeGraceMs: flags["new-node-grace"],
      get monitorPeriodMs() {
        return period.value;
      },
    };
    const checks = new LifecycleChecks(clock, (value) => instruments.record(PASSES, value));
    return run({
      concurrency: flags["concurrent-node-lifecycle-syncs"],
      build: (means) => {
        const { guard } = controls;
        controls.onReleased((nodes, what) => {
          for (const { name } of nodes) means.queue.add(name, { kind: "change", what }, "change");
        });
        return {
          reconciler: createNodeLifecycleReconciler({ ...means, instances, policy, guard }),
          feed: () => startNodeLifecycleController({ ...means, checks, guard, period }),
          ended: (outcome) => checks.ended(outcome),
        };
      },
    });
  },
};
