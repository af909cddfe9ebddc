import { verifyChain } from "@cloudwright/store/audit/verify-chain";
import type { Database } from "@cloudwright/store/database/database";
import type { ChainVerification } from "@cloudwright/store/views/chains";
import { newestVerification } from "@cloudwright/store/webhooks/troubles";

/** How often a chain is read from its first entry; it is also read when a user's verification finds something else. */
const CHAIN_EVERY_MS = 6 * 3_600_000;

export type ChainFound = Pick<ChainVerification, "intact" | "sentence">;

export interface ChainWatch {
  found(chain: string): ChainFound | undefined;
  /** Verifies the chains that are due, and returns those. */
  verifyDue(chains: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** Returns when the next one is due. */
  nextAt(chains: readonly string[]): number | undefined;
}

/** Keeps the results of this process's verifications of the audit chains. */
export function chainWatch(db: Database, now: () => number): ChainWatch {
  const verified = new Map<string, ChainFound & { readonly at: number }>();
  const isDue = async (chain: string) => {
    const last = verified.get(chain);
    if (last === undefined || last.at + CHAIN_EVERY_MS <= now()) return true;
    const newest = await newestVerification(db, chain);
    return newest !== undefined && newest.at > last.at && newest.intact !== last.intact;
  };
  return {
    found: (chain) => verified.get(chain),
    async verifyDue(chains, signal) {
      const done: string[] = [];
      for (const chain of chains) {
        if (signal.aborted) break;
        if (!(await isDue(chain))) continue;
        const at = now();
        const { intact, sentence } = await verifyChain(db.pool, { chain });
        verified.set(chain, { intact, sentence, at });
        done.push(chain);
      }
      return done;
    },
    nextAt(chains) {
      const dues = chains.flatMap((chain) => verified.get(chain)?.at ?? []);
      return dues.length === 0 ? undefined : Math.min(...dues) + CHAIN_EVERY_MS;
    },
  };
}
