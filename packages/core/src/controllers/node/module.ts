import { type ControllerModule, offered } from "../controller-module.ts";
import { NODE_METRICS } from "./conclude.ts";
import { createNodeReconciler } from "./create-node-reconciler.ts";
import type { NodePolicy } from "./observed.ts";
import { startNodeController } from "./start-node-controller.ts";

interface Flags {
  readonly "new-node-grace": number;
  readonly "concurrent-node-syncs": number;
}

const NODES = { group: "", resource: "nodes" } as const;

/** Initialises nodes and keeps them in sync (spec/10). */
export const nodeModule: ControllerModule<Flags> = {
  name: "cloud-node-controller",
  needs: { ofProvider: "instances" },
  watches: [],
  permissions: {
    part: "node",
    work: [
      { ...NODES, verbs: ["update"], without: "each new node costs one more call" },
      { ...NODES, verbs: ["patch"], without: "nodes are not kept in sync" },
      {
        group: "",
        resource: "nodes/status",
        verbs: ["patch"],
        without: "nodes get no addresses and stay uninitialised",
      },
    ],
  },
  metrics: NODE_METRICS,
  start: ({ flags, routesUnderWay, cloud, controls }, run) => {
    const instances = offered(cloud.instances, "instances");
    const period = controls.settings.of("node-status-update-frequency");
    const policy: NodePolicy = {
      newNodeGraceMs: flags["new-node-grace"],
      get refreshPeriodMs() {
        return period.value;
      },
    };
    return run({
      concurrency: flags["concurrent-node-syncs"],
      build: (means) => ({
        reconciler: createNodeReconciler({ ...means, instances, policy, routesUnderWay }),
        feed: () => startNodeController({ ...means, period }),
      }),
    });
  },
};
