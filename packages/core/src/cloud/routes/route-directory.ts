import {
  type CallContext,
  isProviderError,
  type ProviderErrorCode,
  type Routes,
} from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { Clock } from "../../model/time.ts";
import type { CallContexts } from "../calls/call-context.ts";
import { contextOfRun, type LookupRun } from "../calls/lookup-run.ts";
import type { GatheredBatch } from "../gathering/gathering.ts";
import { type LookupReport, SharedQuestions } from "../gathering/shared-questions.ts";
import { RoutePicture } from "./route-picture.ts";
import type { CloudRoutes, RouteDirectory, RouteListOptions, SeenRoutes } from "./route-port.ts";

export interface RouteDirectoryOptions {
  readonly routes: Routes;
  readonly contexts: CallContexts;
  readonly clock: Clock;
  /** Milliseconds that the budget makes a call wait now: those who ask go on gathering meanwhile. */
  budgetWaitMs?(): number;
  /** Told of every listing that was answered. Must not throw. */
  onLookup?(lookup: LookupReport): void;
}

/**
 * A listing is one shared question (see `SharedQuestions`), and what it showed is kept up to date by our own changes
 * (see `RoutePicture`); a failed one never serves again. A change belongs to one run.
 */
export function createRouteDirectory(options: RouteDirectoryOptions): RouteDirectory {
  const picture = new RoutePicture(options.clock);
  const listings = shareListings(options, picture);
  return {
    for: (run) => ({
      list: (wish) => list(listings, run, wish),
      create: (wish, priority) =>
        change({ ...options, picture, run, priority }, async (context) => {
          const made = await options.routes.create(wish, context);
          picture.created(made);
          return made;
        }),
      remove: (route, priority) =>
        change({ ...options, picture, run, priority }, async (context) => {
          await options.routes.remove(route, context);
          picture.removed(route);
        }),
    }),
  };
}

type Listing =
  | { readonly kind: "listed"; readonly seen: SeenRoutes }
  | { readonly kind: "failed"; readonly error: unknown };

type Listings = SharedQuestions<typeof EVERYTHING, Listing>;

/** The one question. */
const EVERYTHING = "all routes";

async function list(
  listings: Listings,
  run: LookupRun,
  wish: RouteListOptions,
): ReturnType<CloudRoutes["list"]> {
  const listing = await listings.ask(run, EVERYTHING, wish);
  if (listing.kind === "failed") throw listing.error;
  return listing.seen;
}

function shareListings(options: RouteDirectoryOptions, picture: RoutePicture): Listings {
  return new SharedQuestions<typeof EVERYTHING, Listing>({
    clock: options.clock,
    batches: 1,
    budgetWaitMs: () => options.budgetWaitMs?.() ?? 0,
    keyOf: () => EVERYTHING,
    known: (_everything, request) => {
      const seen = picture.get(request);
      return seen === undefined ? undefined : { kind: "listed", seen };
    },
    mayShow: () => picture.awaitsAll,
    servesLate: ({ kind }) => kind === "listed",
    send: (batch) => sendListing(options, picture, batch),
    named: () => ({ operation: "list routes", target: EVERYTHING }),
    onLookup: options.onLookup,
  });
}

async function sendListing(
  { routes, contexts }: RouteDirectoryOptions,
  picture: RoutePicture,
  { signal, priority, onCall }: GatheredBatch<typeof EVERYTHING>,
): Promise<ReadonlyMap<string, Listing>> {
  const asked = picture.asks();
  try {
    const listing = await routes.list(contexts({ signal, priority, onCall }));
    return new Map([[EVERYTHING, { kind: "listed", seen: picture.shows(asked, listing) }]]);
  } catch (error) {
    picture.fails();
    signal.throwIfAborted();
    return new Map([[EVERYTHING, { kind: "failed", error }]]);
  }
}

interface Write extends RouteDirectoryOptions {
  readonly picture: RoutePicture;
  readonly run: LookupRun;
  readonly priority: CallPriority;
}

async function change<Value>(
  { contexts, picture, run, priority }: Write,
  send: (context: CallContext) => Promise<Value>,
): Promise<Value> {
  run.signal.throwIfAborted();
  try {
    return await send(contextOfRun(contexts, run, priority));
  } catch (error) {
    if (!isCertain(error)) picture.doubt();
    throw error;
  }
}

/** Whether the tables are as we knew them: the cloud refused, and not because they are otherwise than we thought. */
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
