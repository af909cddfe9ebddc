import { type Role, roleSchema } from "@cloudwright/core/model/roles";
import { auth } from "./auth.ts";
import { unlessDatabaseSilent } from "./database-check.ts";
import { SessionLookupError } from "./errors.ts";

/** Who looks at the page. */
export interface Viewer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Names the session in the list of sessions; it opens nothing. */
  readonly sessionId: string;
}

/**
 * The person behind a request's session cookie, read anew for each request, so that a changed role and a disabled account
 * hold at once; or undefined. Throws SessionLookupError when the ledger cannot be asked.
 */
export async function viewerOf(headers: Headers): Promise<Viewer | undefined> {
  const session = auth().api.getSession({ headers });
  const found = await unlessDatabaseSilent(session).catch((error: unknown) => {
    throw new SessionLookupError(error);
  });
  if (found === null || found.user.banned === true) return undefined;
  const { id, name, email, role } = found.user;
  const sessionId = found.session.id;
  return { id, name, email, role: roleSchema.catch("viewer").parse(role), sessionId };
}
