import {
  type CallContext,
  isProviderError,
  type ProviderErrorCode,
  type Routes,
} from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { Clock } from "../../model/time.ts";
import type { CallContexts } from "../calls/call-context.ts";
import { contextOfRun } from "../calls/step-of-call.ts";
import type { GatheredBatch } from "../gathering/gathering.ts";
import { type LookupReport, SharedQuestions } from "../gathering/shared-questions.ts";
import type {
  CloudRoutes,
  LookupRun,
  RouteDirectory,
  RouteListOptions,
  SeenRoutes,
} from "../ports.ts";
import { RouteSnapshot } from "./route-snapshot.ts";

export interface RouteDirectoryOptions {
  readonly routes: Routes;
  readonly contexts: CallContexts;
  readonly clock: Clock;
  /** Returns how many milliseconds the budget would make a call wait now: callers keep gathering meanwhile. */
  budgetWaitMs?(): number;
  /** Called for every listing that was answered. Must not throw. */
  onLookup?(lookup: LookupReport): void;
}

/**
 * A listing is one shared question (see `SharedQuestions`), and its result is kept up to date by our own changes
 * (see `RouteSnapshot`); a failed one is never reused. A change belongs to one run.
 */
export function createRouteDirectory(options: RouteDirectoryOptions): RouteDirectory {
  const snapshot = new RouteSnapshot(options.clock);
  const listings = shareListings(options, snapshot);
  return {
    for: (run) => ({
      list: (request) => list(listings, run, request),
      create: (request, priority) =>
        change({ ...options, snapshot, run, priority }, async (context) => {
          const made = await options.routes.create(request, context);
          snapshot.created(made);
          return made;
        }),
      remove: (route, priority) =>
        change({ ...options, snapshot, run, priority }, async (context) => {
          await options.routes.remove(route, context);
          snapshot.removed(route);
        }),
    }),
  };
}

type Listing =
  | { readonly kind: "listed"; readonly seen: SeenRoutes }
  | { readonly kind: "failed"; readonly error: unknown };

type Listings = SharedQuestions<typeof EVERYTHING, Listing>;

/** The only question. */
const EVERYTHING = "all routes";

async function list(
  listings: Listings,
  run: LookupRun,
  request: RouteListOptions,
): ReturnType<CloudRoutes["list"]> {
  const listing = await listings.ask(run, EVERYTHING, request);
  if (listing.kind === "failed") throw listing.error;
  return listing.seen;
}

function shareListings(options: RouteDirectoryOptions, snapshot: RouteSnapshot): Listings {
  return new SharedQuestions<typeof EVERYTHING, Listing>({
    clock: options.clock,
    batches: 1,
    budgetWaitMs: () => options.budgetWaitMs?.() ?? 0,
    keyOf: () => EVERYTHING,
    known: (_everything, request) => {
      const seen = snapshot.get(request);
      return seen === undefined ? undefined : { kind: "listed", seen };
    },
    mayShow: () => snapshot.awaitsAll,
    servesLate: ({ kind }) => kind === "listed",
    send: (batch) => sendListing(options, snapshot, batch),
    named: () => ({ operation: "list routes", target: EVERYTHING }),
    onLookup: options.onLookup,
  });
}

async function sendListing(
  { routes, contexts }: RouteDirectoryOptions,
  snapshot: RouteSnapshot,
  { signal, priority, onCall }: GatheredBatch<typeof EVERYTHING>,
): Promise<ReadonlyMap<string, Listing>> {
  const asked = snapshot.asks();
  try {
    const listing = await routes.list(contexts({ signal, priority, onCall }));
    return new Map([[EVERYTHING, { kind: "listed", seen: snapshot.shows(asked, listing) }]]);
  } catch (error) {
    snapshot.fails();
    signal.throwIfAborted();
    return new Map([[EVERYTHING, { kind: "failed", error }]]);
  }
}

interface Write extends RouteDirectoryOptions {
  readonly snapshot: RouteSnapshot;
  readonly run: LookupRun;
  readonly priority: CallPriority;
}

async function change<Value>(
  { contexts, snapshot, run, priority }: Write,
  send: (context: CallContext) => Promise<Value>,
): Promise<Value> {
  run.signal.throwIfAborted();
  try {
    return await send(contextOfRun(contexts, run, priority));
  } catch (error) {
    if (!isCertain(error)) snapshot.doubt();
    throw error;
  }
}

/**
 * Reports whether the tables are still as we knew them: the cloud refused, and not because they differ from what we
 * thought.
 */
function isCertain(error: unknown): boolean {
  return isProviderError(error) && (CERTAIN.has(error.code) || error.call.fenced === true);
}

const CERTAIN: ReadonlySet<ProviderErrorCode> = new Set([
  "Throttled",
  "QuotaExceeded",
  "Unauthorized",
  "Invalid",
  "Unsupported",
]);
