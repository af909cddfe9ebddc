import type { Role } from "@cloudwright/core/model/roles";
import type { ClusterAccess } from "../users/cluster-access.ts";

export const API_TOKEN_KINDS = ["personal", "service"] as const;
/** `personal`: of a user, and never able to do more than they are. `service`: of a program, made by an admin. */
export type ApiTokenKind = (typeof API_TOKEN_KINDS)[number];

/** Days that a token lasts at most. */
export const API_TOKEN_DAYS_MOST = 365;

/** A token as the settings list it; never the token itself. Times are milliseconds since the epoch. */
export interface ApiTokenView {
  readonly id: string;
  readonly kind: ApiTokenKind;
  readonly name: string;
  /** Whose it is; undefined of a service token. */
  readonly owner:
    | { readonly id: string; readonly name: string; readonly email: string }
    | undefined;
  /** What it may do now: of a personal one no more than its owner. */
  readonly role: Role;
  readonly clusters: ClusterAccess;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt: number;
  /** To the minute; undefined while nobody has used it. */
  readonly lastUsedAt: number | undefined;
  readonly lastUsedAddress: string | undefined;
  /** `blocked`: its owner is disabled. */
  readonly state: "active" | "expired" | "blocked";
}
