import { z } from "zod/mini";

export const ledgerGapSchema = z.readonly(
  z.object({
    type: z.literal("gap"),
    id: z.string(),
    cluster: z.string(),
    instance: z.string(),
    /** Milliseconds since the epoch: of the first and the last record that was lost or shortened. */
    from: z.number(),
    to: z.number(),
    /** Records that were lost. */
    records: z.number(),
    /** Calls that were dropped from runs that are otherwise kept. */
    calls: z.number(),
  }),
);
/** What a full spool cost the ledger, so that its pages can say so. */
export type LedgerGap = z.infer<typeof ledgerGapSchema>;
