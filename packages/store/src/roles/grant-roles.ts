import pg from "pg";
import {
  DATABASE_ROLES,
  type DatabaseRole,
  FUNCTION_RIGHTS,
  ROLE_NAMES,
  TABLE_RIGHTS,
} from "./rights.ts";

export type GrantOutcome =
  | { readonly kind: "granted" }
  /** The roles are not there and this login may not make them; the sentence says what to do. */
  | { readonly kind: "notAllowed"; readonly sentence: string };

/**
 * Makes the roles of controller and dashboard where they are missing, and gives them what they need of this database and
 * nothing else: rights from before are taken away first. Run it after each migration, as the tables' owner.
 */
export async function grantRoles(databaseUrl: string): Promise<GrantOutcome> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const missing = await missingRoles(client);
    if (missing.length > 0 && !(await mayCreateRoles(client))) {
      return { kind: "notAllowed", sentence: notAllowed(missing) };
    }
    for (const role of missing) await client.query(createRole(role));
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('cloudwright roles', 0))");
    for (const statement of await statements(client)) await client.query(statement);
    await client.query("COMMIT");
    return { kind: "granted" };
  } finally {
    await client.end();
  }
}

async function missingRoles(client: pg.Client): Promise<readonly DatabaseRole[]> {
  const names = DATABASE_ROLES.map((role) => ROLE_NAMES[role]);
  const { rows } = await client.query<{ rolname: string }>(
    "SELECT rolname FROM pg_roles WHERE rolname = ANY($1::text[])",
    [names],
  );
  return DATABASE_ROLES.filter((role) => !rows.some(({ rolname }) => rolname === ROLE_NAMES[role]));
}

async function mayCreateRoles(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    "SELECT rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user",
  );
  return rows[0]?.may === true;
}

function notAllowed(missing: readonly DatabaseRole[]): string {
  const commands = missing.map((role) => `CREATE ROLE ${ROLE_NAMES[role]};`).join(" ");
  return `The roles of controller and dashboard are not separated, because this login may not create roles: have the server's administrator run "${commands}", then migrate again.`;
}

/** Roles are the whole server's: another database's migration may make them at the same moment. */
function createRole(role: DatabaseRole): string {
  return `DO $$ BEGIN CREATE ROLE ${ROLE_NAMES[role]} NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`;
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
