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
    shows: async (stage) => {
      await nodeComes(stage);
      await isRefused(stage, { verb: "update", path: `/api/v1/nodes/${stage.name}` });
    },
  },
  {
    id: "P-15",
    part: "node",
    verb: "patch",
    resource: "nodes/status",
    title: "a node keeps its taint, and a Warning says why",
    flags: NODES_ALONE,
    shows: async (stage) => {
      await nodeWaits(stage);
      await warned(stage, stage.name, ["KubeForbidden", "nodes"]);
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
    shows: async (stage) => {
      const id = await nodeComes(stage);
      await stage.cloud.stop(id);
      await setReady(stage, stage.name, "False");
      await warned(stage, stage.name, ["KubeForbidden", "nodes"]);
      await nodeStays(stage, stage.name, {
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
    shows: async (stage) => {
      const id = await nodeComes(stage);
      await stage.cloud.remove(id);
      await setReady(stage, stage.name, "False");
      await warned(stage, stage.name, ["DeletingNodeFailed"]);
      await nodeStays(stage, stage.name, { check: () => undefined, forMs: SHORT_MS });
    },
  },
  {
    id: "P-43",
    part: "node",
    verb: "patch",
    resource: "nodes",
    title: "a label that somebody took away stays away, and a Warning says why (N-23)",
    flags: { "--controllers": "cloud-node" },
    shows: async (stage) => {
      await nodeComes(stage);
      await patchNode(stage, stage.name, { metadata: { labels: { [ZONE[0]]: null } } });
      await warned(stage, stage.name, ["KubeForbidden", "nodes"]);
      await nodeStays(stage, stage.name, {
        check: ({ metadata }) => same(metadata.labels?.[ZONE[0]], undefined, "the label"),
        forMs: SHORT_MS,
      });
    },
  },
];
