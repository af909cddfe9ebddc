import type { Step } from "../model/run.ts";
import type { Clock } from "../model/time.ts";
import type { CallContexts, CloudCall } from "./call-context.ts";
import { FoundInstances } from "./found-instances.ts";
import { type GatheredAnswer, type LookupBatch, LookupGathering } from "./lookup-gathering.ts";
import type { InstanceLookups, LookupOptions } from "./lookup-port.ts";
import { type InstanceRef, type Instances, instanceKey, type Lookup } from "./provider.ts";
import { Slots } from "./slots.ts";
import { stepOfCall, stepWithoutAnswer } from "./step-of-call.ts";

export interface InstanceDirectoryOptions {
  readonly instances: Instances;
  readonly contexts: CallContexts;
  readonly clock: Clock;
  /** Batches that may be on their way at the same time; 4 unless given. */
  readonly batches?: number;
  /** Single reads that may be on their way at the same time; 34 unless given. */
  readonly singles?: number;
  /** How long a found instance is kept for lookups that allow an older answer, milliseconds; 10,000 unless given. */
  readonly keepMs?: number;
  /** Milliseconds that the budget makes a call wait now: lookups go on gathering meanwhile. */
  budgetWaitMs?(): number;
}

/** All lookups of instances in this process: what many runs ask at the same time becomes few calls. */
export interface InstanceDirectory {
  /** The lookups as one run sees them; every call made for it is told to the run as a step. */
  for(run: LookupRun): InstanceLookups;
}

export interface LookupRun {
  /** Milliseconds since the epoch: steps count from here. */
  readonly startedAt: number;
  /** When it aborts, this run's lookups reject with its reason; a shared call goes on for the others. */
  readonly signal: AbortSignal;
  step(step: Omit<Step, "phase">): void;
}

/**
 * Batch lookups gather while calls are on their way (see `LookupGathering`); equal refs share one answer; a found
 * instance may answer again until it is too old for the asker; anything but *found* is never reused. What shared a small
 * batch that timed out is asked apart until it answers, so that one that hangs does not hold up its neighbours. Single lookups
 * neither gather nor use what was found before. A lookup rejects only when its run's signal aborts or the provider
 * breaks its contract.
 */
export function createInstanceDirectory(options: InstanceDirectoryOptions): InstanceDirectory {
  const found = new FoundInstances(options.clock, options.keepMs ?? DEFAULT_KEEP_MS);
  const apart = new Set<string>();
  const directory: Directory = {
    ...options,
    found,
    apart,
    singleReads: new Slots(options.singles ?? DEFAULT_SINGLES),
    gathering: new LookupGathering({
      clock: options.clock,
      batches: options.batches ?? DEFAULT_BATCHES,
      budgetWaitMs: () => options.budgetWaitMs?.() ?? 0,
      known: (ref, { maxAgeMs }) => found.get(instanceKey(ref), maxAgeMs),
      send: async (batch) => {
        const answers = await sendBatch(options, found, batch);
        if (batch.refs.length <= MOST_APART) noteTimeouts(apart, answers);
        return answers;
      },
    }),
  };
  return {
    for: (run) => ({
      lookup: (ref, wish) =>
        wish.mode === "single"
          ? lookupAlone(directory, run, { ref, wish })
          : lookupTogether(directory, run, { ref, wish }),
    }),
  };
}

/** One for a listing, which may take long, and some so that a few lookups need not wait for it or for one that hangs. */
const DEFAULT_BATCHES = 4;
const DEFAULT_SINGLES = 32;
const DEFAULT_KEEP_MS = 10_000;
/** A batch whose provider reads one by one would else put its hundreds of calls into each of its runs. */
const MOST_STEPS = 40;
/** A larger batch without an answer is an outage: single reads of all of it would only make that worse. */
const MOST_APART = 32;

interface Directory extends InstanceDirectoryOptions {
  readonly found: FoundInstances;
  readonly gathering: LookupGathering;
  /** Keys whose small batch got no answer in time: one of them may be what hangs, so each is asked apart next. */
  readonly apart: Set<string>;
  readonly singleReads: Slots;
}

interface Question {
  readonly ref: InstanceRef;
  readonly wish: LookupOptions;
}

async function lookupTogether(
  directory: Directory,
  run: LookupRun,
  { ref, wish }: Question,
): Promise<Lookup> {
  const { found, apart } = directory;
  const key = instanceKey(ref);
  run.signal.throwIfAborted();
  const known = found.get(key, wish.maxAgeMs);
  if (known !== undefined) return known;
  if (apart.has(key)) {
    const lookup = await lookupAlone(directory, run, { ref, wish });
    if (!isTimeout(lookup)) apart.delete(key);
    return lookup;
  }
  const answer = await orNoted(directory, run, { ref, wish });
  tellSteps(run, answer.calls, answer.sharedBy);
  if (answer.outcome.kind === "threw") throw answer.outcome.error;
  return answer.outcome.lookup;
}

/** The end of a run leaves the call that it waits for to others: what it waited for is noted all the same. */
async function orNoted(
  { gathering, clock }: Directory,
  run: LookupRun,
  { ref, wish }: Question,
): Promise<GatheredAnswer> {
  const asked = { at: clock.now(), monotonic: clock.monotonic() };
  try {
    return await gathering.ask(ref, wish, run.signal);
  } catch (error) {
    const durationMs = clock.monotonic() - asked.monotonic;
    run.step(stepWithoutAnswer(ref, { offsetMs: asked.at - run.startedAt, durationMs }));
    throw error;
  }
}

async function lookupAlone(
  { instances, contexts, singleReads }: Directory,
  run: LookupRun,
  { ref, wish }: Question,
): Promise<Lookup> {
  await singleReads.take(run.signal);
  const onCall = (call: CloudCall) => run.step(stepOfCall(call, run.startedAt, 1));
  const context = contexts({ signal: run.signal, priority: wish.priority, onCall });
  try {
    return answerFor(ref, await instances.describe([ref], { mode: "single" }, context));
  } finally {
    singleReads.free();
  }
}

async function sendBatch(
  { instances, contexts, clock }: InstanceDirectoryOptions,
  found: FoundInstances,
  batch: LookupBatch,
): Promise<ReadonlyMap<string, Lookup>> {
  const askedAt = clock.monotonic();
  const { signal, priority } = batch;
  const context = contexts({ signal, priority, onCall: (call) => batch.onCall(call) });
  const answers = await instances.describe(batch.refs, { mode: "batch" }, context);
  for (const [key, lookup] of answers) found.keep(key, lookup, askedAt);
  return new Map(batch.refs.map((ref) => [instanceKey(ref), answerFor(ref, answers)]));
}

function noteTimeouts(apart: Set<string>, answers: ReadonlyMap<string, Lookup>): void {
  for (const [key, lookup] of answers) if (isTimeout(lookup)) apart.add(key);
}

function isTimeout(lookup: Lookup): boolean {
  return lookup.kind === "failed" && lookup.error.code === "TimedOut";
}

function answerFor(ref: InstanceRef, answers: ReadonlyMap<string, Lookup>): Lookup {
  const answer = answers.get(instanceKey(ref));
  if (answer !== undefined) return answer;
  throw new Error(
    `The provider gave no answer for ${instanceKey(ref)}: a plug-in must answer every reference; report it to its author.`,
  );
}

function tellSteps(run: LookupRun, calls: readonly CloudCall[], sharedBy: number): void {
  for (const call of calls.slice(0, MOST_STEPS)) {
    run.step(stepOfCall(call, run.startedAt, sharedBy));
  }
}
