import {
  AUDIT_CHAINS,
  type AuditChainName,
  type AuditCheckpoint,
  type AuditHead,
} from "../../model/audit-checkpoint.ts";
import type { Clock } from "../../model/time.ts";
import type { AuditChains, CheckpointKeeper } from "./checkpoint-ports.ts";

export interface CheckpointOptions {
  readonly keeper: CheckpointKeeper;
  readonly chains: AuditChains;
  readonly clock: Clock;
  /** Told in a sentence when a chain no longer has what was checkpointed. */
  onBroken(sentence: string): void;
  /** Told of a checkpoint that failed; the next one is tried all the same. */
  onError(error: unknown): void;
}

export interface Checkpoints {
  /** Writes a last one, for at most so long. */
  stop(mostMs: number): Promise<void>;
}

export const CHECKPOINT_EVERY_MS = 300_000;
/** What happens first in a new cluster should not wait for its first checkpoint. */
export const SECOND_AFTER_MS = 20_000;

/**
 * Writes the heads of the audit chains down outside the database, at once, soon after, every 5 minutes and at the stop,
 * whenever they moved. The head of a chain that lost what was checkpointed before is never replaced: it is the proof.
 */
export function keepCheckpoints(options: CheckpointOptions): Checkpoints {
  const { clock } = options;
  const write = checkpointWriter(options);
  let cancel: () => void = () => undefined;
  let running: Promise<void> = Promise.resolve();
  const round = (nextAfterMs: number) => {
    running = write();
    cancel = clock.after(nextAfterMs, () => round(CHECKPOINT_EVERY_MS));
  };
  round(SECOND_AFTER_MS);
  return {
    async stop(mostMs) {
      cancel();
      const late = new Promise<void>((resolve) => clock.after(mostMs, resolve));
      await Promise.race([running.then(write), late]);
    },
  };
}

/** Never throws; what is wrong is told once, until it is another thing. */
function checkpointWriter(options: CheckpointOptions): () => Promise<void> {
  const breaks = once();
  const failures = once();
  return async () => {
    try {
      const sentence = await checkpoint(options);
      if (breaks.isNews(sentence) && sentence !== NOTHING) options.onBroken(sentence);
      failures.isNews(NOTHING);
    } catch (error) {
      if (failures.isNews(String(error))) options.onError(error);
    }
  };
}

/** Answers what is broken. */
async function checkpoint({ keeper, chains, clock }: CheckpointOptions): Promise<string> {
  const kept = await keeper.read();
  const [heads, broken] = await standing(chains, kept);
  if (hasMoved(kept, heads)) {
    const now = { at: clock.now(), ...heads };
    await keeper.write(now);
    await chains.note(now, keeper.place);
  }
  return broken.length === 0 ? NOTHING : brokenSentence(broken, keeper.place);
}

const NOTHING = "";

/** Whether a message is another one than the last; at first there was nothing to tell. */
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

/** The heads to keep: of a chain that lost what was kept before, that. */
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

function brokenSentence(broken: Broken, place: string): string {
  const entries = broken.map(({ chain, head }) => `entry ${head.seq} of the ${NAMES[chain]}`);
  return `The audit log was changed: ${entries.join(" and ")}, which the checkpoint in ${place} names, is no longer there as it was. Run cloudwright audit verify; if the database was replaced on purpose, remove that key.`;
}

const NAMES: Record<AuditChainName, string> = {
  cluster: "cluster's chain",
  accounts: "chain of accounts",
};
