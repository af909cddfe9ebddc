import {
  createCommand,
  createRole,
  grantRights,
  mayCreateRoles,
  missingRoles,
} from "../sql/roles.ts";
import { inTransaction, lockUntilCommit, withClient } from "../sql/transaction.ts";
import type { DatabaseRole } from "./rights.ts";

export type GrantOutcome =
  | { readonly kind: "granted" }
  /** The roles are not there and this login may not make them; the sentence says what to do. */
  | { readonly kind: "notAllowed"; readonly sentence: string };

/**
 * Makes the roles of controller and dashboard where they are missing, and gives them what they need of this database and
 * nothing else: rights from before are taken away first. Run it after each migration, as the tables' owner.
 */
export async function grantRoles(databaseUrl: string): Promise<GrantOutcome> {
  return withClient(databaseUrl, async (client) => {
    const missing = await missingRoles(client);
    if (missing.length > 0 && !(await mayCreateRoles(client))) {
      return { kind: "notAllowed", sentence: notAllowed(missing) };
    }
    for (const role of missing) await createRole(client, role);
    await inTransaction(client, async () => {
      await lockUntilCommit(client, "cloudwright roles");
      await grantRights(client);
    });
    return { kind: "granted" };
  });
}

function notAllowed(missing: readonly DatabaseRole[]): string {
  const commands = missing.map(createCommand).join(" ");
  return `The roles of controller and dashboard are not separated, because this login may not create roles: have the server's administrator run "${commands}", then migrate again.`;
}
