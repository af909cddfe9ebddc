import pg from "pg";
import { ROLE_NAMES } from "./rights.ts";
import { loginUrl, scramVerifier } from "./role-logins.ts";

/** For which cluster a controller's login may write. */
export interface ControllerLogin {
  readonly login: string;
  readonly cluster: string;
  /** Milliseconds since the epoch. */
  readonly boundAt: number;
  /** `migration`, `first cluster`, or the login that granted it. */
  readonly boundBy: string;
}

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
  await withClient(databaseUrl, (client) => insertGrant(client, grant));
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
    await client.query("BEGIN");
    const name = client.escapeIdentifier(login);
    const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [login]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${name}`);
    await client.query(`ALTER ROLE ${name} LOGIN PASSWORD '${verifier}'`);
    await client.query(`GRANT ${ROLE_NAMES.controller} TO ${name}`);
    await insertGrant(client, { cluster, login });
    await client.query("COMMIT");
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
  return await withClient(databaseUrl, async (client) => {
    const { rowCount } = await client.query(
      "DELETE FROM controller_logins WHERE login = $1 AND cluster_id = $2",
      [login, cluster],
    );
    return rowCount === 1;
  });
}

/** Every grant, by login and cluster. */
export async function listControllerLogins(
  databaseUrl: string,
): Promise<readonly ControllerLogin[]> {
  return await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<StoredLogin>(
      "SELECT login, cluster_id, bound_at, bound_by FROM controller_logins ORDER BY login, cluster_id",
    );
    return rows.map((row) => ({
      login: row.login,
      cluster: row.cluster_id,
      boundAt: row.bound_at.getTime(),
      boundBy: row.bound_by,
    }));
  });
}

interface StoredLogin {
  readonly login: string;
  readonly cluster_id: string;
  readonly bound_at: Date;
  readonly bound_by: string;
}

async function insertGrant(
  client: pg.Client,
  { cluster, login = ROLE_NAMES.controller }: LoginGrant,
): Promise<void> {
  await client.query(
    `INSERT INTO controller_logins (login, cluster_id, bound_by) VALUES ($1, $2, session_user)
     ON CONFLICT DO NOTHING`,
    [login, cluster],
  );
}

async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
