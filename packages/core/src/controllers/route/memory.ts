import { type CloudRoute, isProviderError, type ProviderError } from "@cloudwright/provider-api";
import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import type { FailedAttempt, ReconcileContext, Written } from "../../reconcile/reconciler.ts";
import type { RouteChange, RouteCreate, RouteDelete } from "./changes.ts";
import type { Observed, Suspects } from "./observed.ts";

/** What is remembered of a Node's routes beside what the API server and the cloud keep; lost with the process, and then learnt anew. */
export interface RouteMemory {
  /** What we have made for a range ourselves. */
  readonly made: Made;
  /** Whether the last run has left something undone, so that the key comes back by itself or waits for others. */
  readonly isUnsettled: boolean;
  /** What the listing showed after which the last run waits for a second one. */
  readonly doubts: Suspects | undefined;
  /** The range without a route that the last run reported. */
  readonly unserved: string | undefined;
  readonly lastRunId: string | undefined;
}

/** By the range. */
export type Made = ReadonlyMap<string, MadeRoute>;

export interface MadeRoute {
  readonly route: CloudRoute;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly runId: string;
}

export const NO_MEMORY: RouteMemory = {
  made: new Map(),
  isUnsettled: false,
  doubts: undefined,
  unserved: undefined,
  lastRunId: undefined,
};

/** What came of a write: the route that was made, or the Node as it is now. */
export interface RouteAnswer {
  readonly route?: CloudRoute;
  readonly node?: Node;
}

/** What the runs of this loop are given. */
export type RouteContext = ReconcileContext<Observed, RouteChange, RouteMemory, RouteAnswer>;

/** What was made, with what a run has made since. */
export function withMade(
  known: Made,
  written: readonly Written<RouteChange, RouteAnswer>[],
  runId: string,
): Made {
  const anew = written.flatMap(({ change, answer: { route }, at }) => {
    if (change.kind !== "route.create" || route === undefined) return [];
    return [[change.after.destination, { route, at, runId }] as const];
  });
  return anew.length === 0 ? known : new Map([...known, ...anew]);
}

/** The range to which there was to be a route, or the id of the one that was to go. */
export function subjectOfWrite(change: RouteCreate | RouteDelete): string {
  return change.kind === "route.create" ? change.after.destination : change.before.id;
}

/**
 * What a run has tried in vain, by the subject of the write: it goes on without that. What the cloud refused because of what is
 * there already counts from the second time on: it is looked at once more first.
 */
export function failuresIn(
  failed: readonly FailedAttempt<RouteChange>[],
): ReadonlyMap<string, Reason> {
  const failures = new Map<string, Reason>();
  const tried = new Set<string>();
  for (const { change, error } of failed) {
    if (change.kind === "node.network-condition.write" || !isProviderError(error)) continue;
    const subject = subjectOfWrite(change);
    if (tried.has(subject) || !isOfWhatIsThere(error)) {
      failures.set(subject, reasonOf(error, change));
    }
    tried.add(subject);
  }
  return failures;
}

/** Whether the cloud has refused what it would not refuse if we knew what is there. */
export function isOfWhatIsThere({ code, call }: ProviderError): boolean {
  return code === "Conflict" || call.mayBeDone === true;
}

function reasonOf(error: ProviderError, change: RouteCreate | RouteDelete): Reason {
  if (error.code !== "QuotaExceeded" || change.kind === "route.delete") {
    return reasonOfProviderError(error);
  }
  const { provider, requestId } = error.call;
  return {
    code: "RouteTableFull",
    provider,
    cidr: change.after.destination,
    message: error.message,
    ...(requestId === undefined ? {} : { requestId }),
  };
}
