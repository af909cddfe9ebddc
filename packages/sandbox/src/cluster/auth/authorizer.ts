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

export type Authorizer = (user: Pick<User, "username" | "groups">, attempt: Attempt) => boolean;

const PUBLIC_PATHS = /^\/(healthz|livez|readyz|version)(\/.*)?$/;

export function isPublic(attempt: Attempt): boolean {
  return attempt.kind === "path" && attempt.verb === "get" && PUBLIC_PATHS.test(attempt.path);
}

/** Without RBAC: whoever is known may do everything, nobody else anything but see that the server lives. */
export const allowKnownUsers: Authorizer = (user, attempt) =>
  isPublic(attempt) || !isAnonymous(user);
