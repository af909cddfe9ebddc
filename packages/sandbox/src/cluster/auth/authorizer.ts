import { isAnonymous, type User } from "./user.ts";

/** What somebody wants to do: on a resource, or on a path that is none. */
export type Attempt =
  | {
      readonly kind: "resource";
      readonly verb: string;
      readonly group: string;
      /** Plural, with its subresource: `nodes/status`. */
      readonly resource: string;
      readonly namespace?: string;
      readonly name?: string;
    }
  | { readonly kind: "path"; readonly verb: string; readonly path: string };

/** What somebody may do, as a role says it. */
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
  /** What the user may do in the namespace, and on paths. */
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

/** Without RBAC: whoever is known may do everything, nobody else anything but see that the server lives. */
export const allowKnownUsers: Authorizer = {
  allows: (user, attempt) => isPublic(attempt) || !isAnonymous(user),
  grants: (user) => (isAnonymous(user) ? [] : EVERYTHING),
};
