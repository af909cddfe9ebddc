import type pg from "pg";
import { storableJson } from "../text/storable-json.ts";

/** One bulk statement of `statements.ts`, if there are rows. Throws what the database says. */
export async function insertRows(
  client: pg.Client,
  statement: string,
  rows: readonly object[],
): Promise<void> {
  if (rows.length > 0) await client.query(statement, [storableJson(rows)]);
}
