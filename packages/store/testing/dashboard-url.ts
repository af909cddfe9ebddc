import { grantRoles, openRoleLogins } from "../src/roles/role-logins.ts";
import { inTransaction, lockUntilCommit, withClient } from "../src/sql/transaction.ts";

/**
 * Gives the dashboard's role its rights on the database of this owner, and returns the connection string of its login. The role is the
 * whole server's, which files of tests share: all of them give it the same password, the owner's, one after the other.
 */
export async function dashboardUrl(ownerUrl: string): Promise<string> {
  const granted = await grantRoles(ownerUrl);
  if (granted.kind === "notAllowed") throw new Error(granted.sentence);
  // A lock holds within one database only, and each file has its own.
  const common = new URL(ownerUrl);
  common.pathname = "/postgres";
  return await withClient(common.toString(), (client) =>
    inTransaction(client, async () => {
      await lockUntilCommit(client, "logins of tests");
      const { web } = await openRoleLogins(ownerUrl, { controller: ownerUrl, web: ownerUrl });
      return web;
    }),
  );
}
