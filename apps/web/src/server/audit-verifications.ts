import { verifyChain } from "@cloudwright/store/audit/verify-chain";
import type { ChainVerification } from "@cloudwright/store/views/chains";
import { ledger } from "./ledger.ts";
import { processWide } from "./process-wide.ts";

/** A chain is read once however many ask at the same time: reading a long one takes the database some seconds. */
export function verifyTogether(chain: string): Promise<ChainVerification> {
  const running = processWide(
    "audit-verifications",
    () => new Map<string, Promise<ChainVerification>>(),
  );
  const found = running.get(chain);
  if (found !== undefined) return found;
  const started = verifyChain(ledger().pool, { chain }).finally(() => running.delete(chain));
  running.set(chain, started);
  return started;
}
