import type {
  CallContext,
  CloudChange,
  LoadBalancerObservation,
  LoadBalancerOwner,
  LoadBalancers,
  OwnedLoadBalancer,
} from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { Clock } from "../../model/time.ts";
import type { CallContexts } from "../calls/call-context.ts";
import { contextOfRun } from "../calls/step-of-call.ts";
import type { GatheredBatch } from "../gathering/gathering.ts";
import { SeenAnswers } from "../gathering/seen-answers.ts";
import { type LookupReport, SharedQuestions } from "../gathering/shared-questions.ts";
import type { LoadBalancerDirectory, LoadBalancerPort, LookupRun } from "../ports.ts";

export interface LoadBalancerDirectoryOptions {
  readonly loadBalancers: LoadBalancers;
  readonly contexts: CallContexts;
  readonly clock: Clock;
  readonly clusterUid: string;
  /** How many observations may be in progress at the same time; 4 by default. */
  readonly batches?: number;
  /** How many milliseconds an observation may be reused by callers that allow an older one; an hour by default. */
  readonly keepMs?: number;
  /** Returns how many milliseconds the budget would make a call wait now: observations keep gathering meanwhile. */
  budgetWaitMs?(): number;
  /** Called for every observation and listing that was answered. Must not throw. */
  onLookup?(lookup: LookupReport): void;
}

/**
 * Observations are shared questions (see `SharedQuestions`) and are reused until they are too old for the caller; failed ones
 * never are. A change belongs to one run; its answer is known from then on, and what it leaves uncertain by failing or saying
 * nothing is looked up again. An observation that started before a change ended never counts as the state after it.
 */
export function createLoadBalancerDirectory(
  options: LoadBalancerDirectoryOptions,
): LoadBalancerDirectory {
  const seen: SeenLoadBalancers = new SeenAnswers({
    clock: options.clock,
    keepMs: options.keepMs ?? DEFAULT_KEEP_MS,
    isKept: ({ kind }) => kind === "known",
  });
  const observations = shareObservations(options, seen);
  const listings = shareListings(options, seen);
  return {
    for: (run) => ({
      observe: (owner, request) => observations.ask(run, owner, request),
      apply: (owner, change, priority) => apply({ ...options, seen, run, priority }, owner, change),
      owned: async (priority) => {
        const listing = await listings.ask(run, options.clusterUid, {
          priority,
          maxAgeMs: priority === "person" ? 0 : LISTING_SERVES_MS,
        });
        if (listing.kind === "failed") throw listing.error;
        return listing.balancers;
      },
    }),
  };
}

const DEFAULT_KEEP_MS = 3_600_000;
/** A listing of all that are ours is reused within this time, unless something was changed since. */
const LISTING_SERVES_MS = 5_000;

type Observation = LoadBalancerObservation<unknown>;
/** By the owner's UID. */
type SeenLoadBalancers = SeenAnswers<Observation>;

function shareObservations(
  options: LoadBalancerDirectoryOptions,
  seen: SeenLoadBalancers,
): SharedQuestions<LoadBalancerOwner, Observation> {
  const { clock, batches, contexts } = options;
  return new SharedQuestions({
    clock,
    batches,
    budgetWaitMs: () => options.budgetWaitMs?.() ?? 0,
    keyOf: ({ objectUid }) => objectUid,
    known: ({ objectUid }, { maxAgeMs }) => seen.get(objectUid, maxAgeMs),
    mayShow: ({ objectUid }, sentAt) => seen.shows(objectUid, sentAt),
    servesLate: ({ kind }) => kind === "known",
    send: ({ questions, signal, priority, onCall }) =>
      observeMany({ ...options, seen }, questions, contexts({ signal, priority, onCall })),
    apart: {
      isTimeout: (answer) => answer.kind === "failed" && answer.error.code === "TimedOut",
      ask: async (run, owner, { priority }) => {
        const context = contextOfRun(contexts, run, priority);
        return answerFor(owner, await observeMany({ ...options, seen }, [owner], context));
      },
    },
    named: ({ namespace, name }) => ({
      operation: "look up load balancer",
      target: `${namespace}/${name}`,
    }),
    onLookup: options.onLookup,
  });
}

