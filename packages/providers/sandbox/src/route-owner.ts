import type { RouteOwner } from "@cloudwright/provider-api";
import { LONGEST_VALUE, TAGS, tagOf } from "./load-balancer-owner.ts";

/** The tags of a route beside those that everything of ours has. */
export const ROUTE_TAGS = {
  nodeUid: "cloudwright.io/node-uid",
  node: "cloudwright.io/node",
} as const;

/** The tags of a route that we make for a Node; names are for people, and cut where the cloud allows no more. */
export function tagsOfRoute(mark: RouteOwner): Readonly<Record<string, string>> {
  const { clusterUid, objectUid, clusterName, node } = mark;
  return {
    [TAGS.cluster]: clusterUid,
    [ROUTE_TAGS.nodeUid]: objectUid,
    ...(node === undefined ? {} : { [ROUTE_TAGS.node]: node.slice(0, LONGEST_VALUE) }),
    ...(clusterName === undefined
      ? {}
      : { [TAGS.clusterName]: clusterName.slice(0, LONGEST_VALUE) }),
  };
}

/** Undefined without a cluster. One that names a cluster and no Node is that cluster's all the same. */
export function ownerOf(route: {
  readonly tags: Readonly<Record<string, string>>;
}): RouteOwner | undefined {
  const clusterUid = tagOf(route, TAGS.cluster);
  if (clusterUid === undefined) return undefined;
  const clusterName = tagOf(route, TAGS.clusterName);
  const node = tagOf(route, ROUTE_TAGS.node);
  return {
    clusterUid,
    objectUid: tagOf(route, ROUTE_TAGS.nodeUid) ?? "",
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(node === undefined ? {} : { node }),
  };
}
