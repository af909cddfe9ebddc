import { isAnonymous, type User } from "./user.ts";

/** An action to authorise: on a resource, or on a non-resource path. */
export type Attempt =
  | {
      readonly kind: "resource";
      readonly verb: string;
      readonly group: string;
      /** The plural, with its subresource: `nodes/status`. */
      readonly resource: string;
      readonly namespace?: string;
      readonly name?: string;
    }
  | { readonly kind: "path"; readonly verb: string; readonly path: string };

/** The rights that a rule of a role grants. */
export interface Grant {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export type Subject = Pick<User, "username" | "groups">;

export interface Authorizer {
  readonly allows: (user: Subject, attempt: Attempt) => boolean;
  /** Returns the user's rights in the namespace, and on paths. */
  readonly grants: (user: Subject, namespace: string) => readonly Grant[];
}

export const EVERYTHING: readonly Grant[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

const PUBLIC_PATHS = /^\/(healthz|livez|readyz|version)(\/.*)?$/;

export function isPublic(attempt: Attempt): boolean {
  return attempt.kind === "path" && attempt.verb === "get" && PUBLIC_PATHS.test(attempt.path);
}

/** Authorises without RBAC: known users may do everything, others may only check that the server is alive. */
export const allowKnownUsers: Authorizer = {
  allows: (user, attempt) => isPublic(attempt) || !isAnonymous(user),
  grants: (user) => (isAnonymous(user) ? [] : EVERYTHING),
};
