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
} from "../sql/roles.ts";
import { inTransaction, lockUntilCommit, withClient } from "../sql/transaction.ts";
import { DATABASE_ROLES, type DatabaseRole, ROLE_NAMES } from "./rights.ts";

/** The connection string of each role. They hold passwords: keep them as such. */
export type RoleUrls = Readonly<Record<DatabaseRole, string>>;

/**
 * Lets the roles log in, and answers how. The passwords of earlier connection strings are kept, so that what runs with them
 * goes on; without any, new ones are made. The server gets no password, only what checks it. Throws what the database says.
 */
export async function openRoleLogins(
  databaseUrl: string,
  earlier: Partial<RoleUrls> = {},
): Promise<RoleUrls> {
  const urls = {
    controller: roleUrl(databaseUrl, "controller", earlier),
    web: roleUrl(databaseUrl, "web", earlier),
  };
  await withClient(databaseUrl, async (client) => {
    for (const role of DATABASE_ROLES) {
      const verifier = scramVerifier(decodeURIComponent(new URL(urls[role]).password));
      await openLogin(client, { login: ROLE_NAMES[role], verifier });
    }
  });
  return urls;
}

function roleUrl(databaseUrl: string, role: DatabaseRole, earlier: Partial<RoleUrls>): string {
  return loginUrl(databaseUrl, ROLE_NAMES[role], earlier[role]);
}

/** How a login connects: with the password of an earlier connection string, or a new one. */
function loginUrl(databaseUrl: string, login: string, earlier: string | undefined): string {
  const kept = earlier === undefined ? "" : new URL(earlier).password;
  const url = new URL(databaseUrl);
  url.username = login;
  url.password = kept === "" ? randomPassword() : kept;
  return url.toString();
}

const ITERATIONS = 4_096;

/** 192 bits, of characters that a connection string takes as they are. */
function randomPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** What PostgreSQL keeps of a password (RFC 5803), so that the password itself stands in no statement and no log. */
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

/** What the login of this connection string may write. Throws what the database says. */
export async function loginStanding(databaseUrl: string): Promise<LoginStanding> {
  return withClient(databaseUrl, readLoginStanding);
}

type GrantOutcome =
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
