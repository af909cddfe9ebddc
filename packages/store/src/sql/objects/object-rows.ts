import type { ObjectKind, OwnOf, RowOf } from "@cloudwright/core/model/kinds/define-kind";
import { PART_KINDS } from "@cloudwright/core/model/kinds/kinds";
import { type StoredParts, storedPartsSchema } from "@cloudwright/core/model/kinds/known-object";
import { serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { nodeRoutesKind } from "@cloudwright/core/model/kinds/route";
import { outcomeSchema } from "@cloudwright/core/model/run";
import { driftSchema, STATES, stateSchema } from "@cloudwright/core/model/state";
import { grouped } from "@cloudwright/core/model/values/grouped";
import type { Database } from "../../database/database.ts";
import { REQUEST_KEY_LENGTH } from "../../ledger/request-keys.ts";
import { OperationError } from "../../operations/errors.ts";
import type { FoundObject } from "../../views/find.ts";
import {
  asJson,
  asNumber,
  asOptionalText,
  asText,
  asTime,
  columnName,
  orUndefined,
  quoted,
  readColumns,
  readJson,
  readReason,
  readTime,
  type StoredRow,
  sqlKinds,
  storedColumns,
} from "../stored-json.ts";

/* By hand: rows of the table and the columns that a kind's definition names. */

/** One object as its row, with the fields that lists leave out. */
export interface ObjectWithParts<Kind> {
  readonly row: RowOf<Kind>;
  readonly own: OwnOf<Kind>;
  readonly parts: StoredParts;
  /** As stored: the kind's definition says how to read it. */
  readonly detail: unknown;
  readonly createdAt: number | undefined;
  readonly goneAt: number | undefined;
}

/** Returns the object, even if it is gone; undefined for one that was never reported. */
export async function findObject<Kind extends ObjectKind>(
  { pool }: Pick<Database, "pool">,
  kind: Kind,
  { cluster, name }: { readonly cluster: string; readonly name: string },
): Promise<ObjectWithParts<Kind> | undefined> {
  const own = Object.keys(kind.columns);
  const { rows } = await pool.query<StoredRow>(
    `SELECT ${columnsOf(own)}, ${REST.columns}
       FROM ${kind.table} WHERE cluster_id = $1 AND kind = $2 AND name = $3`,
    [cluster, kind.name, name],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    row: objectRow(kind, row),
    own: readColumns(kind.columns, row) as OwnOf<Kind>,
    ...REST.read(row),
  };
}

/** Returns the object. Throws OperationError NotFound with this sentence. */
export async function objectByName<Kind extends ObjectKind>(
  db: Pick<Database, "pool">,
  kind: Kind,
  {
    notFound,
    ...key
  }: { readonly cluster: string; readonly name: string; readonly notFound: () => string },
): Promise<ObjectWithParts<Kind>> {
  const object = await findObject(db, kind, key);
  if (object !== undefined) return object;
  throw new OperationError("NotFound", notFound);
}

/** Returns the columns that `objectRow` reads, plus these of the kind. */
export function columnsOf(own: readonly string[]): string {
  return [SUMMARY_COLUMNS, ...own.map((name) => quoted(columnName(name)))].join(", ");
}

const SUMMARY = storedColumns({
  name: asText,
  uid: asText,
  state: asJson(stateSchema, "unknown"),
  reason: readReason,
  controller: asText,
  since: asTime,
  nextAt: readTime,
  failures: asNumber,
  drift: asJson(driftSchema, "notChecked"),
  providerID: asOptionalText,
  lastRunId: asText,
  lastRunOutcome: asJson(outcomeSchema, "failed"),
  lastRunAt: asTime,
  updatedAt: asTime,
});

/** `name_key` orders lists: it is the name with all numbers padded to one length, so that node-2 comes before node-10. */
const SUMMARY_COLUMNS = `${SUMMARY.columns}, name_key, state_rank`;

const REST = storedColumns({
  detail: orUndefined<unknown>,
  parts: asJson(storedPartsSchema, {}),
  createdAt: readTime,
  goneAt: readTime,
});

/** Returns a row as lists show it. */
export function objectRow<Kind extends ObjectKind>(kind: Kind, row: StoredRow): RowOf<Kind> {
  const own = Object.entries(kind.columns).filter(([, column]) => column.inLists !== false);
  const { lastRunId: id, lastRunOutcome: outcome, lastRunAt: at, ...summary } = SUMMARY.read(row);
  return {
    ...summary,
    lastRun: { id, outcome, at },
    ...readColumns(Object.fromEntries(own), row),
    ...(kind.detail?.inLists === true
      ? { detail: readJson(kind.detail.schema, row.detail, undefined) }
      : {}),
  } as RowOf<Kind>;
}

const FOUND = storedColumns({
  kind: asText,
  name: asText,
  uid: asText,
  state: asJson(stateSchema, STATES[1]),
  providerID: asOptionalText,
  address: asOptionalText,
});

/** The names of a node's routes: other fields of a cell name no route. */
const ROUTE_NAMES = ["cidr", "route.id", "route.name"]
  .map((member) => `jsonb_path_query_array(detail, '$.cells[*].${member}')::text`)
  .join(" || ");

/** Shorter texts occur in too many pod ranges to identify one. */
const ROUTE_TEXT_LENGTH = 4;

/**
 * Finds objects by one of their texts or the start of their UID, by cluster and up to a limit per kind; for a node's routes, by pod range,
 * or id or name in the cloud. Gone objects come last: their page says what became of them.
 */
export async function searchObjects(
  { pool }: Pick<Database, "pool">,
  {
    clusters,
    text,
    most,
  }: { readonly clusters: readonly string[]; readonly text: string; readonly most: number },
): Promise<ReadonlyMap<string, readonly FoundObject[]>> {
  const { rows } = await pool.query<StoredRow>(
    `SELECT cluster_id, ${FOUND.columns}
       FROM (SELECT cluster_id, kind, name, name_key, uid, state, state_rank, provider_id, address,
                    row_number() OVER (PARTITION BY cluster_id, kind ORDER BY state_rank, name_key, name) AS place
               FROM all_states
              WHERE cluster_id = ANY($1::text[]) AND kind <> ALL($3::text[]) AND (strpos(search_text, $2) > 0
                    OR length($2) >= ${REQUEST_KEY_LENGTH} AND starts_with(lower(left(uid, length($2))), $2))
              UNION ALL
             SELECT cluster_id, kind, name, name_key, uid, state, state_rank, provider_id, address,
                    row_number() OVER (PARTITION BY cluster_id ORDER BY state_rank, name_key, name) AS place
               FROM ${nodeRoutesKind.table}
              WHERE cluster_id = ANY($1::text[]) AND kind = ${sqlKinds(nodeRoutesKind)} AND length($2) >= ${ROUTE_TEXT_LENGTH}
                    AND strpos(search_text, $2) > 0 AND strpos(lower(name), $2) = 0 AND strpos(lower(${ROUTE_NAMES}), $2) > 0) AS found
      WHERE place <= ${most}
      ORDER BY state_rank, name_key, name`,
    [clusters, text.toLowerCase(), PART_KINDS],
  );
  const ofCluster = grouped(rows, ({ cluster_id: cluster }) => String(cluster));
  return new Map([...ofCluster].map(([cluster, found]) => [cluster, found.map(FOUND.read)]));
}

export interface StoredVerdict {
  readonly name: string;
  readonly state: string;
  readonly addresses: readonly string[];
  readonly verdict: unknown;
}

/** Returns the state of one node in each Service's load balancer, by Service name: of thousands of verdicts only this node's is read. */
export async function verdictsOn(
  { pool }: Pick<Database, "pool">,
  { cluster, name }: { readonly cluster: string; readonly name: string },
): Promise<readonly StoredVerdict[]> {
  const { rows } = await pool.query<StoredVerdict>(
    `SELECT name, state, addresses, member_verdicts -> $2::text AS verdict
       FROM load_balancer_states
      WHERE cluster_id = $1 AND kind = ${sqlKinds(serviceKind)} AND state <> 'gone' AND member_verdicts IS NOT NULL
      ORDER BY name_key, name`,
    [cluster, name],
  );
  return rows;
}
