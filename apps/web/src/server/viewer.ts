import { type Role, roleSchema } from "@cloudwright/core/model/roles";
import { auth } from "./auth.ts";
import { SessionLookupError } from "./errors.ts";

/** Who looks at the page. */
export interface Viewer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** The person behind a request's session cookie, or undefined. Throws SessionLookupError when the ledger cannot be asked. */
export async function viewerOf(headers: Headers): Promise<Viewer | undefined> {
  const session = await auth()
    .api.getSession({ headers })
    .catch((error: unknown) => {
      throw new SessionLookupError(error);
    });
  if (session === null) return undefined;
  const { id, name, email, role } = session.user;
  return { id, name, email, role: roleSchema.catch("viewer").parse(role) };
}
