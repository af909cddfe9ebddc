import type { Node } from "../../harness/kube.ts";
import { demand, same } from "../../harness/wait.ts";
import { isolatedRow } from "../environment/isolated.ts";
import { leaderAmong } from "../environment/leading.ts";
import {
  createInstance,
  createNode,
  gone,
  hasTaint,
  initialised,
  internal,
  SHUTDOWN_KEY,
  setReady,
  untilNode,
} from "../environment/objects.ts";
import { type Scenario, Skip } from "../environment/scenario.ts";
import { createService, deleteService, served, serviceGone } from "../service/objects.ts";

/** Row H-26: everything that the controllers do, as a service account with the roles of `deploy/rbac` alone. */
export const SHIPPED_PERMISSIONS: Scenario = isolatedRow(
  "H-26",
  "the shipped roles are enough for nodes, Services, routes, the Lease and callers, and nothing is refused",
  async (env) => {
    const { cluster } = env;
    const before = await cluster.refusals();
    if (before === undefined) throw new Skip("this cluster keeps no record of what it refused");
    const kubeconfig = cluster.controllerKubeconfig;
    const replica = await env.start({
      flags: {
        "--leader-elect-resource-name": "cloud-controller-manager",
        "--authentication-kubeconfig": kubeconfig,
        "--authorization-kubeconfig": kubeconfig,
        "--allocate-node-cidrs": "true",
        "--configure-cloud-routes": "true",
        "--cluster-cidr": "10.226.0.0/16",
      },
    });
    await leaderAmong([replica]);
    const { id } = await createInstance(env, "h-26", { addresses: [internal("10.226.0.1")] });
    await createNode(env, "h-26");
    await initialised(env, "h-26");
    await untilNode(env, "h-26", { check: isReachable });
    await createService(env, "h-26");
    await served(env, "h-26");
    await deleteService(env, "h-26");
    await serviceGone(env, "h-26");
    await env.cloud.stop(id);
    await setReady(env, "h-26", "False");
    await untilNode(env, "h-26", {
      check: (node) => demand(hasTaint(node, SHUTDOWN_KEY), "it has no shutdown taint"),
    });
    await env.cloud.remove(id);
    await gone(env, "h-26");
    const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
    demand(health.includes("[+]permissions ok (all granted)"), `health says ${health}`);
    await replica.stop();
    const refused = (await cluster.refusals())?.slice(before.length);
    same(
      refused?.map(({ verb, path }) => `${verb} ${path}`),
      [],
      "what was refused",
    );
  },
);

/** It has a pod range, and a route to it. */
function isReachable({ spec, status }: Node): void {
  demand(spec.podCIDR !== undefined, "it has no pod range");
  const network = status.conditions?.find(({ type }) => type === "NetworkUnavailable");
  same(network?.status, "False", "its condition NetworkUnavailable");
}
