import type { AuditEntry } from "@cloudwright/core/model/audit";
import type { ObjectState } from "@cloudwright/core/model/node-record";
import {
  type Heartbeat,
  type LedgerRecord,
  ledgerRecordSchema,
} from "@cloudwright/core/model/record";
import { runRowOf } from "./run-row.ts";

/** Records sorted by the table that they go to. */
export interface LedgerBatch {
  /** Columns of `runs`, one row per run. */
  readonly runs: readonly object[];
  readonly states: readonly ObjectState[];
  readonly audits: readonly AuditEntry[];
  readonly heartbeats: readonly Heartbeat[];
  /** What is no record of ours, with why. */
  readonly refused: readonly string[];
}

/** Checks and sorts what was read from the spool. Of a run's start and end in one batch only the end is kept. */
export function sortRecords(values: readonly unknown[]): LedgerBatch {
  const runs = new Map<string, object>();
  const heartbeats = new Map<string, Heartbeat>();
  const states: ObjectState[] = [];
  const audits: AuditEntry[] = [];
  const refused: string[] = [];
  const sort = (record: LedgerRecord, value: unknown) => {
    switch (record.type) {
      case "run.start":
        if (!runs.has(record.id)) runs.set(record.id, runRowOf(record, value));
        return;
      case "run.end":
        runs.set(record.id, runRowOf(record, value));
        return;
      case "state":
        states.push(record);
        return;
      case "audit":
        audits.push(record);
        return;
      case "heartbeat":
        heartbeats.set(`${record.cluster}/${record.instance}`, record);
    }
  };
  for (const value of values) {
    const parsed = ledgerRecordSchema.safeParse(value);
    if (parsed.success) sort(parsed.data, value);
    else refused.push(parsed.error.issues[0]?.message ?? "not a record");
  }
  return {
    runs: [...runs.values()],
    states,
    audits,
    heartbeats: [...heartbeats.values()],
    refused,
  };
}
