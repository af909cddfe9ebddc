import { controllerOf } from "@cloudwright/core/model/controller-names";
import { serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import {
  budgetMinuteSchema,
  type ControllerUse,
  type OperationCounts,
} from "@cloudwright/core/model/records/budget-record";
import {
  durationAt,
  sumControllers,
  sumLookups,
  sumOperations,
  sumPriorities,
} from "@cloudwright/core/model/records/budget-sum";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { countPresent, listDeferred } from "../../sql/objects/objects.ts";
import { readJson } from "../../sql/stored-json.ts";
import type {
  ApiBudget,
  BudgetPart,
  BudgetRange,
  BudgetView,
  OperationBudget,
  ResyncCost,
} from "../../views/budget.ts";
import { type PartialInput, partReader } from "../partial/part-reader.ts";
import { bucketsOf, type MinuteUse } from "./budget-buckets.ts";

const MINUTE_MS = 60_000;

/** The length of a range, and its number of buckets. */
const RANGES: Readonly<
  Record<BudgetRange, { readonly buckets: number; readonly bucketMs: number }>
> = {
  hour: { buckets: 60, bucketMs: MINUTE_MS },
  day: { buckets: 96, bucketMs: 15 * MINUTE_MS },
};

/** A custom time span is shown in at most this many buckets, each of a round length … */
const STRETCH_BUCKETS = 96;
const ROUND_MINUTES = [1, 2, 5, 10, 15, 30, 60] as const;
/** … and no longer than this: there is a record for each minute. */
export const STRETCH_MOST_MS = 3 * 1_440 * MINUTE_MS;

const PENDING_MOST = 10;

export interface BudgetInput extends PartialInput {
  readonly cluster: string;
  readonly range: BudgetRange;
  /** Together they select a time span instead of the range, milliseconds since the epoch; if it is too long, its end is shown. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The server's time. */
  readonly now: number;
}

/** Returns the recent calls to the cloud and to the Kubernetes API. For an unknown cluster everything is empty. */
export async function budget(db: Database, input: BudgetInput): Promise<BudgetView> {
  const { cluster, range } = input;
  const stretch = stretchOf(input);
  const { from, to } = stretch;
  const { part, naming } = partReader<BudgetPart>(input);
  const [stored, present, deferred] = await Promise.all([
    storedMinutes(db, { cluster, from, to }),
    part("resync", presentObjects(db, cluster), undefined),
    part("deferred", listDeferred(db.pool, cluster), { count: 0, oldest: [] }),
  ]);
  const minutes = ofThoseThatAct(stored);
  const controllers = sumControllers(minutes.flatMap(({ controllers: uses }) => uses));
  return naming({
    range,
    ...stretch,
    minutesKnown: new Set(minutes.map(({ at }) => at)).size,
    isDryRun: minutes.some(({ dryRun }) => dryRun),
    cloud: {
      ...apiBudget(minutes, { ...stretch, of: "cloud" }),
      priorities: sumPriorities(minutes.flatMap(({ cloud }) => cloud.priorities)),
      lookups: sumLookups(minutes.flatMap(({ cloud }) => cloud.lookups)),
    },
    kube: apiBudget(minutes, { ...stretch, of: "kube" }),
    controllers,
    resync: present === undefined ? [] : resyncOf(controllers, present),
    waiters: minutes
      .flatMap(({ waiters: pending }) => pending)
      .toSorted((left, right) => right.waitMs - left.waitMs)
      .slice(0, PENDING_MOST),
    deferred,
  });
}

async function presentObjects({ pool }: Database, cluster: string) {
  const [nodes, services] = await Promise.all([
    countPresent(pool, nodeKind, cluster),
    countPresent(pool, serviceKind, cluster),
  ]);
  return { Node: nodes, Service: services };
}

function stretchOf({ range, now, from, to }: BudgetInput): Omit<Part, "of"> {
  if (from === undefined || to === undefined || from >= to) {
    const { buckets, bucketMs } = RANGES[range];
    const end = (Math.floor(now / bucketMs) + 1) * bucketMs;
    return { from: end - buckets * bucketMs, to: end, bucketMs };
  }
  const start = Math.max(from, to - STRETCH_MOST_MS);
  const minutes = (to - start) / MINUTE_MS / STRETCH_BUCKETS;
  const bucketMs = (ROUND_MINUTES.find((round) => round >= minutes) ?? 60) * MINUTE_MS;
  return {
    from: Math.floor(start / bucketMs) * bucketMs,
    to: Math.ceil(to / bucketMs) * bucketMs,
    bucketMs,
  };
}

const storedMinuteSchema = z.object(budgetMinuteSchema.def.innerType.shape).pick({
  at: true,
  dryRun: true,
  cloud: true,
  kube: true,
  controllers: true,
  waiters: true,
});
type StoredMinute = ReturnType<typeof storedMinuteSchema.parse>;

/** Leaves out records of a newer release that this one cannot read; they are shown as unknown. */
async function storedMinutes(
  db: Database,
  { cluster, from, to }: { readonly cluster: string; readonly from: number; readonly to: number },
): Promise<readonly StoredMinute[]> {
  const rows = await db.prisma.budgetMinute.findMany({
    where: { clusterId: cluster, at: { gte: new Date(from), lt: new Date(to) } },
    orderBy: [{ at: "asc" }, { instance: "asc" }],
  });
  return rows.flatMap(({ at, ...row }) => {
    const minute = readJson(storedMinuteSchema, { ...row, at: at.getTime() }, undefined);
    return minute === undefined ? [] : [minute];
  });
}

/** Leaves out a dry run's minutes if there is an acting controller. */
function ofThoseThatAct(minutes: readonly StoredMinute[]): readonly StoredMinute[] {
  const acting = minutes.filter(({ dryRun }) => !dryRun);
  return acting.length === 0 ? minutes : acting;
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  readonly of: "cloud" | "kube";
}

function apiBudget(minutes: readonly StoredMinute[], part: Part): ApiBudget {
  const uses = minutes.map((minute): MinuteUse => {
    const { operations, limitPerMinute } = minute[part.of];
    return {
      at: minute.at,
      calls: sumOf(operations, "calls"),
      throttled: sumOf(operations, "throttled"),
      limitPerMinute,
    };
  });
  return {
    buckets: bucketsOf(uses, part),
    operations: sumOperations(minutes.flatMap((minute) => minute[part.of].operations)).map(
      operationBudget,
    ),
  };
}

function operationBudget({ durations, ...counts }: OperationCounts): OperationBudget {
  return { ...counts, p95Ms: durationAt(0.95, durations) };
}

function sumOf(operations: readonly OperationCounts[], what: "calls" | "throttled"): number {
  return operations.reduce((sum, counts) => sum + counts[what], 0);
}

/** Sums up the controllers that periodically observe every object. */
function resyncOf(
  uses: readonly ControllerUse[],
  present: Readonly<Partial<Record<string, number>>>,
): readonly ResyncCost[] {
  return uses
    .filter(({ controller, periodRuns }) => controllerOf(controller).rereadsAll && periodRuns > 0)
    .map(({ controller, periodRuns, periodCloudCalls }) => {
      const objects = present[controllerOf(controller).objectKind] ?? 0;
      const calls = Math.ceil((periodCloudCalls / periodRuns) * objects);
      return { controller, objects, calls };
    });
}
