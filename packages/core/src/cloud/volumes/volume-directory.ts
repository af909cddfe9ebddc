import {
  type CallContext,
  ProviderError,
  type VolumeFacts,
  type VolumeLookup,
  type Volumes,
} from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { Clock } from "../../model/time.ts";
import type { CallContexts } from "../calls/call-context.ts";
import { contextOfRun } from "../calls/step-of-call.ts";
import type { GatheredBatch } from "../gathering/gathering.ts";
import { SeenAnswers } from "../gathering/seen-answers.ts";
import { type LookupReport, SharedQuestions } from "../gathering/shared-questions.ts";
import type { LookupRun, VolumeDirectory } from "../ports.ts";

export interface VolumeDirectoryOptions {
  /** The provider's name, for messages. */
  readonly provider: string;
  readonly volumes: Volumes;
  readonly contexts: CallContexts;
  readonly clock: Clock;
  /** How many batches may be in progress at the same time; 4 by default. */
  readonly batches?: number;
  /** How many milliseconds a disk's facts are kept for lookups that allow an older answer; an hour by default. */
  readonly keepMs?: number;
  /** Returns how many milliseconds the budget would make a call wait now: lookups keep gathering meanwhile. */
  budgetWaitMs?(): number;
  /** Called for every lookup that was answered. Must not throw. */
  onLookup?(lookup: LookupReport): void;
}

/**
 * Lookups are shared questions (see `SharedQuestions`); anything but *found* is never reused. The answer to growing is known
 * from then on, and a lookup that started before it ended never counts as the state after it.
 */
export function createVolumeDirectory(options: VolumeDirectoryOptions): VolumeDirectory {
  const seen: SeenVolumes = new SeenAnswers({
    clock: options.clock,
    keepMs: options.keepMs ?? DEFAULT_KEEP_MS,
    isKept: ({ kind }) => kind === "found",
  });
  const lookups = shareLookups(options, seen);
  return {
    for: (run) => ({
      describe: (id, request) => lookups.ask(run, id, request),
      grow: (id, sizeGiB, priority) => grow({ ...options, seen, run, priority }, id, sizeGiB),
    }),
  };
}

const DEFAULT_KEEP_MS = 3_600_000;

type SeenVolumes = SeenAnswers<VolumeLookup>;

/** The question is the disk's id. */
function shareLookups(
  options: VolumeDirectoryOptions,
  seen: SeenVolumes,
): SharedQuestions<string, VolumeLookup> {
  const { clock, batches, contexts } = options;
  return new SharedQuestions<string, VolumeLookup>({
    clock,
    batches,
    budgetWaitMs: () => options.budgetWaitMs?.() ?? 0,
    keyOf: (id) => id,
    known: (id, { maxAgeMs }) => seen.get(id, maxAgeMs),
    mayShow: (id, sentAt) => seen.shows(id, sentAt),
    servesLate: ({ kind }) => kind === "found",
    send: ({ questions, signal, priority, onCall }: GatheredBatch<string>) =>
      describeMany({ ...options, seen }, questions, contexts({ signal, priority, onCall })),
    apart: {
      isTimeout: (lookup) => lookup.kind === "failed" && lookup.error.code === "TimedOut",
      ask: async (run, id, { priority }) => {
        const context = contextOfRun(contexts, run, priority);
        return answerFor(id, await describeMany({ ...options, seen }, [id], context));
      },
    },
    named: (id) => ({ operation: "look up volume", target: id }),
    onLookup: options.onLookup,
  });
}

interface Reading extends VolumeDirectoryOptions {
  readonly seen: SeenVolumes;
}

async function describeMany(
  { volumes, clock, seen }: Reading,
  ids: readonly string[],
  context: CallContext,
): Promise<ReadonlyMap<string, VolumeLookup>> {
  const askedAt = clock.monotonic();
  const answers = await volumes.describe(ids, context);
  return new Map(
    ids.map((id) => {
      const answer = answerFor(id, answers);
      seen.keep(id, answer, askedAt);
      return [id, answer];
    }),
  );
}

function answerFor(id: string, answers: ReadonlyMap<string, VolumeLookup>): VolumeLookup {
  const answer = answers.get(id);
  if (answer !== undefined) return answer;
  throw new Error(
    `The provider gave no answer for the volume ${id}: a provider must answer for every id; report this to its author.`,
  );
}

interface Growing extends Reading {
  readonly run: LookupRun;
  readonly priority: CallPriority;
}

async function grow(
  { volumes, contexts, provider, seen, run, priority }: Growing,
  id: string,
  sizeGiB: number,
): Promise<VolumeFacts> {
  run.signal.throwIfAborted();
  if (volumes.grow === undefined) {
    throw new ProviderError(
      "Unsupported",
      `${provider} cannot enlarge a disk; create a new one and copy the data`,
      { provider, operation: "grow volume", target: id },
    );
  }
  seen.changing(id);
  let grown: VolumeLookup | undefined;
  try {
    const facts = await volumes.grow(id, sizeGiB, contextOfRun(contexts, run, priority));
    grown = { kind: "found", facts };
    return facts;
  } finally {
    seen.changed(id, grown);
  }
}
