import {
  AUDIT_CHAINS,
  type AuditChainName,
  type AuditCheckpoint,
  type AuditHead,
} from "../../model/audit/audit-checkpoint.ts";
import type { Clock } from "../../model/time.ts";
import type { LiveValue } from "../../model/values/live-value.ts";
import type { AuditChains, CheckpointKeeper } from "./checkpoint-ports.ts";

export interface CheckpointOptions {
  readonly keeper: CheckpointKeeper;
  readonly chains: AuditChains;
  readonly clock: Clock;
  /** How many milliseconds an entry may remain without a checkpoint. */
  readonly within: LiveValue<number>;
  /** Called with a sentence when a chain no longer has what was checkpointed. */
  onBroken(sentence: string): void;
  /** Called when a checkpoint failed; the next one is tried regardless. */
  onError(error: unknown): void;
}

export interface Checkpoints {
  /** Writes a last one, within at most this many milliseconds. */
  stop(mostMs: number): Promise<void>;
}

/** How long an entry may remain without a checkpoint, unless a flag or a user says otherwise. */
export const DEFAULT_CHECKPOINT_MS = 10_000;
/**
 * The part of the period that must pass between two checkpoints, as each is a write to the API server. The rest of
 * the period is for reading the chains and writing.
 */
export const LEAST_BETWEEN = 0.8;
const POLL_EVERY = 0.4;
/** How often the kept heads are compared with the chains when nothing is new. */
export const CHECK_EVERY_MS = 300_000;

/**
 * Writes the heads of the audit chains to a place outside the database: at once, within a period of new entries but at most once in
 * four fifths of it, and at the stop. The head of a chain that lost a checkpointed entry is never replaced: it is the proof.
 */
export function keepCheckpoints(options: CheckpointOptions): Checkpoints {
  const { clock, within } = options;
  const write = checkpointWriter(options);
  let cancel: () => void = () => undefined;
  let running: Promise<void> | undefined;
  const round = () => {
    // Runs one at a time, so that the next one cannot overtake a slow one.
    running ??= write("due").finally(() => {
      running = undefined;
    });
    cancel = clock.after(POLL_EVERY * within.value, round);
  };
  const forget = within.onChange(() => {
    cancel();
    round();
  });
  round();
  return {
    async stop(mostMs) {
      forget();
      cancel();
      const late = new Promise<void>((resolve) => clock.after(mostMs, resolve));
      await Promise.race([Promise.resolve(running).then(() => write("last")), late]);
    },
  };
}

/** Returns a function that never throws; it reports a problem once, until it changes. */
function checkpointWriter(options: CheckpointOptions): (when: "due" | "last") => Promise<void> {
  const breaks = once();
  const failures = once();
  const isDue = dueTimes(options);
  const attempt = async () => {
    const { sentence, hasWritten } = await checkpoint(options);
    isDue.done(hasWritten);
    if (breaks.isNews(sentence) && sentence !== NOTHING) options.onBroken(sentence);
    failures.isNews(NOTHING);
  };
  return async (when) => {
    try {
      if (when === "last" || (await isDue.now())) await attempt();
    } catch (error) {
      if (failures.isNews(String(error))) options.onError(error);
    }
  };
}

function dueTimes(options: CheckpointOptions) {
  const { clock, within } = options;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    async now(): Promise<boolean> {
      const now = clock.monotonic();
      if (now - checkedAt >= CHECK_EVERY_MS) return true;
      return now - wroteAt >= LEAST_BETWEEN * within.value && (await hasNews(options));
    },
    done(hasWritten: boolean): void {
      checkedAt = clock.monotonic();
      if (hasWritten) wroteAt = checkedAt;
    },
  };
}

async function hasNews({ keeper, chains }: CheckpointOptions): Promise<boolean> {
  return hasMoved(await keeper.read(), await chains.heads());
}

interface Round {
  /** What is broken; empty if nothing is. */
  readonly sentence: string;
  readonly hasWritten: boolean;
}

async function checkpoint({ keeper, chains, clock }: CheckpointOptions): Promise<Round> {
  const kept = await keeper.read();
  const [heads, broken] = await standing(chains, kept);
  const hasWritten = hasMoved(kept, heads);
  if (hasWritten) {
    const now = { at: clock.now(), ...heads };
    await keeper.write(now);
    await chains.note(now, keeper.place);
  }
  const sentence = broken.length === 0 ? NOTHING : brokenSentence(broken, keeper.place);
  return { sentence, hasWritten };
}

const NOTHING = "";

/**
 * Returns a function that reports whether a message differs from the last one; before the first message there is
 * nothing to report.
 */
function once() {
  let last = NOTHING;
  return {
    isNews(message: string): boolean {
      const isNews = message !== last;
      last = message;
      return isNews;
    },
  };
}

type Heads = Partial<Readonly<Record<AuditChainName, AuditHead>>>;
type Broken = readonly { readonly chain: AuditChainName; readonly head: AuditHead }[];

/** Returns the heads to keep: the kept head for a chain that lost that entry, else the newest. */
async function standing(
  chains: AuditChains,
  kept: AuditCheckpoint | undefined,
): Promise<readonly [Heads, Broken]> {
  const heads: Partial<Record<AuditChainName, AuditHead>> = { ...(await chains.heads()) };
  const broken: { chain: AuditChainName; head: AuditHead }[] = [];
  for (const chain of AUDIT_CHAINS) {
    const head = kept?.[chain];
    if (head === undefined || (await chains.holds(chain, head))) continue;
    heads[chain] = head;
    broken.push({ chain, head });
  }
  return [heads, broken];
}

function hasMoved(kept: AuditCheckpoint | undefined, heads: Heads): boolean {
  return AUDIT_CHAINS.some((chain) => kept?.[chain]?.hash !== heads[chain]?.hash);
}

function brokenSentence(broken: Broken, slot: string): string {
  const entries = broken.map(({ chain, head }) => `entry ${head.seq} of the ${NAMES[chain]}`);
  return `The audit log was changed: ${entries.join(" and ")}, which the checkpoint in ${slot} names, is missing or no longer the same. Run cloudwright audit verify; if the database was replaced on purpose, remove that key.`;
}

const NAMES: Record<AuditChainName, string> = {
  cluster: "cluster's chain",
  accounts: "chain of accounts",
};
