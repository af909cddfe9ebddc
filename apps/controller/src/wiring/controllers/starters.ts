import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { CloudAccess } from "../cloud/cloud-access.ts";
import { UNIDENTIFIED } from "../cluster/cluster-identity.ts";
import type { Foundation } from "../foundation.ts";
import { flagAgainst, lackOf, ownsByCluster, usesProvider } from "./controller-needs.ts";
import { startNode } from "./start-node.ts";
import { startNodeIpam } from "./start-node-ipam.ts";
import { startNodeLifecycle } from "./start-node-lifecycle.ts";
import { startRoute } from "./start-route.ts";
import { startService } from "./start-service.ts";
import { startVolume } from "./start-volume.ts";
import type { ControllerParts, StartedController } from "./started-controller.ts";

type Starter = (parts: ControllerParts) => StartedController;

/** The controllers that exist, in the order they start in. */
export const STARTERS: Partial<Record<ControllerName, Starter>> = {
  "cloud-node-controller": startNode,
  "cloud-node-lifecycle-controller": startNodeLifecycle,
  "service-lb-controller": startService,
  "node-ipam-controller": startNodeIpam,
  "node-route-controller": startRoute,
  "volume-label-controller": startVolume,
};

/** Those of the names that this release does not have. */
export function notYetBuilt(names: readonly ControllerName[]): readonly ControllerName[] {
  return names.filter((name) => STARTERS[name] === undefined);
}

/** What decides whether a controller can run here. */
export interface RunnableParts {
  readonly foundation: Pick<Foundation, "flags">;
  readonly cloud: Pick<CloudAccess, "provider">;
  /** Absent: it has not been read yet. */
  readonly clusterUid?: string;
  /** False for a provider that could not begin without the cluster's identity; absent: it has not begun yet. */
  readonly isProviderReady?: boolean;
}

/** Those of the selected that this release has and this provider can serve. */
export function runnable(
  selected: readonly ControllerName[],
  parts: RunnableParts,
): readonly ControllerName[] {
  return selected.filter(
    (name) => STARTERS[name] !== undefined && obstacleTo(parts, name) === undefined,
  );
}

/** Why a controller of this release cannot run here; undefined when it can. */
export function obstacleTo(
  { foundation, cloud, clusterUid, isProviderReady = true }: RunnableParts,
  name: ControllerName,
): string | undefined {
  const lack = lackOf(cloud.provider, name);
  if (lack !== undefined) return `no ${lack} are offered`;
  const flag = flagAgainst(foundation.flags, name);
  if (flag !== undefined) return `${flag} is false`;
  const needsIdentity = ownsByCluster(name) || (!isProviderReady && usesProvider(name));
  return clusterUid === UNIDENTIFIED && needsIdentity
    ? "the cluster's identity is unknown"
    : undefined;
}
