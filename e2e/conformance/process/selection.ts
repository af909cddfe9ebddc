import { demand, same } from "../../harness/wait.ts";
import { isolatedRows } from "../environment/isolated.ts";
import {
  createNode,
  hasTaint,
  initialised,
  nodeStays,
  setReady,
  UNINITIALIZED,
} from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { CLUSTER_CIDR } from "../route/objects.ts";
import { NODE_LOOPS, runs, startNow } from "./starting.ts";

/** Turns on every controller that has a flag of its own. */
const ALL_ON = {
  "--configure-cloud-routes": "true",
  "--allocate-node-cidrs": "true",
  "--cluster-cidr": CLUSTER_CIDR,
};
const DEFAULT_LOOPS = [...NODE_LOOPS, "node-ipam-controller", "node-route-controller"];
const ALIASES = {
  "cloud-node": "cloud-node-controller",
  "cloud-node-lifecycle": "cloud-node-lifecycle-controller",
  service: "service-lb-controller",
  route: "node-route-controller",
  nodeipam: "node-ipam-controller",
  pvlabel: "volume-label-controller",
} as const;

/** Rows H-14 to H-16: which controllers --controllers turns on and off. */
export const SELECTION: readonly Scenario[] = isolatedRows({
  "H-14 an alias alone runs that controller alone": async (env) => {
    const replica = await startNow(env, { "--controllers": "cloud-node" });
    await runs(replica, ["cloud-node-controller"]);
    const instance = await env.cloud.put({ name: "h-14" });
    await createNode(env, "h-14");
    await initialised(env, "h-14");
    await env.cloud.remove(instance.id);
    await setReady(env, "h-14", "False");
    await nodeStays(env, "h-14", { check: () => undefined, forMs: 4_000 });
    await replica.stop();
    for (const [alias, name] of Object.entries(ALIASES)) {
      const alone = await startNow(env, { ...ALL_ON, "--controllers": alias }, alias);
      await runs(alone, [name]);
      await alone.stop();
    }
  },
  "H-15 all but one run, wherever the star stands": async (env) => {
    const [first, second] = await Promise.all([
      startNow(env, { ...ALL_ON, "--controllers": "*,-service" }, "a"),
      startNow(env, { ...ALL_ON, "--controllers": "-service,*" }, "b"),
    ]);
    await runs(first, DEFAULT_LOOPS);
    await runs(second, DEFAULT_LOOPS);
  },
  "H-16 a removal alone runs nothing, and the process is healthy": async (env) => {
    const replica = await startNow(env, { ...ALL_ON, "--controllers": "-route" });
    await env.cloud.put({ name: "h-16" });
    await createNode(env, "h-16");
    await nodeStays(env, "h-16", {
      check: (node) => demand(hasTaint(node, UNINITIALIZED.key), "something initialised it"),
      forMs: 4_000,
    });
    await runs(replica, []);
    same((await replica.ask("/healthz"))?.status, 200, "the health");
  },
});
