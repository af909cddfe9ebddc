import { type AuditChainView, auditChain } from "@cloudwright/store/audit/audit-chain";
import { verifyAudit } from "@cloudwright/store/audit/verify-audit";
import { verifyChain } from "@cloudwright/store/audit/verify-chain";
import { listAudit } from "@cloudwright/store/sql/audit-entries";
import { auditHistogram, type TimeHistogram } from "@cloudwright/store/sql/lists/time-histogram";
import type { ChainVerification } from "@cloudwright/store/views/chains";
import type { AuditRow, Page } from "@cloudwright/store/views/views";
import { type Worded, wordedEntries } from "../language/audit-texts.ts";
import { ledger } from "../ledger.ts";
import { processWide } from "../process-wide.ts";
import { router, viewerProcedure } from "../trpc.ts";
import { auditHistogramInput, auditInput, clusterInput } from "./inputs.ts";

/** `accounts` instead of a cluster means the chain for accounts. */
export const auditRouter = router({
  list: viewerProcedure
    .input(auditInput)
    .query(async ({ ctx, input }): Promise<Page<Worded<AuditRow>>> => {
      const page = await listAudit(ctx.ledger, input);
      return { ...page, rows: wordedEntries(page.rows) };
    }),
  histogram: viewerProcedure
    .input(auditHistogramInput)
    .query(
      ({ ctx, input }): Promise<TimeHistogram> =>
        auditHistogram(ctx.ledger, { ...input, now: Date.now() }),
    ),
  chain: viewerProcedure
    .input(clusterInput)
    .query(({ ctx, input }): Promise<AuditChainView> => auditChain(ctx.ledger, input.cluster)),
  /** A mutation, because it leaves an audit entry. */
  verify: viewerProcedure
    .input(clusterInput)
    .mutation(
      ({ ctx, input }): Promise<ChainVerification> =>
        verifyAudit(ctx.verb, input.cluster, verifyTogether),
    ),
});

/** Verifies a chain once for all concurrent callers: reading a long one takes the database several seconds. */
function verifyTogether(chain: string): Promise<ChainVerification> {
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
