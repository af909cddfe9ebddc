import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type {
  ControllerUse,
  LookupCounts,
  OperationCounts,
  PendingRequest,
  PriorityWaits,
} from "@cloudwright/core/model/records/budget-record";
import type { Unread } from "./unread.ts";

/** What the Budget page shows (UX.md section 11). Times are milliseconds since the epoch. */
export interface BudgetView extends Unread<BudgetPart> {
  readonly range: BudgetRange;
  /** The stretch of time, in whole buckets; one that ends now has its last one under way. */
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  /** Minutes of which a record is there. */
  readonly minutesKnown: number;
  /** Whether only a dry run has reported it. */
  readonly isDryRun: boolean;
  readonly cloud: ApiBudget & {
    readonly priorities: readonly PriorityWaits[];
    readonly lookups: readonly LookupCounts[];
  };
  readonly kube: ApiBudget;
  readonly controllers: readonly ControllerUse[];
  /** What one look at every object costs, by controller; those whose periodic look was not seen are left out. */
  readonly resync: readonly ResyncCost[];
  /** Who waited longest for the cloud's budget. */
  readonly waiters: readonly PendingRequest[];
  /** Objects that wait now because the cloud allows no more calls. */
  readonly deferred: { readonly count: number; readonly oldest: readonly DeferredObject[] };
}

/** What the page can do without: what was called is in the minutes alone. */
export const BUDGET_PARTS = ["resync", "deferred"] as const;
export type BudgetPart = (typeof BUDGET_PARTS)[number];

export const BUDGET_RANGES = ["hour", "day"] as const;
export type BudgetRange = (typeof BUDGET_RANGES)[number];

export interface ApiBudget {
  /** Oldest first, without a hole: of some nothing may be known. */
  readonly buckets: readonly BudgetBucket[];
  /** Most called first. */
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
  /** Of its busiest minute. */
  readonly callsPerMinute: number;
  /** The least that a minute of it allowed; undefined without a limit. */
  readonly limitPerMinute: number | undefined;
  /** The largest share of a minute's limit that was used; undefined without a limit. */
  readonly share: number | undefined;
}

export interface OperationBudget extends Omit<OperationCounts, "durations"> {
  /** Undefined without a call. */
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
  /** `w-9`, or `shop/web` for what has a namespace. */
  readonly name: string;
  readonly nextAt: number | undefined;
}
