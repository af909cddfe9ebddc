import type pg from "pg";
import {
  DATABASE_ROLES,
  type DatabaseRole,
  FUNCTION_RIGHTS,
  ROLE_NAMES,
  TABLE_RIGHTS,
} from "../roles/rights.ts";
import { asText, asTime, type StoredRow, storedColumns } from "./stored-json.ts";

/* By hand: roles, logins and their rights are not rows of our tables, and the connection's login decides what is allowed. */

/**
 * Reports whether this login owns the ledger's tables, which means that the roles are not separated: then only a checkpoint outside the
 * database shows what this login does to audit entries. Throws the database's error.
 */
export async function ownsLedger(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ owns: boolean }>(
    "SELECT pg_has_role(current_user, relowner, 'USAGE') AS owns FROM pg_class WHERE oid = 'audit_entries'::regclass",
  );
  return rows[0]?.owns === true;
}

/** Returns our roles that the server does not have. */
export async function missingRoles(client: pg.Client): Promise<readonly DatabaseRole[]> {
  const names = DATABASE_ROLES.map((role) => ROLE_NAMES[role]);
  const { rows } = await client.query<{ rolname: string }>(
    "SELECT rolname FROM pg_roles WHERE rolname = ANY($1::text[])",
    [names],
  );
  return DATABASE_ROLES.filter((role) => !rows.some(({ rolname }) => rolname === ROLE_NAMES[role]));
}

/** Reports whether this login may create roles. */
export async function mayCreateRoles(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    "SELECT rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user",
  );
  return rows[0]?.may === true;
}

/** Returns the command with which the server's administrator creates a role. */
export function createCommand(role: DatabaseRole): string {
  return `CREATE ROLE ${ROLE_NAMES[role]};`;
}

/** Roles belong to the whole server: another database's migration may create them at the same moment. */
export async function createRole(client: pg.Client, role: DatabaseRole): Promise<void> {
  await client.query(
    `DO $$ BEGIN CREATE ROLE ${ROLE_NAMES[role]} NOLOGIN;
       EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
  );
}

/** Grants each role exactly what it needs: earlier rights are revoked first. Runs within the caller's transaction. */
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

/** Functions with their owner's rights must find no objects but ours, and not a caller's temporary tables. */
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

/** Enables a role to log in, with the verifier of its password. */
export async function openLogin(
  client: pg.Client,
  { login, verifier }: { readonly login: string; readonly verifier: string },
): Promise<void> {
  await client.query(
    `ALTER ROLE ${client.escapeIdentifier(login)} LOGIN PASSWORD ${client.escapeLiteral(verifier)}`,
  );
}

/** Does the same for a login of one cluster's controllers, and creates it if missing. Runs within the caller's transaction. */
export async function openControllerLogin(
  client: pg.Client,
  { login, verifier }: { readonly login: string; readonly verifier: string },
): Promise<void> {
  const name = client.escapeIdentifier(login);
  if (!(await roleExists(client, login))) await client.query(`CREATE ROLE ${name}`);
  await openLogin(client, { login, verifier });
  await client.query(`GRANT ${ROLE_NAMES.controller} TO ${name}`);
}

/** A cluster for which a controller's login may write. */
export interface ControllerLogin {
  readonly login: string;
  readonly cluster: string;
  /** Milliseconds since the epoch. */
  readonly boundAt: number;
  /** `migration`, `first cluster`, or the login that granted it. */
  readonly boundBy: string;
}

/** The database records who granted it. */
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

export async function roleExists(client: pg.Client, login: string): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [login]);
  return rowCount === 1;
}

/** Returns whether the grant existed. */
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

/** The rights of this connection's login; kinds as in `cloudwright_login_kind()`. */
export interface LoginStanding {
  readonly login: string;
  readonly kind: "owner" | "controller" | "web" | "both" | "none";
  /** The clusters whose controllers may record through it. */
  readonly clusters: readonly string[];
  /** Until a login has been granted a cluster, the first cluster that writes takes the shared login. */
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
