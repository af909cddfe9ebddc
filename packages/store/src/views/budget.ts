import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type {
  ControllerUse,
  LookupCounts,
  OperationCounts,
  PendingRequest,
  PriorityWaits,
} from "@cloudwright/core/model/records/budget-record";
import type { Unread } from "./unread.ts";

/** The content of the Budget page (UX.md section 11). Times are milliseconds since the epoch. */
export interface BudgetView extends Unread<BudgetPart> {
  readonly range: BudgetRange;
  /** The time span, in whole buckets; if it ends now, the last one is incomplete. */
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  /** Number of minutes with a record. */
  readonly minutesKnown: number;
  /** Whether only a dry run has reported it. */
  readonly isDryRun: boolean;
  readonly cloud: ApiBudget & {
    readonly priorities: readonly PriorityWaits[];
    readonly lookups: readonly LookupCounts[];
  };
  readonly kube: ApiBudget;
  readonly controllers: readonly ControllerUse[];
  /** What observing every object once costs, by controller; controllers whose periodic resync was not seen are left out. */
  readonly resync: readonly ResyncCost[];
  /** The requests that waited longest for the cloud's budget. */
  readonly waiters: readonly PendingRequest[];
  /** Objects that are waiting because the cloud allows no more calls. */
  readonly deferred: { readonly count: number; readonly oldest: readonly DeferredObject[] };
}

/** The optional parts of the page: the calls themselves are in the minutes. */
export const BUDGET_PARTS = ["resync", "deferred"] as const;
export type BudgetPart = (typeof BUDGET_PARTS)[number];

export const BUDGET_RANGES = ["hour", "day"] as const;
export type BudgetRange = (typeof BUDGET_RANGES)[number];

export interface ApiBudget {
  /** Oldest first, without gaps: some may have no data. */
  readonly buckets: readonly BudgetBucket[];
  /** Most calls first. */
  readonly operations: readonly OperationBudget[];
}

export interface BudgetBucket {
  readonly at: number;
  readonly until: number;
  /** Undefined when there is no record of it. */
  readonly use: BucketUse | undefined;
}

export interface BucketUse {
  readonly calls: number;
  readonly throttled: number;
  /** The calls of its busiest minute. */
  readonly callsPerMinute: number;
  /** The lowest limit of its minutes; undefined without a limit. */
  readonly limitPerMinute: number | undefined;
  /** The largest used share of a minute's limit; undefined without a limit. */
  readonly share: number | undefined;
}

export interface OperationBudget extends Omit<OperationCounts, "durations"> {
  /** Undefined without any calls. */
  readonly p95Ms: number | undefined;
}

export interface ResyncCost {
  readonly controller: ControllerName;
  readonly objects: number;
  /** Calls to the cloud. */
  readonly calls: number;
}

export interface DeferredObject {
  readonly kind: string;
  /** `w-9`, or `shop/web` for an object with a namespace. */
  readonly name: string;
  readonly nextAt: number | undefined;
}
