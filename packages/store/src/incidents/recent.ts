import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import type { Trigger } from "@cloudwright/core/model/run";
import { cause } from "@cloudwright/core/model/sentence";
import { boundedText } from "@cloudwright/core/model/values/bounded-text";
import type { Database } from "../database/database.ts";
import { listRuns } from "../queries/runs/runs.ts";
import { listAudit } from "../sql/audit-entries.ts";
import type { AuditRow, RunRow } from "../views/views.ts";
import type { IncidentSnapshot } from "./snapshot-schema.ts";

/** How many of each are kept, the newest. */
const RECENT_MOST = 20;
const TEXT_MOST = 1_000;

interface RecentInput {
  readonly cluster: string;
  readonly object: ObjectRef;
  /** Until when; later ones were not seen. */
  readonly until: number;
}

/** The runs and audit entries of an object, newest first, as its pages list them. */
export async function recentOf(
  db: Database,
  { cluster, object, until }: RecentInput,
): Promise<Pick<IncidentSnapshot, "runs" | "entries">> {
  const [kind, name] = [object.kind, objectName(object)];
  const [runs, entries] = await Promise.all([
    listRuns(db, {
      ...{ cluster, limit: RECENT_MOST, filter: { kind, key: name, to: until + 1 } },
      sort: { by: "started", descending: true },
    }),
    listAudit(db, {
      ...{ cluster, limit: RECENT_MOST },
      filter: { object: { kind, name }, withoutPreviews: true, to: until + 1 },
      sort: { by: "inserted", descending: true },
    }),
  ]);
  return { runs: runs.rows.map(runOf), entries: entries.rows.map(entryOf) };
}

function runOf(row: RunRow): IncidentSnapshot["runs"][number] {
  const { id, controller, startedAt: at, trigger, outcome, dryRun, durationMs } = row;
  return {
    ...{ id, controller, at, outcome, dryRun, durationMs, trigger: triggerText(trigger) },
    cause: row.reason === undefined ? undefined : boundedText(cause(row.reason), TEXT_MOST),
    ...{ changes: row.changes, calls: row.cloudCalls + row.kubeCalls, folded: row.folded },
  };
}

function triggerText(trigger: Trigger): string {
  switch (trigger.kind) {
    case "change":
      return boundedText(trigger.what, TEXT_MOST);
    case "period":
      return "periodic check";
    case "retry":
      return "automatic retry";
    case "start":
      return "start or failover";
    case "intent":
      return boundedText(`requested by ${trigger.actor}`, TEXT_MOST);
  }
}

function entryOf(row: AuditRow): IncidentSnapshot["entries"][number] {
  const { seq, at, actor, action, object, why, result } = row;
  return {
    ...{ seq, at, actor, action: boundedText(action, 300), result },
    why: boundedText(why, TEXT_MOST),
    object:
      object === undefined
        ? undefined
        : { kind: object.kind, namespace: object.namespace, name: object.name },
  };
}
