import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { changeSchema, notTakenSchema } from "@cloudwright/core/model/plan";
import { type RunEnd, runEndSchema } from "@cloudwright/core/model/run";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { intentById } from "../../intents/intents.ts";
import { isOperationError, OperationError } from "../../operations/errors.ts";
import { isUuid } from "../../sql/lists/cursor.ts";
import { checkedLimit, readList } from "../../sql/lists/list.ts";
import {
  findRun,
  neighbourOf,
  RUNS,
  type RunSort,
  runRecord,
  runRow,
} from "../../sql/runs/runs.ts";
import { readJson, type StoredRow } from "../../sql/stored-json.ts";
import type { GapRow } from "../../views/clusters.ts";
import type { ListInput, Page, RunDetail, RunRow, RunsFilter } from "../../views/views.ts";

/** Lists the runs of a cluster by their start. Throws OperationError Invalid for a bad limit or cursor. */
export function listRuns(
  db: Database,
  input: ListInput<RunsFilter, RunSort>,
): Promise<Page<RunRow>> {
  return readList(db.pool, RUNS, input);
}

export interface RunDetailInput {
  readonly cluster: string;
  readonly id: string;
}

/**
 * Returns one run, its neighbours of the same object and the intent that requested it. For a folded run, returns the run that stands for
 * it. Throws OperationError NotFound.
 */
export async function runDetail(db: Database, input: RunDetailInput): Promise<RunDetail> {
  const stored = isUuid(input.id) ? await findRun(db.pool, input) : undefined;
  if (stored === undefined) {
    throw new OperationError(
      "NotFound",
      () => t`No such run in this cluster; old runs are removed.`,
    );
  }
  const [previousId, nextId, intent] = await Promise.all([
    neighbourOf(db.pool, stored, "previous"),
    neighbourOf(db.pool, stored, "next"),
    intentOf(db, { cluster: input.cluster, id: stored.intent_id }),
  ]);
  return {
    row: runRow(stored),
    end: runEnd(stored),
    changes: readJson(z.array(changeSchema), stored.changes, []),
    notTaken: readJson(z.array(notTakenSchema), stored.not_taken, []),
    instance: String(stored.instance),
    previousId,
    nextId,
    intent,
  };
}

/** Returns only the run, or the one it was folded into; undefined when the cluster has no run of this id. */
export async function runRowById(db: Database, input: RunDetailInput): Promise<RunRow | undefined> {
  const stored = isUuid(input.id) ? await findRun(db.pool, input) : undefined;
  return stored === undefined ? undefined : runRow(stored);
}

async function intentOf(
  db: Database,
  { cluster, id }: { readonly cluster: string; readonly id: unknown },
): Promise<ListedIntent | undefined> {
  if (typeof id !== "string") return undefined;
  try {
    return await intentById(db, { cluster, id });
  } catch (error) {
    // A run may outlive the intent that requested it.
    if (isOperationError(error) && error.code === "NotFound") return undefined;
    throw error;
  }
}

function runEnd(run: StoredRow): RunEnd | undefined {
  if (run.outcome === "running" || run.outcome === "interrupted") return undefined;
  return readJson(runEndSchema, runRecord(run), undefined);
}

interface GapsInput {
  readonly cluster: string;
  /** Only gaps that overlap this time span, milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** 1 to 200. */
  readonly limit: number;
}

/** Returns what full spools lost of a cluster's ledger, newest first. Throws OperationError Invalid for a bad limit. */
export async function listGaps(db: Database, input: GapsInput): Promise<readonly GapRow[]> {
  const { cluster, from, to } = input;
  const rows = await db.prisma.ledgerGap.findMany({
    where: {
      clusterId: cluster,
      ...(from === undefined ? {} : { toAt: { gte: new Date(from) } }),
      ...(to === undefined ? {} : { fromAt: { lt: new Date(to) } }),
    },
    orderBy: [{ toAt: "desc" }, { id: "asc" }],
    take: checkedLimit(input.limit),
  });
  return rows.map(({ id, instance, fromAt, toAt, records, calls }) => ({
    ...{ id, instance, records, calls },
    from: fromAt.getTime(),
    to: toAt.getTime(),
  }));
}
