import type { AuditEntry } from "@cloudwright/core/model/audit/audit";
import type { BudgetMinute } from "@cloudwright/core/model/records/budget-record";
import type { LedgerGap } from "@cloudwright/core/model/records/gap";
import type { ObjectState } from "@cloudwright/core/model/records/node-record";
import type { ObjectEvent } from "@cloudwright/core/model/records/object-event";
import type { Presence } from "@cloudwright/core/model/records/presence-record";
import {
  type Heartbeat,
  type LedgerRecord,
  ledgerRecordSchema,
} from "@cloudwright/core/model/records/record";
import type { SettingsRecord } from "@cloudwright/core/model/records/settings-record";
import type { RunEnd, RunStart } from "@cloudwright/core/model/run";
import { isOfType } from "../spool/open-runs.ts";
import {
  newestShadowPlans,
  type RunColumns,
  runRowOf,
  type ShadowPlanColumns,
} from "./run-rows.ts";

/** Records sorted by table. */
export interface LedgerBatch {
  /** One row per run. */
  readonly runs: readonly RunColumns[];
  /** The plans of dry runs, one row for each object and controller. */
  readonly shadowPlans: readonly ShadowPlanColumns[];
  readonly states: readonly ObjectState[];
  readonly presences: readonly Presence[];
  readonly audits: readonly AuditEntry[];
  readonly heartbeats: readonly Heartbeat[];
  readonly gaps: readonly LedgerGap[];
  /** The newest settings of each instance. */
  readonly settings: readonly SettingsRecord[];
  readonly minutes: readonly BudgetMinute[];
  readonly events: readonly ObjectEvent[];
  /** Why values were left out that are not valid records. */
  readonly refused: readonly string[];
}

/** Checks and sorts the values read from the spool. If a run's start and end are in one batch, only the end is kept. */
export function sortRecords(values: readonly unknown[]): LedgerBatch {
  const runs = new Map<string, RunColumns>();
  const dryRuns: RunEnd[] = [];
  const heartbeats = new Map<string, Heartbeat>();
  const states: ObjectState[] = [];
  const presences: Presence[] = [];
  const audits: AuditEntry[] = [];
  const gaps: LedgerGap[] = [];
  const settings = new Map<string, SettingsRecord>();
  const minutes: BudgetMinute[] = [];
  const events: ObjectEvent[] = [];
  const refused: string[] = [];
  const sortRun = (run: RunStart | RunEnd, value: unknown) => {
    if (run.type === "run.end" && run.dryRun) dryRuns.push(run);
    if (!isDate(run.startedAt)) refused.push(`a run cannot have started at ${run.startedAt}`);
    else if (run.type === "run.end" || !runs.has(run.id)) runs.set(run.id, runRowOf(run, value));
  };
  const sort = (record: LedgerRecord, value: unknown) => {
    switch (record.type) {
      case "run.start":
      case "run.end":
        sortRun(record, value);
        return;
      case "state":
        return void states.push(record);
      case "presence":
        return void presences.push(record);
      case "audit":
        return void audits.push(record);
      case "gap":
        return void gaps.push(record);
      case "heartbeat":
        heartbeats.set(instanceOf(record), record);
        return;
      case "settings":
        settings.set(instanceOf(record), record);
        return;
      case "budget":
        return void minutes.push(record);
      case "objectEvent":
        return void events.push(record);
    }
  };
  const check = (value: unknown) => {
    const parsed = ledgerRecordSchema.safeParse(value);
    if (parsed.success) sort(parsed.data, value);
    else refused.push(parsed.error.issues[0]?.message ?? "not a record");
  };
  const { starts, others } = withoutEndedStarts(values);
  for (const value of others) check(value);
  // If the end was invalid, the start is all that is known of the run.
  for (const start of starts) if (!runs.has(String(start.id))) check(start);
  return {
    runs: [...runs.values()],
    shadowPlans: newestShadowPlans(dryRuns),
    states,
    presences,
    audits,
    heartbeats: [...heartbeats.values()],
    gaps,
    settings: [...settings.values()],
    minutes,
    events,
    refused,
  };
}

/** Separates the starts whose ends are also there: the ends repeat them, so checking them would be wasted work. */
function withoutEndedStarts(values: readonly unknown[]) {
  const ended = new Set<unknown>();
  for (const value of values) if (isOfType(value, "run.end")) ended.add(value.id);
  const starts: { readonly id: unknown }[] = [];
  const others: unknown[] = [];
  for (const value of values) {
    if (isOfType(value, "run.start") && ended.has(value.id)) starts.push(value);
    else others.push(value);
  }
  return { starts, others };
}

function instanceOf({ cluster, instance }: Pick<Heartbeat, "cluster" | "instance">): string {
  return `${cluster}/${instance}`;
}

const YEAR_10000 = 253_402_300_800_000;

/** Reports whether a partition can exist for the day of this moment. */
function isDate(moment: number): boolean {
  return moment >= 0 && moment < YEAR_10000;
}
