import { changeSchema, nextSchema, notTakenSchema } from "@cloudwright/core/model/plan";
import { outcomeSchema } from "@cloudwright/core/model/run";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { type KeyColumn, type KeysetQuery, keysetPage, sqlConditions } from "../../sql/keyset.ts";
import { orUndefined, readJson, readReason } from "../../sql/stored-json.ts";
import type { ShadowFilter, ShadowPage, ShadowRow, ShadowSort } from "../../views/shadow.ts";
import type { ListInput } from "../../views/views.ts";

/**
 * What the newest dry run of each object would do (DESIGN.md "Dry run"); objects that are gone are not listed. Throws
 * OperationError Invalid for a bad limit or cursor.
 */
export async function pendingOfShadow(
  db: Database,
  input: ListInput<ShadowFilter, ShadowSort>,
): Promise<ShadowPage> {
  const [page, counts, shadow] = await Promise.all([
    keysetPage(shadowQuery(db, input)),
    countPlans(db, input.cluster),
    newestShadow(db, input.cluster),
  ]);
  return { ...page, counts, shadow };
}

const THERE = "reason_code <> 'ObjectGone'";
const CHANGES = "change_count > 0";
const STOPPED = "change_count = 0 AND outcome IN ('blocked', 'failed', 'timedOut')";
const SHOWN = { changes: CHANGES, stopped: STOPPED, all: "true" } as const;

function shadowQuery(
  { pool }: Pick<Database, "pool">,
  { cluster, filter, sort, cursor, limit }: ListInput<ShadowFilter, ShadowSort>,
): KeysetQuery<StoredPlan, ShadowRow> {
  const where = sqlConditions();
  where.texts.push(`cluster_id = ${where.bind(cluster)}`, THERE);
  where.texts.push(`(${SHOWN[filter.show ?? "changes"]})`);
  if (filter.controller !== undefined) {
    where.texts.push(`controller = ${where.bind(filter.controller)}`);
  }
  if (filter.text !== undefined && filter.text !== "") {
    const text = where.bind(filter.text.toLowerCase());
    where.texts.push(
      `strpos(lower(concat_ws('/', nullif(object_namespace, ''), object_name)), ${text}) > 0`,
    );
  }
  return {
    pool,
    table: "shadow_plans",
    columns:
      "controller, object_kind, object_namespace, object_name, name_key, object_uid, run_id, at, outcome, reason, next, changes, not_taken",
    where,
    order: ORDER,
    descending: sort.descending,
    binding: { list: "shadow", cluster, filter, sort },
    cursor,
    limit,
    view: planView,
  };
}

interface StoredPlan {
  readonly controller: string;
  readonly object_kind: string;
  readonly object_namespace: string;
  readonly object_name: string;
  readonly name_key: string;
  readonly object_uid: string | null;
  readonly run_id: string;
  readonly at: Date;
  readonly outcome: string;
  readonly reason: unknown;
  readonly next: unknown;
  readonly changes: unknown;
  readonly not_taken: unknown;
}

const ORDER: readonly KeyColumn<StoredPlan>[] = [
  { expression: "controller", type: "text", value: (row) => row.controller },
  { expression: "object_kind", type: "text", value: (row) => row.object_kind },
  { expression: "object_namespace", type: "text", value: (row) => row.object_namespace },
  { expression: "name_key", type: "text", value: (row) => row.name_key },
  { expression: "object_name", type: "text", value: (row) => row.object_name },
];

function planView(row: StoredPlan): ShadowRow {
  const reason = readReason(row.reason);
  return {
    controller: row.controller,
    object: {
      kind: row.object_kind,
      namespace: row.object_namespace === "" ? undefined : row.object_namespace,
      name: row.object_name,
      uid: orUndefined(row.object_uid),
    },
    runId: row.run_id,
    at: row.at.getTime(),
    outcome: readJson(outcomeSchema, row.outcome, "failed"),
    reason,
    changes: readJson(z.array(changeSchema), row.changes, []),
    notTaken: readJson(z.array(notTakenSchema), row.not_taken, []),
    next: readJson(nextSchema, row.next, { kind: "settled", reason }),
  };
}

async function countPlans(db: Database, cluster: string): Promise<ShadowPage["counts"]> {
  const { rows } = await db.pool.query<ShadowPage["counts"]>(
    `SELECT count(*)::int AS "all", count(*) FILTER (WHERE ${CHANGES})::int AS changes,
            count(*) FILTER (WHERE ${STOPPED})::int AS stopped
       FROM shadow_plans WHERE cluster_id = $1 AND ${THERE}`,
    [cluster],
  );
  return rows[0] ?? { all: 0, changes: 0, stopped: 0 };
}

/** One that leads comes before those that wait for its Lease. */
async function newestShadow(db: Database, cluster: string): Promise<ShadowPage["shadow"]> {
  const { rows } = await db.pool.query<StoredShadow>(
    `SELECT identity, version, heard_at, leader FROM controller_instances
      WHERE cluster_id = $1 AND dry_run
      ORDER BY leader DESC, heard_at DESC LIMIT 1`,
    [cluster],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { identity, version, leader } = row;
  return { identity, version, heardAt: row.heard_at.getTime(), leader };
}

interface StoredShadow {
  readonly identity: string;
  readonly version: string;
  readonly heard_at: Date;
  readonly leader: boolean;
}
