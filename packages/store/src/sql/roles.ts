import type pg from "pg";
import {
  DATABASE_ROLES,
  type DatabaseRole,
  FUNCTION_RIGHTS,
  ROLE_NAMES,
  TABLE_RIGHTS,
} from "../roles/rights.ts";
import { asText, asTime, type StoredRow, storedColumns } from "./stored-json.ts";

/* Roles, logins and their rights are no rows of a table of ours, and who may is the login of the connection. */

/**
 * Whether this login owns the ledger's tables, so that the roles are not separated: then only a checkpoint outside the
 * database shows what it does to audit entries. Throws what the database says.
 */
export async function ownsLedger(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ owns: boolean }>(
    "SELECT pg_has_role(current_user, relowner, 'USAGE') AS owns FROM pg_class WHERE oid = 'audit_entries'::regclass",
  );
  return rows[0]?.owns === true;
}

/** Those of ours that the server does not have. */
export async function missingRoles(client: pg.Client): Promise<readonly DatabaseRole[]> {
  const names = DATABASE_ROLES.map((role) => ROLE_NAMES[role]);
  const { rows } = await client.query<{ rolname: string }>(
    "SELECT rolname FROM pg_roles WHERE rolname = ANY($1::text[])",
    [names],
  );
  return DATABASE_ROLES.filter((role) => !rows.some(({ rolname }) => rolname === ROLE_NAMES[role]));
}

/** Whether this login may make roles. */
export async function mayCreateRoles(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    "SELECT rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user",
  );
  return rows[0]?.may === true;
}

/** What an administrator of the server runs to make a role. */
export function createCommand(role: DatabaseRole): string {
  return `CREATE ROLE ${ROLE_NAMES[role]};`;
}

/** Roles are the whole server's: another database's migration may make them at the same moment. */
export async function createRole(client: pg.Client, role: DatabaseRole): Promise<void> {
  await client.query(
    `DO $$ BEGIN CREATE ROLE ${ROLE_NAMES[role]} NOLOGIN;
       EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
  );
}

/** What each role needs, and nothing else: rights from before are taken away first. Within the caller's transaction. */
export async function grantRights(client: pg.Client): Promise<void> {
  for (const statement of await statements(client)) await client.query(statement);
}

async function statements(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ schema: string }>(
    "SELECT quote_ident(current_schema()) AS schema",
  );
  const schema = rows[0]?.schema ?? "public";
  return [
    ...DATABASE_ROLES.map((role) => `GRANT USAGE ON SCHEMA ${schema} TO ${ROLE_NAMES[role]}`),
    ...(await tableStatements(client)),
    ...(await functionStatements(client, schema)),
  ];
}

async function tableStatements(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ relname: string; quoted: string }>(
    `SELECT relname, oid::regclass::text AS quoted FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')`,
  );
  return rows.flatMap(({ relname, quoted }) =>
    DATABASE_ROLES.flatMap((role) => {
      const rights = TABLE_RIGHTS[relname]?.[role] ?? "";
      const revoke = `REVOKE ALL ON TABLE ${quoted} FROM ${ROLE_NAMES[role]}`;
      return rights === ""
        ? [revoke]
        : [revoke, `GRANT ${rights} ON TABLE ${quoted} TO ${ROLE_NAMES[role]}`];
    }),
  );
}

/** Functions with their owner's rights must also find no objects but ours, such as a caller's temporary tables. */
async function functionStatements(client: pg.Client, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ proname: string; signature: string }>(
    `SELECT proname, oid::regprocedure::text AS signature FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace AND prosecdef`,
  );
  return rows.flatMap(({ proname, signature }) => [
    `ALTER FUNCTION ${signature} SET search_path = ${schema}, pg_temp`,
    `REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC, ${DATABASE_ROLES.map((role) => ROLE_NAMES[role]).join(", ")}`,
    ...(FUNCTION_RIGHTS[proname] ?? []).map(
      (role) => `GRANT EXECUTE ON FUNCTION ${signature} TO ${ROLE_NAMES[role]}`,
    ),
  ]);
}

/** Lets a role log in, with what checks its password. */
export async function openLogin(
  client: pg.Client,
  { login, verifier }: { readonly login: string; readonly verifier: string },
): Promise<void> {
  await client.query(
    `ALTER ROLE ${client.escapeIdentifier(login)} LOGIN PASSWORD ${client.escapeLiteral(verifier)}`,
  );
}

/** The same for a login of one cluster's controllers, which is made where it is missing. Within the caller's transaction. */
export async function openControllerLogin(
  client: pg.Client,
  { login, verifier }: { readonly login: string; readonly verifier: string },
): Promise<void> {
  const name = client.escapeIdentifier(login);
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [login]);
  if (rowCount === 0) await client.query(`CREATE ROLE ${name}`);
  await openLogin(client, { login, verifier });
  await client.query(`GRANT ${ROLE_NAMES.controller} TO ${name}`);
}

/** For which cluster a controller's login may write. */
export interface ControllerLogin {
  readonly login: string;
  readonly cluster: string;
  /** Milliseconds since the epoch. */
  readonly boundAt: number;
  /** `migration`, `first cluster`, or the login that granted it. */
  readonly boundBy: string;
}

/** By whom it was granted the database says. */
export async function insertLogin(
  client: pg.Client,
  { login, cluster }: Pick<ControllerLogin, "login" | "cluster">,
): Promise<void> {
  await client.query(
    `INSERT INTO controller_logins (login, cluster_id, bound_by) VALUES ($1, $2, session_user)
     ON CONFLICT DO NOTHING`,
    [login, cluster],
  );
}

/** Whether it was there. */
export async function deleteLogin(
  client: pg.Client,
  { login, cluster }: Pick<ControllerLogin, "login" | "cluster">,
): Promise<boolean> {
  const { rowCount } = await client.query(
    "DELETE FROM controller_logins WHERE login = $1 AND cluster_id = $2",
    [login, cluster],
  );
  return rowCount === 1;
}

const LOGIN = storedColumns({
  login: asText,
  clusterId: asText,
  boundAt: asTime,
  boundBy: asText,
});

export async function listLogins(client: pg.Client): Promise<readonly ControllerLogin[]> {
  const { rows } = await client.query<StoredRow>(
    `SELECT ${LOGIN.columns} FROM controller_logins ORDER BY login, cluster_id`,
  );
  return rows.map(LOGIN.read).map(({ clusterId: cluster, ...login }) => ({ cluster, ...login }));
}

/** What the login of this connection may write; kinds as `cloudwright_login_kind()` has them. */
export interface LoginStanding {
  readonly login: string;
  readonly kind: "owner" | "controller" | "web" | "both" | "none";
  /** Those whose controllers may record through it. */
  readonly clusters: readonly string[];
  /** While nothing is granted to any login, the first cluster that writes takes the shared one. */
  readonly isFirst: boolean;
}

export async function readLoginStanding(client: pg.Client): Promise<LoginStanding> {
  const { rows } = await client.query<LoginStanding>(
    `SELECT session_user::text AS login, cloudwright_login_kind() AS kind, cloudwright_login_clusters() AS clusters,
            NOT EXISTS (SELECT FROM controller_logins) AS "isFirst"`,
  );
  const [standing] = rows;
  if (standing === undefined)
    throw new Error("PostgreSQL answered a SELECT without FROM with no row.");
  return standing;
}
