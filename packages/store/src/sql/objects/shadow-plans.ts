import { changeSchema, nextSchema, notTakenSchema } from "@cloudwright/core/model/plan";
import { outcomeSchema } from "@cloudwright/core/model/run";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import type { ShadowFilter, ShadowPage, ShadowRow, ShadowSort } from "../../views/shadow.ts";
import type { ListInput } from "../../views/views.ts";
import { contains, equals } from "../lists/conditions.ts";
import { countList, type List, readList } from "../lists/list.ts";
import {
  asIs,
  asJson,
  asText,
  asTime,
  OBJECT_COLUMNS,
  readJson,
  readReason,
  type StoredRow,
  storedColumns,
  storedObject,
} from "../stored-json.ts";

/* By hand: a list by keys with counts. */

/**
 * Lists what the newest dry run of each object would do (DESIGN.md "Dry run"); gone objects are left out. Throws OperationError Invalid for
 * a bad limit or cursor.
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

const PLAN = storedColumns({
  controller: asText,
  runId: asText,
  at: asTime,
  outcome: asJson(outcomeSchema, "failed"),
  reason: readReason,
  next: asIs<unknown>,
  changes: asJson(z.array(changeSchema), []),
  notTaken: asJson(z.array(notTakenSchema), []),
});

export const SHADOW_PLANS: List<ShadowRow, ShadowFilter, ShadowSort> = {
  ...{ name: "shadow", table: "shadow_plans", scope: "cluster_id" },
  columns: `${PLAN.columns}, ${OBJECT_COLUMNS}, name_key`,
  only: () => "reason_code <> 'ObjectGone'",
  defaults: { show: "changes" },
  filters: {
    show: (shown) => `(${SHOWN[shown]})`,
    controller: equals("controller"),
    text: contains("lower(concat_ws('/', nullif(object_namespace, ''), object_name))"),
  },
  orders: {
    object: ["controller", "object_kind", "object_namespace", "name_key", "object_name"].map(
      (expression) => ({ expression, type: "text" }),
    ),
  },
  view: planView,
};

function planView(row: StoredRow): ShadowRow {
  const { next, ...plan } = PLAN.read(row);
  return {
    ...plan,
    object: storedObject(row),
    next: readJson(nextSchema, next, { kind: "settled", reason: plan.reason }),
  };
}

/** A process that leads comes before those that wait for its Lease. */
async function newestShadow({ prisma }: Database, cluster: string): Promise<ShadowPage["shadow"]> {
  const newest = await prisma.controllerInstance.findFirst({
    where: { clusterId: cluster, dryRun: true },
    select: { identity: true, version: true, heardAt: true, leader: true },
    orderBy: [{ leader: "desc" }, { heardAt: "desc" }],
  });
  return newest === null ? undefined : { ...newest, heardAt: newest.heardAt.getTime() };
}
