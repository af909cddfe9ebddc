import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { openLogin } from "../sql/roles.ts";
import { withClient } from "../sql/transaction.ts";
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
export function loginUrl(databaseUrl: string, login: string, earlier: string | undefined): string {
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
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const keyed = (text: string) => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(keyed("Client Key")).digest("base64");
  const server = keyed("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${stored}:${server}`;
}