interface Reading extends LoadBalancerDirectoryOptions {
  readonly seen: SeenLoadBalancers;
}

async function observeMany(
  { loadBalancers, clock, seen }: Reading,
  owners: readonly LoadBalancerOwner[],
  context: CallContext,
): Promise<ReadonlyMap<string, Observation>> {
  const askedAt = clock.monotonic();
  const answers = await loadBalancers.observe(owners, context);
  return new Map(
    owners.map((owner) => {
      const answer = answerFor(owner, answers);
      seen.keep(owner.objectUid, answer, askedAt);
      return [owner.objectUid, answer];
    }),
  );
}

function answerFor(
  { objectUid, namespace, name }: LoadBalancerOwner,
  answers: ReadonlyMap<string, Observation>,
): Observation {
  const answer = answers.get(objectUid);
  if (answer !== undefined) return answer;
  throw new Error(
    `The provider gave no answer for the load balancer of ${namespace}/${name}: a provider must answer for every owner; report this to its author.`,
  );
}

interface Write extends Reading {
  readonly run: LookupRun;
  readonly priority: CallPriority;
}

async function apply(
  { loadBalancers, contexts, seen, run, priority }: Write,
  { objectUid }: LoadBalancerOwner,
  change: CloudChange,
): ReturnType<LoadBalancerPort["apply"]> {
  run.signal.throwIfAborted();
  seen.changing(objectUid);
  let observed: unknown;
  try {
    observed = await loadBalancers.apply(change, contextOfRun(contexts, run, priority));
  } finally {
    seen.changed(objectUid, observed === undefined ? undefined : { kind: "known", observed });
  }
}

type Listing =
  | { readonly kind: "listed"; readonly balancers: readonly OwnedLoadBalancer[] }
  | { readonly kind: "failed"; readonly error: unknown };

/** Shares listings of all of a cluster's load balancers: the question is the cluster's UID. */
function shareListings(
  options: LoadBalancerDirectoryOptions,
  seen: SeenLoadBalancers,
): SharedQuestions<string, Listing> {
  const { clock } = options;
  let last: { readonly listing: Listing; readonly askedAt: number } | undefined;
  const list = async ({ questions, signal, priority, onCall }: GatheredBatch<string>) => {
    const askedAt = clock.monotonic();
    const context = options.contexts({ signal, priority, onCall });
    const listing = await listOwned(options, context);
    if (listing.kind === "listed") last = { listing, askedAt };
    return new Map(questions.map((question) => [question, listing]));
  };
  const isCurrent = (askedAt: number) => askedAt >= seen.lastChangeAt;
  return new SharedQuestions<string, Listing>({
    clock,
    batches: 1,
    budgetWaitMs: () => options.budgetWaitMs?.() ?? 0,
    keyOf: (clusterUid) => clusterUid,
    known: (_clusterUid, { maxAgeMs }) => {
      if (last === undefined || !isCurrent(last.askedAt)) return undefined;
      return clock.monotonic() - last.askedAt < maxAgeMs ? last.listing : undefined;
    },
    mayShow: (_clusterUid, sentAt) => isCurrent(sentAt),
    servesLate: ({ kind }) => kind === "listed",
    send: list,
    named: (clusterUid) => ({ operation: "list load balancers", target: clusterUid }),
    onLookup: options.onLookup,
  });
}

async function listOwned(
  { loadBalancers, clusterUid }: LoadBalancerDirectoryOptions,
  context: CallContext,
): Promise<Listing> {
  try {
    return { kind: "listed", balancers: await loadBalancers.owned(clusterUid, context) };
  } catch (error) {
    context.signal.throwIfAborted();
    return { kind: "failed", error };
  }
}
