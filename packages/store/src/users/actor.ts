import type { Database } from "../database/database.ts";
import { OperationError } from "../operations/errors.ts";
import type { VerbContext } from "../operations/verb.ts";
import { clusterAccessOf } from "./cluster-access.ts";
import { isDisabled, roleOf } from "./user.ts";

/**
 * The person in whose name a command of this machine acts: whoever may write to the database may act as anybody, as with a
 * sign-in link. Throws OperationError NotFound for an address without an account, or with one that is disabled.
 */
export async function actorByEmail(db: Database, email: string): Promise<VerbContext["actor"]> {
  const user = await db.prisma.user.findUnique({ where: { email: email.trim().toLowerCase() } });
  if (user === null || isDisabled(user)) {
    throw new OperationError(
      "NotFound",
      `Nobody can sign in as ${email}: name an admin of the dashboard, or create one with cloudwright sign-in-link.`,
    );
  }
  return { id: user.id, name: user.name, role: roleOf(user), clusters: clusterAccessOf(user) };
}
