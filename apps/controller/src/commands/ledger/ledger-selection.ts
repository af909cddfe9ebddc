import { parseGoDuration } from "@cloudwright/core/model/values/go-duration";
import { connect, type Database } from "@cloudwright/store/database/database";
import { listClusters } from "@cloudwright/store/queries/overview/clusters";
import type { Page } from "@cloudwright/store/views/views";
import { PlainError } from "../../plain-error.ts";
import { askDatabase } from "./database-failure.ts";

/** Does a command's work with the ledger at that address, then closes its connections. Throws like `askDatabase`. */
export async function withLedger<Result>(
  databaseUrl: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = connect(databaseUrl, { max: 2 });
  try {
    return await askDatabase(work(db));
  } finally {
    await db.close();
  }
}

/** Parses a time in RFC 3339, or a duration before `nowMs`. Throws PlainError for any other text. */
export function timeOf(flag: string, text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ago = parseGoDuration(text);
  if (ago !== undefined) return nowMs - ago;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new PlainError(
    `${flag} is "${text}": give a duration such as 1h30m, or a time such as 2026-01-31T12:00:00Z.`,
  );
}

/** Returns the id of the only cluster, or of the one with that id or name. Throws PlainError if that is ambiguous. */
export async function clusterId(db: Database, wanted: string | undefined): Promise<string> {
  const clusters = await listClusters(db);
  const fitting = clusters.filter(
    ({ id, name }) => wanted === undefined || id === wanted || name === wanted,
  );
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only.id;
  const known = clusters.map(({ id, name }) => `${name} (${id})`).join(", ");
  if (clusters.length === 0)
    throw new PlainError("The database has no cluster yet: start a controller.");
  throw new PlainError(
    only === undefined
      ? `There is no cluster "${wanted}": give --cluster with one of ${known}.`
      : `Name the cluster with --cluster: there is ${known}.`,
  );
}

/** The ledger's largest page size. */
const PAGE = 200;

/** Yields the first rows of a list that is read page by page. */
export async function* firstRows<Row>(
  limit: number,
  ask: (part: {
    readonly cursor: string | undefined;
    readonly limit: number;
  }) => Promise<Page<Row>>,
): AsyncGenerator<Row> {
  let left = limit;
  let cursor: string | undefined;
  do {
    const page = await ask({ cursor, limit: Math.min(left, PAGE) });
    yield* page.rows;
    left -= page.rows.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined && left > 0);
}
