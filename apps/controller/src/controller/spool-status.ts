import type { Spool } from "@cloudwright/store/spool";

/** What the spool tells of itself. */
export function spoolStatus(spool: Spool): {
  readonly spoolBytes: number;
  readonly dropped: number;
} {
  const { bytes, droppedRecords } = spool.stats();
  return { spoolBytes: bytes, dropped: droppedRecords };
}
