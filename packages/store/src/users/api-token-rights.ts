import { type Role, roleIncludes, roleSchema } from "@cloudwright/core/model/roles";
import type { ApiToken, User } from "../generated/client.ts";
import { type ClusterAccess, clusterAccessOf } from "./cluster-access.ts";
import { isDisabled, roleOf } from "./user.ts";

export type TokenWithUser = ApiToken & { readonly user: User | null };
export const WITH_OWNER = { user: true } as const;

/** Returns a token's rights now: those it was made with, and for a personal one no more than its user's. */
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

/** Returns why a token is refused, as a sentence for its holder; undefined for a valid one. */
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
