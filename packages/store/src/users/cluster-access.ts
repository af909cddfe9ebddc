import { t } from "@cloudwright/core/model/language/text";
import type { User } from "../generated/client.ts";

/** Which clusters a user may see and act on, by their ids. */
export type ClusterAccess = "all" | readonly string[];

export function clusterAccessOf(user: Pick<User, "restricted" | "clusters">): ClusterAccess {
  return user.restricted ? user.clusters : "all";
}

/** A command of this machine acts for a user without a session; nothing is kept from it. */
export function mayReach(access: ClusterAccess | undefined, cluster: string): boolean {
  return access === undefined || access === "all" || access.includes(cluster);
}

export function isRestricted(access: ClusterAccess | undefined): boolean {
  return access !== undefined && access !== "all";
}

/** The same sentence as for a cluster that there is not: nobody learns of those that are kept from them. */
export function unknownCluster(): string {
  return t`No controller has reported on this cluster.`;
}
