import { same } from "../../harness/wait.ts";
import { createNode, nodeStays } from "../environment/objects.ts";
import { warned } from "../environment/told.ts";
import { given, giving } from "../node-ipam/objects.ts";
import { hasCondition, join, ROUTE_FLAGS } from "../route/objects.ts";
import type { TakenRightRow } from "./taken-right.ts";
import { isRefused, SHORT_MS } from "./taken-right-parts.ts";

const GIVES_RANGES = giving("10.242.0.0/16");

/** Of the controllers of pod ranges and routes. */
export const POD_NETWORK_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-42",
    part: "node-ipam",
    verb: "get",
    resource: "nodes",
    title: "a node whose pod range was refused cannot be looked at, and gets its range later",
    flags: GIVES_RANGES,
    before: async (env) => {
      await createNode(env, env.name, { taints: [] });
      return env.cluster.refuse({
        name: `conformance-${env.name}`,
        verb: "PATCH",
        node: env.name,
        message: "somebody else gives pod ranges",
      });
    },
    shows: async (env, _, lift) => {
      await isRefused(env, { verb: "get", path: `/api/v1/nodes/${env.name}` });
      await lift();
      await given(env, [env.name]);
    },
  },
  {
    id: "P-44",
    part: "route",
    verb: "patch",
    resource: "nodes/status",
    title: "a node with a route is not said to be reachable, and a Warning says why (R-01)",
    flags: ROUTE_FLAGS,
    shows: async (env) => {
      await join(env, env.name, ["10.120.244.0/24"]);
      await warned(env, env.name, ["KubeForbidden", "nodes"]);
      await nodeStays(env, env.name, {
        check: (node) => hasCondition(node, undefined),
        forMs: SHORT_MS,
      });
    },
  },
  {
    id: "P-45",
    part: "node-ipam",
    verb: "patch",
    resource: "nodes",
    title: "a node gets no pod range, and a Warning says why (R-37)",
    flags: GIVES_RANGES,
    shows: async (env) => {
      await createNode(env, env.name, { taints: [] });
      await warned(env, env.name, ["CIDRAssignmentFailed", "nodes"]);
      await nodeStays(env, env.name, {
        check: ({ spec }) => same(spec.podCIDRs, undefined, "its pod ranges"),
        forMs: SHORT_MS,
      });
    },
  },
];
