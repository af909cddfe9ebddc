import {
  type ControllerLogin,
  deleteLogin,
  insertLogin,
  listLogins,
  openControllerLogin,
} from "../sql/roles.ts";
import { inTransaction, withClient } from "../sql/transaction.ts";
import { ROLE_NAMES } from "./rights.ts";
import { loginUrl, scramVerifier } from "./role-logins.ts";

export interface LoginGrant {
  /** The cluster's id. */
  readonly cluster: string;
  /** An existing login; that which all controllers share when left out. */
  readonly login?: string | undefined;
}

/**
 * Lets a login write the audit entries of one more cluster; it keeps those that it has. Needs the login that owns the ledger.
 * Throws what the database says.
 */
export async function grantCluster(databaseUrl: string, grant: LoginGrant): Promise<void> {
  const { cluster, login = ROLE_NAMES.controller } = grant;
  await withClient(databaseUrl, (client) => insertLogin(client, { cluster, login }));
}

/**
 * Makes a login for the controllers of one cluster alone, and answers how it connects; the password of an earlier connection
 * string is kept. Needs the login that owns the ledger and may make roles. Throws what the database says.
 */
export async function openClusterLogin(
  databaseUrl: string,
  cluster: string,
  earlier?: string,
): Promise<string> {
  const login = clusterLogin(cluster);
  const url = loginUrl(databaseUrl, login, earlier);
  const verifier = scramVerifier(decodeURIComponent(new URL(url).password));
  await withClient(databaseUrl, async (client) => {
    await inTransaction(client, async () => {
      await openControllerLogin(client, { login, verifier });
      await insertLogin(client, { cluster, login });
    });
  });
  return url;
}

/** What of a cluster's id fits into a role's name of at most 63 bytes. */
function clusterLogin(cluster: string): string {
  return `${ROLE_NAMES.controller}_${cluster.replaceAll(/[^\w]/g, "").slice(0, 32)}`;
}

/** Takes a cluster away from a login; answers whether it had it. Needs the login that owns the ledger. */
export async function revokeCluster(databaseUrl: string, grant: LoginGrant): Promise<boolean> {
  const { cluster, login = ROLE_NAMES.controller } = grant;
  return withClient(databaseUrl, (client) => deleteLogin(client, { cluster, login }));
}

/** Every grant, by login and cluster. */
export async function listControllerLogins(
  databaseUrl: string,
): Promise<readonly ControllerLogin[]> {
  return withClient(databaseUrl, listLogins);
}
