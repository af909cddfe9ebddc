import { demand, same } from "../../harness/wait.ts";
import {
  createNode,
  hasTaint,
  nodeStays,
  patchNode,
  SHUTDOWN_KEY,
  setReady,
  ZONE,
} from "../environment/objects.ts";
import { warned } from "../environment/reported.ts";
import { given, giving } from "../node-ipam/objects.ts";
import { hasCondition, join, ROUTE_FLAGS } from "../route/objects.ts";
import {
  isRefused,
  NODES_ALONE,
  nodeComes,
  nodeWaits,
  right,
  SHORT_MS,
  type TakenRightRow,
} from "./taken-right.ts";

/** Rights of the node controllers. */
export const NODE_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-14",
    ...right("node", "update", "nodes"),
    title: "a node is initialised by a patch, after a call that is refused",
    flags: NODES_ALONE,
    shows: async (env) => {
      await nodeComes(env);
      await isRefused(env, { verb: "update", path: `/api/v1/nodes/${env.name}` });
    },
  },
  {
    id: "P-15",
    ...right("node", "patch", "nodes/status"),
    title: "a node keeps its taint, and a Warning says why",
    flags: NODES_ALONE,
    shows: async (env) => {
      await nodeWaits(env);
      await warned(env, env.name, ["KubeForbidden", "nodes"]);
    },
  },
];

/** Likewise, on nodes that other rows' controllers might also change. */
export const NODE_RIGHTS_ALONE: readonly TakenRightRow[] = [
  {
    id: "P-23",
    ...right("node-lifecycle", "patch", "nodes"),
    title: "the node of a stopped machine gets no taint, and a Warning says why",
    flags: NODES_ALONE,
    shows: async (env) => {
      const id = await nodeComes(env);
      await env.cloud.stop(id);
      await setReady(env, env.name, "False");
      await warned(env, env.name, ["KubeForbidden", "nodes"]);
      await nodeStays(env, env.name, {
        check: (node) => demand(!hasTaint(node, SHUTDOWN_KEY), "it got the taint"),
        forMs: SHORT_MS,
      });
    },
  },
  {
    id: "P-24",
    ...right("node-lifecycle", "delete", "nodes"),
    title: "the node of a machine that is gone stays, and a Warning says why",
    flags: NODES_ALONE,
    shows: async (env) => {
      const id = await nodeComes(env);
      await env.cloud.remove(id);
      await setReady(env, env.name, "False");
      await warned(env, env.name, ["DeletingNodeFailed"]);
      await nodeStays(env, env.name, { check: () => undefined, forMs: SHORT_MS });
    },
  },
  {
    id: "P-43",
    ...right("node", "patch", "nodes"),
    title: "a label that somebody took away stays away, and a Warning says why (N-23)",
    flags: { "--controllers": "cloud-node" },
    shows: async (env) => {
      await nodeComes(env);
      await patchNode(env, env.name, { metadata: { labels: { [ZONE[0]]: null } } });
      await warned(env, env.name, ["KubeForbidden", "nodes"]);
      await nodeStays(env, env.name, {
        check: ({ metadata }) => same(metadata.labels?.[ZONE[0]], undefined, "the label"),
        forMs: SHORT_MS,
      });
    },
  },
];

const GIVES_RANGES = giving("10.242.0.0/16");

/** Rights of the controllers of pod ranges and routes. */
export const POD_NETWORK_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-42",
    ...right("node-ipam", "get", "nodes"),
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
    ...right("route", "patch", "nodes/status"),
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
    ...right("node-ipam", "patch", "nodes"),
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
