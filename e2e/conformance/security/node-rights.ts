import { demand, same } from "../../harness/wait.ts";
import {
  hasTaint,
  nodeStays,
  patchNode,
  SHUTDOWN_KEY,
  setReady,
  ZONE,
} from "../environment/objects.ts";
import { warned } from "../environment/told.ts";
import type { TakenRightRow } from "./taken-right.ts";
import { isRefused, NODES_ALONE, nodeComes, nodeWaits, SHORT_MS } from "./taken-right-parts.ts";

/** Of the controllers of nodes. */
export const NODE_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-14",
    part: "node",
    verb: "update",
    resource: "nodes",
    title: "a node is initialised by a patch, after a call that is refused",
    flags: NODES_ALONE,
    shows: async (env) => {
      await nodeComes(env);
      await isRefused(env, { verb: "update", path: `/api/v1/nodes/${env.name}` });
    },
  },
  {
    id: "P-15",
    part: "node",
    verb: "patch",
    resource: "nodes/status",
    title: "a node keeps its taint, and a Warning says why",
    flags: NODES_ALONE,
    shows: async (env) => {
      await nodeWaits(env);
      await warned(env, env.name, ["KubeForbidden", "nodes"]);
    },
  },
];

/** The same, of nodes that other rows' controllers might touch as well. */
export const NODE_RIGHTS_ALONE: readonly TakenRightRow[] = [
  {
    id: "P-23",
    part: "node-lifecycle",
    verb: "patch",
    resource: "nodes",
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
    part: "node-lifecycle",
    verb: "delete",
    resource: "nodes",
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
    part: "node",
    verb: "patch",
    resource: "nodes",
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
