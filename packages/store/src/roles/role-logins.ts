import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import {
  type ControllerLogin,
  createCommand,
  createRole,
  deleteLogin,
  grantRights,
  insertLogin,
  type LoginStanding,
  listLogins,
  mayCreateRoles,
  missingRoles,
  openControllerLogin,
  openLogin,
  readLoginStanding,
  roleExists,
} from "../sql/roles.ts";
import { inTransaction, lockUntilCommit, withClient } from "../sql/transaction.ts";
import { DATABASE_ROLES, type DatabaseRole, ROLE_NAMES } from "./rights.ts";

/* PostgreSQL refuses a second change of one catalogue row while the first is not committed, rather than waiting for it. */

/** The lock of whoever changes roles, logins or rights. */
const ROLES = "cloudwright roles";
/** The lock of whoever creates or drops days of runs, as the database's own functions name it. */
const RUN_DAYS = "cloudwright run days";

/** The connection string of each role. They contain passwords: protect them. */
export type RoleUrls = Readonly<Record<DatabaseRole, string>>;

/**
 * Enables the roles to log in, and returns their connection strings. Passwords of earlier connection strings are kept, so that running
 * processes continue; otherwise new ones are generated. The server gets only a verifier, never a password. Throws the database's error.
 */
export async function openRoleLogins(
  databaseUrl: string,
  earlier: Partial<RoleUrls> = {},
): Promise<RoleUrls> {
  const urls = {
    controller: roleUrl(databaseUrl, "controller", earlier),
    web: roleUrl(databaseUrl, "web", earlier),
  };
  await withClient(databaseUrl, (client) =>
    inTransaction(client, async () => {
      await lockUntilCommit(client, ROLES);
      for (const role of DATABASE_ROLES) {
        const verifier = scramVerifier(decodeURIComponent(new URL(urls[role]).password));
        await openLogin(client, { login: ROLE_NAMES[role], verifier });
      }
    }),
  );
  return urls;
}

function roleUrl(databaseUrl: string, role: DatabaseRole, earlier: Partial<RoleUrls>): string {
  return loginUrl(databaseUrl, ROLE_NAMES[role], earlier[role]);
}

/** Returns the connection string of a login, with the password of an earlier connection string or a new one. */
function loginUrl(databaseUrl: string, login: string, earlier: string | undefined): string {
  const kept = earlier === undefined ? "" : new URL(earlier).password;
  const url = new URL(databaseUrl);
  url.username = login;
  url.password = kept === "" ? randomPassword() : kept;
  return url.toString();
}

const ITERATIONS = 4_096;

/** 192 bits, in characters that need no escaping in a connection string. */
function randomPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** Returns what PostgreSQL stores of a password (RFC 5803), so that the password itself appears in no statement and no log. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const keyed = (text: string) => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(keyed("Client Key")).digest("base64");
  const server = keyed("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${stored}:${server}`;
}

interface LoginGrant {
  /** The cluster's id. */
  readonly cluster: string;
  /** An existing login; by default the one that all controllers share. */
  readonly login?: string | undefined;
}

/**
 * Allows a login to write the audit entries of one more cluster; it keeps its other clusters. Needs the login that owns the ledger. Throws
 * the database's error.
 */
export async function grantCluster(databaseUrl: string, grant: LoginGrant): Promise<void> {
  const { cluster, login = ROLE_NAMES.controller } = grant;
  await withClient(databaseUrl, (client) => insertLogin(client, { cluster, login }));
}

/** Reports whether the server has this login. Throws the database's error. */
export async function hasLogin(databaseUrl: string, login: string): Promise<boolean> {
  return withClient(databaseUrl, (client) => roleExists(client, login));
}

/**
 * Creates a login for the controllers of one cluster only, and returns its connection string; the password of an earlier one is kept. Needs
 * the login that owns the ledger and may create roles. Throws the database's error.
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
      await lockUntilCommit(client, ROLES);
      await openControllerLogin(client, { login, verifier });
      await insertLogin(client, { cluster, login });
    });
  });
  return url;
}

/** Shortens the cluster's id to fit into a role name of at most 63 bytes. */
function clusterLogin(cluster: string): string {
  return `${ROLE_NAMES.controller}_${cluster.replaceAll(/[^\w]/g, "").slice(0, 32)}`;
}

/** Revokes a login's grant for a cluster; returns whether it had one. Needs the login that owns the ledger. */
export async function revokeCluster(databaseUrl: string, grant: LoginGrant): Promise<boolean> {
  const { cluster, login = ROLE_NAMES.controller } = grant;
  return withClient(databaseUrl, (client) => deleteLogin(client, { cluster, login }));
}

/** Returns every grant, by login and cluster. */
export async function listControllerLogins(
  databaseUrl: string,
): Promise<readonly ControllerLogin[]> {
  return withClient(databaseUrl, listLogins);
}

/** Returns what the login of this connection string may write. Throws the database's error. */
export async function loginStanding(databaseUrl: string): Promise<LoginStanding> {
  return withClient(databaseUrl, readLoginStanding);
}

type GrantOutcome =
  | { readonly kind: "granted" }
  /** The roles do not exist and this login may not create them; the sentence says what to do. */
  | { readonly kind: "notAllowed"; readonly sentence: string };

/**
 * Creates the missing roles of controller and dashboard, and grants them exactly the rights they need on this database: earlier rights are
 * revoked first. Run it after each migration, as the tables' owner.
 */
export async function grantRoles(databaseUrl: string): Promise<GrantOutcome> {
  return withClient(databaseUrl, async (client) => {
    const missing = await missingRoles(client);
    if (missing.length > 0 && !(await mayCreateRoles(client))) {
      return { kind: "notAllowed", sentence: notAllowed(missing) };
    }
    for (const role of missing) await createRole(client, role);
    await inTransaction(client, async () => {
      await lockUntilCommit(client, ROLES);
      await lockUntilCommit(client, RUN_DAYS);
      await grantRights(client);
    });
    return { kind: "granted" };
  });
}

function notAllowed(missing: readonly DatabaseRole[]): string {
  const commands = missing.map(createCommand).join(" ");
  return `The roles of controller and dashboard are not separated, because this login may not create roles: have the server's administrator run "${commands}", then migrate again.`;
}
