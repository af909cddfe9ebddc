import { z } from "zod/mini";

export const ledgerGapSchema = z.readonly(
  z.object({
    type: z.literal("gap"),
    id: z.string(),
    cluster: z.string(),
    instance: z.string(),
    /** Milliseconds since the epoch: the first and the last record that was lost or shortened. */
    from: z.number(),
    to: z.number(),
    /** How many records were lost. */
    records: z.number(),
    /** How many calls were dropped from runs that are otherwise kept. */
    calls: z.number(),
  }),
);
/** What the ledger lost to a full spool, so that its pages can say so. */
export type LedgerGap = z.infer<typeof ledgerGapSchema>;
