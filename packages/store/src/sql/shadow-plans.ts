import { changeSchema, nextSchema, notTakenSchema } from "@cloudwright/core/model/plan";
import { outcomeSchema } from "@cloudwright/core/model/run";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { ShadowFilter, ShadowPage, ShadowRow, ShadowSort } from "../views/shadow.ts";
import type { ListInput } from "../views/views.ts";
import { contains, equals } from "./conditions.ts";
import { countList, type KeyColumn, type List, readList } from "./list.ts";
import { orUndefined, readJson, readReason } from "./stored-json.ts";

/* A list by keys with counts. */

/**
 * What the newest dry run of each object would do (DESIGN.md "Dry run"); objects that are gone are not listed. Throws
 * OperationError Invalid for a bad limit or cursor.
 */
export async function pendingOfShadow(
  db: Database,
  input: ListInput<ShadowFilter, ShadowSort>,
): Promise<ShadowPage> {
  const { cluster } = input;
  const [page, counts, shadow] = await Promise.all([
    readList(db.pool, SHADOW_PLANS, input),
    countList(db.pool, SHADOW_PLANS, { cluster, counts: SHOWN }),
    newestShadow(db, cluster),
  ]);
  return { ...page, counts, shadow };
}

const SHOWN = {
  changes: "change_count > 0",
  stopped: "change_count = 0 AND outcome IN ('blocked', 'failed', 'timedOut')",
  all: "true",
} as const;

const SHADOW_PLANS: List<StoredPlan, ShadowRow, ShadowFilter, ShadowSort> = {
  ...{ name: "shadow", table: "shadow_plans", scope: "cluster_id" },
  columns:
    "controller, object_kind, object_namespace, object_name, name_key, object_uid, run_id, at, outcome, reason, next, changes, not_taken",
  only: () => "reason_code <> 'ObjectGone'",
  defaults: { show: "changes" },
  filters: {
    show: (shown) => `(${SHOWN[shown]})`,
    controller: equals("controller"),
    text: contains("lower(concat_ws('/', nullif(object_namespace, ''), object_name))"),
  },
  orders: {
    object: (
      ["controller", "object_kind", "object_namespace", "name_key", "object_name"] as const
    ).map(
      (column): KeyColumn<StoredPlan> => ({
        expression: column,
        type: "text",
        value: (row) => row[column],
      }),
    ),
  },
  view: planView,
};

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

/** One that leads comes before those that wait for its Lease. */
async function newestShadow({ prisma }: Database, cluster: string): Promise<ShadowPage["shadow"]> {
  const newest = await prisma.controllerInstance.findFirst({
    where: { clusterId: cluster, dryRun: true },
    select: { identity: true, version: true, heardAt: true, leader: true },
    orderBy: [{ leader: "desc" }, { heardAt: "desc" }],
  });
  return newest === null ? undefined : { ...newest, heardAt: newest.heardAt.getTime() };
}
