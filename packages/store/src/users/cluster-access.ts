import { t } from "@cloudwright/core/model/language/text";
import type { User } from "../generated/client.ts";

/** The clusters that a user may see and act on, by id. */
export type ClusterAccess = "all" | readonly string[];

export function clusterAccessOf(user: Pick<User, "restricted" | "clusters">): ClusterAccess {
  return user.restricted ? user.clusters : "all";
}

/** Reports whether a cluster is accessible. A command of this machine acts for a user without a session and may reach every cluster. */
export function mayReach(access: ClusterAccess | undefined, cluster: string): boolean {
  return access === undefined || access === "all" || access.includes(cluster);
}

export function isRestricted(access: ClusterAccess | undefined): boolean {
  return access !== undefined && access !== "all";
}

/** Returns the same sentence as for a cluster that does not exist, so that hidden clusters are not revealed. */
export function unknownCluster(): string {
  return t`No controller has reported on this cluster.`;
}
