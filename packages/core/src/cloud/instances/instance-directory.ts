import {
  type InstanceRef,
  type Instances,
  instanceKey,
  type Lookup,
} from "@cloudwright/provider-api";
import type { Clock } from "../../model/time.ts";
import type { CallContexts } from "../calls/call-context.ts";
import { Slots } from "../calls/slots.ts";
import { contextOfRun } from "../calls/step-of-call.ts";
import { type GatheringRequest, oldestFor } from "../gathering/gathered-batch.ts";
import type { GatheredBatch } from "../gathering/gathering.ts";
import { type LookupReport, SharedQuestions } from "../gathering/shared-questions.ts";
import type { InstanceDirectory, LookupOptions, LookupRun } from "../ports.ts";

export interface InstanceDirectoryOptions {
  readonly instances: Instances;
  readonly contexts: CallContexts;
  readonly clock: Clock;
  /** How many batches may be in progress at the same time; 4 by default. */
  readonly batches?: number;
  /** How many single reads may be in progress at the same time; 34 by default. */
  readonly singles?: number;
  /** How many milliseconds a found instance is kept for lookups that allow an older answer; 30,000 by default. */
  readonly keepMs?: number;
  /** Returns how many milliseconds the budget would make a call wait now: lookups keep gathering meanwhile. */
  budgetWaitMs?(): number;
  /** Called for every lookup that was answered. Must not throw. */
  onLookup?(lookup: LookupReport): void;
}

/**
 * Batch lookups are shared questions (see `SharedQuestions`). A found instance may be returned again until it is too old for
 * the caller; anything but *found* is never reused. Single lookups neither gather nor use earlier answers. A lookup rejects
 * only when its run's signal aborts or the provider violates its contract.
 */
export function createInstanceDirectory(options: InstanceDirectoryOptions): InstanceDirectory {
  const found = new FoundInstances(options.clock, options.keepMs ?? DEFAULT_KEEP_MS);
  const singleReads = new Slots(options.singles ?? DEFAULT_SINGLES);
  const askAlone = (run: LookupRun, ref: InstanceRef, request: Pick<LookupOptions, "priority">) =>
    lookupAlone({ ...options, singleReads, run }, ref, request);
  const shared = new SharedQuestions<InstanceRef, Lookup>({
    clock: options.clock,
    batches: options.batches,
    budgetWaitMs: () => options.budgetWaitMs?.() ?? 0,
    keyOf: instanceKey,
    known: (ref, request) => found.get(instanceKey(ref), request),
    mayShow: () => true,
    isPaced: true,
    servesLate: (lookup) => lookup.kind === "found",
    send: (batch) => sendBatch(options, found, batch),
    apart: {
      isTimeout: (lookup) => lookup.kind === "failed" && lookup.error.code === "TimedOut",
      ask: askAlone,
    },
    named: ({ nodeName, providerID }) => ({ operation: LOOKUP, target: providerID ?? nodeName }),
    onLookup: options.onLookup,
  });
  return {
    for: (run) => ({
      lookup: (ref, request) =>
        request.mode === "single" ? askAlone(run, ref, request) : shared.ask(run, ref, request),
    }),
  };
}

const LOOKUP = "look up instance";
const DEFAULT_SINGLES = 32;
const DEFAULT_KEEP_MS = 30_000;

interface LoneLookup extends InstanceDirectoryOptions {
  readonly singleReads: Slots;
  readonly run: LookupRun;
}

async function lookupAlone(
  { instances, contexts, singleReads, run, onLookup }: LoneLookup,
  ref: InstanceRef,
  { priority }: Pick<LookupOptions, "priority">,
): Promise<Lookup> {
  await singleReads.take(run.signal);
  const context = contextOfRun(contexts, run, priority);
  try {
    const answers = await instances.describe([ref], { mode: "single" }, context);
    onLookup?.({ what: LOOKUP, withoutCall: false, sharedBy: 1 });
    return answerFor(ref, answers);
  } finally {
    singleReads.free();
  }
}

async function sendBatch(
  { instances, contexts, clock }: InstanceDirectoryOptions,
  found: FoundInstances,
  { questions: refs, signal, priority, onCall }: GatheredBatch<InstanceRef>,
): Promise<ReadonlyMap<string, Lookup>> {
  const askedAt = clock.monotonic();
  const context = contexts({ signal, priority, onCall });
  const answers = await instances.describe(refs, { mode: "batch" }, context);
  found.keep(answers, askedAt);
  return new Map(refs.map((ref) => [instanceKey(ref), answerFor(ref, answers)]));
}

function answerFor(ref: InstanceRef, answers: ReadonlyMap<string, Lookup>): Lookup {
  const answer = answers.get(instanceKey(ref));
  if (answer !== undefined) return answer;
  throw new Error(
    `The provider gave no answer for ${instanceKey(ref)}: a provider must answer for every reference; report this to its author.`,
  );
}

const MOST_KEPT = 20_000;

interface Kept {
  readonly lookup: Lookup;
  readonly askedAt: number;
}

/**
 * What the cloud showed recently, under both the requested reference and the provider ID: a node looked up by name is
 * looked up by ID once it has one. Bounded in time and number.
 */
class FoundInstances {
  readonly #clock: Clock;
  readonly #keepMs: number;
  /** In order of insertion, and so of age. */
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock, keepMs: number) {
    this.#clock = clock;
    this.#keepMs = keepMs;
  }

  /** Keeps the found instances among the answers. `askedAt`: when the call started, in monotonic milliseconds. */
  keep(answers: ReadonlyMap<string, Lookup>, askedAt: number): void {
    for (const [key, lookup] of answers) {
      if (lookup.kind !== "found") continue;
      const kept = { lookup, askedAt };
      this.#put(key, kept);
      const { providerID, name } = lookup.facts;
      if (providerID !== undefined) this.#put(instanceKey({ nodeName: name, providerID }), kept);
    }
    this.#dropOld();
  }

  /** Returns an answer that was requested recently enough for this request. */
  get(key: string, request: Pick<GatheringRequest, "maxAgeMs" | "notBefore">): Lookup | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    const now = this.#clock.monotonic();
    const oldest = Math.max(oldestFor(request, now), now - this.#keepMs);
    return kept.askedAt > oldest ? kept.lookup : undefined;
  }

  #put(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
  }

  #dropOld(): void {
    const oldest = this.#clock.monotonic() - this.#keepMs;
    for (const [key, { askedAt }] of this.#kept) {
      if (askedAt > oldest && this.#kept.size <= MOST_KEPT) return;
      this.#kept.delete(key);
    }
  }
}
