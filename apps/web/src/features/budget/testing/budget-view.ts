import type { BucketUse, BudgetBucket, BudgetView } from "@cloudwright/store/views/budget";

const NOTHING = { buckets: [], operations: [] } as const;

export function budgetView(over: Partial<BudgetView> = {}): BudgetView {
  return {
    range: "hour",
    from: 0,
    to: 3_600_000,
    bucketMs: 60_000,
    minutesKnown: 60,
    isDryRun: false,
    cloud: { ...NOTHING, priorities: [], lookups: [] },
    kube: NOTHING,
    controllers: [],
    resync: [],
    waiters: [],
    deferred: { count: 0, oldest: [] },
    ...over,
  };
}

export function use(over: Partial<BucketUse> = {}): BucketUse {
  return {
    calls: 0,
    throttled: 0,
    callsPerMinute: over.calls ?? 0,
    limitPerMinute: undefined,
    share: undefined,
    ...over,
  };
}

/** Returns one bucket per minute from 0 on. */
export function minutes(...uses: readonly (BucketUse | undefined)[]): readonly BudgetBucket[] {
  return uses.map((each, index) => ({
    at: index * 60_000,
    until: (index + 1) * 60_000,
    use: each,
  }));
}
