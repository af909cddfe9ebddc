import type { Role } from "@cloudwright/core/model/roles";
import type { ClusterAccess } from "../users/cluster-access.ts";

export const API_TOKEN_KINDS = ["personal", "service"] as const;
/** `personal`: belongs to a user, and never has more rights than they have. `service`: for a program, made by an admin. */
export type ApiTokenKind = (typeof API_TOKEN_KINDS)[number];

/** Most days that a token is valid. */
export const API_TOKEN_DAYS_MOST = 365;

/** A token as the settings list it, without the token itself. Times are milliseconds since the epoch. */
export interface ApiTokenView {
  readonly id: string;
  readonly kind: ApiTokenKind;
  readonly name: string;
  /** The token's user; undefined for a service token. */
  readonly owner:
    | { readonly id: string; readonly name: string; readonly email: string }
    | undefined;
  /** Its rights now: for a personal token, no more than its owner's. */
  readonly role: Role;
  readonly clusters: ClusterAccess;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt: number;
  /** To the minute; undefined while unused. */
  readonly lastUsedAt: number | undefined;
  readonly lastUsedAddress: string | undefined;
  /** `blocked`: its owner is disabled. */
  readonly state: "active" | "expired" | "blocked";
}
