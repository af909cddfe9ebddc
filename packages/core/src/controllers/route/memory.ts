import { type CloudRoute, isProviderError, type ProviderError } from "@cloudwright/provider-api";
import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import type { FailedAttempt, ReconcileContext, Written } from "../../reconcile/reconciler.ts";
import type { RouteChange, RouteCreate, RouteDelete } from "./changes.ts";
import type { Observed, Suspects } from "./observed.ts";

/**
 * What is remembered of a Node's routes beyond what the API server and the cloud store. It is lost with the process, and then learnt
 * again.
 */
export interface RouteMemory {
  /** The routes that we have created ourselves, by range. */
  readonly made: Made;
  /** Whether the last run left something undone, so that the key comes back by itself or waits for others. */
  readonly isUnsettled: boolean;
  /** The suspects of the listing after which the last run waits for a second one. */
  readonly doubts: Suspects | undefined;
  /** The range that the last run reported as having no route. */
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

/** The result of a write: the route that was created, or the Node as it is now. */
export interface RouteAnswer {
  readonly route?: CloudRoute;
  readonly node?: Node;
}

/** What a run of this loop offers. */
export type RouteContext = ReconcileContext<Observed, RouteChange, RouteMemory, RouteAnswer>;

/** Adds what a run has created to what was created before. */
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

/** Returns the range for which a route was to be created, or the id of the route to be deleted. */
export function subjectOfWrite(change: RouteCreate | RouteDelete): string {
  return change.kind === "route.create" ? change.after.destination : change.before.id;
}

/**
 * Returns the failed writes of a run, by their subject: the run goes on without them. A write that the cloud refused because of
 * what already exists counts from the second failure on: its subject is first observed once more.
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

/** Reports whether the cloud has refused the write because of something that we did not know to exist. */
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
