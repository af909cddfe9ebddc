import type pg from "pg";

/**
 * Whether this login owns the ledger's tables, so that the roles are not separated: then only a checkpoint outside the
 * database shows what it does to audit entries. Throws what the database says.
 */
export async function ownsLedger(pool: Pick<pg.Pool, "query">): Promise<boolean> {
  const { rows } = await pool.query<{ owns: boolean }>(
    "SELECT pg_has_role(current_user, relowner, 'USAGE') AS owns FROM pg_class WHERE oid = 'audit_entries'::regclass",
  );
  return rows[0]?.owns === true;
}

/** What a process says once at its start when it does. */
export const OWNER_NOTE =
  "The database login owns the ledger, so roles are not separated: give this process the login that `cloudwright migrate` makes for it";
