import { entryRow } from "../src/audit/audit-insert.ts";
import type { Database } from "../src/database/database.ts";
import { ADD_ENTRIES } from "../src/sql/statements.ts";
import { storableJson } from "../src/text/storable-json.ts";
import { auditEntry } from "./records.ts";

/** Adds this many audit entries, each about a node of its own, in one call. */
export async function addEntries(
  { pool }: Pick<Database, "pool">,
  count: number,
  over: Parameters<typeof auditEntry>[0] = {},
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) =>
    entryRow(auditEntry({ object: { kind: "Node", name: `w-${index}` }, ...over })),
  );
  await pool.query(ADD_ENTRIES, [storableJson(rows)]);
}
