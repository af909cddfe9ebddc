import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import { boundedText } from "@cloudwright/core/model/values/bounded-text";
import type { Database } from "../database/database.ts";
import { listRuns } from "../queries/runs/runs.ts";
import { listAudit } from "../sql/audit-entries.ts";
import type { AuditRow, RunRow } from "../views/views.ts";
import type { IncidentSnapshot } from "./snapshot-schema.ts";

/** How many of the newest of each are kept. */
const RECENT_MOST = 20;

interface RecentInput {
  readonly cluster: string;
  readonly object: ObjectRef;
  /** Later runs and entries are left out. */
  readonly until: number;
}

/** Returns the runs and audit entries of an object, newest first, as its pages list them. */
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
  const { id, controller, startedAt: at, trigger, outcome, dryRun, durationMs, reason } = row;
  return {
    ...{ id, controller, at, trigger, outcome, dryRun, durationMs, reason },
    ...{ changes: row.changes, calls: row.cloudCalls + row.kubeCalls, folded: row.folded },
  };
}

function entryOf(row: AuditRow): IncidentSnapshot["entries"][number] {
  const { seq, at, actor, action, object, why, reason, result } = row;
  return {
    ...{ seq, at, actor, action: boundedText(action, 300), why, reason, result },
    object:
      object === undefined
        ? undefined
        : { kind: object.kind, namespace: object.namespace, name: object.name },
  };
}
