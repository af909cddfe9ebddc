import type { Spool } from "@cloudwright/store/spool";

/** What the spool reports of itself. */
export function spoolStatus(spool: Spool): {
  readonly spoolBytes: number;
  readonly dropped: number;
} {
  const { bytes, droppedRecords } = spool.stats();
  return { spoolBytes: bytes, dropped: droppedRecords };
}
