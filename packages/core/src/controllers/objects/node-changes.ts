import type { Node } from "../../kube/client.ts";
import { sameJson } from "../../model/values/json.ts";
import { readyStatusOf } from "./node-object.ts";
import { uidOf } from "./object-meta.ts";

/** Returns the parts of a node that our loops read and that differ; none for a mere heartbeat. */
export function changedParts(old: Node, node: Node): readonly string[] {
  if (uidOf(old) !== uidOf(node)) return ["created anew"];
  return PARTS.filter(([, read]) => !sameJson(read(old), read(node))).map(([name]) => name);
}

const PARTS: readonly (readonly [string, (node: Node) => unknown])[] = [
  ["labels", (node) => node.metadata?.labels],
  ["annotations", (node) => node.metadata?.annotations],
  ["deletion", (node) => node.metadata?.deletionTimestamp],
  ["provider ID", (node) => node.spec?.providerID],
  ["taints", (node) => node.spec?.taints],
  ["addresses", (node) => node.status?.addresses],
  ["readiness", readyStatusOf],
];
