import { type Role, roleIncludes, roleSchema } from "@cloudwright/core/model/roles";
import type { ApiToken, User } from "../generated/client.ts";
import { type ClusterAccess, clusterAccessOf } from "./cluster-access.ts";
import { isDisabled, roleOf } from "./user.ts";

export type TokenWithUser = ApiToken & { readonly user: User | null };
export const WITH_OWNER = { user: true } as const;

/** What a token may do now: what it was made for, and of a personal one no more than its user. */
export function tokenRights(token: TokenWithUser): {
  readonly role: Role;
  readonly clusters: ClusterAccess;
} {
  const own = roleSchema.safeParse(token.role).data ?? "viewer";
  const clusters = clusterAccessOf(token);
  if (token.user === null) return { role: own, clusters };
  return {
    role: lesser(own, roleOf(token.user)),
    clusters: common(clusters, clusterAccessOf(token.user)),
  };
}

/** Why a token is refused, as a sentence for whoever holds it; undefined of one that is good. */
export function tokenProblem(token: TokenWithUser, now: number): string | undefined {
  if (token.revokedAt !== null) return "This API token was revoked.";
  if (token.expiresAt.getTime() <= now) {
    return `This API token expired at ${token.expiresAt.toISOString()}.`;
  }
  if (token.user !== null && isDisabled(token.user)) {
    return "This API token belongs to a user who is disabled.";
  }
  return undefined;
}

function lesser(left: Role, right: Role): Role {
  return roleIncludes(left, right) ? right : left;
}

function common(left: ClusterAccess, right: ClusterAccess): ClusterAccess {
  if (left === "all") return right;
  return right === "all" ? left : left.filter((cluster) => right.includes(cluster));
}
