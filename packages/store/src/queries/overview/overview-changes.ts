import { auditActionSchema, OTHER_ACTIONS } from "@cloudwright/core/model/audit/audit";
import type pg from "pg";
import { actorOf, objectOf, type StoredEntry } from "../../sql/audit-entries.ts";
import { orUndefined, readJson } from "../../sql/stored-json.ts";
import type { ChangeNote } from "../../views/overview.ts";

const SHOWN = 8;
/** One run may leave several entries, of which the last tells it all. */
const READ = 5 * SHOWN;

/** What was done in the cluster last, one note for each run. */
export async function latestChanges(
  pool: pg.Pool,
  cluster: string,
): Promise<readonly ChangeNote[]> {
  const { rows } = await pool.query<StoredNote>(
    `SELECT entry.id, entry.at, actor_kind, actor_id, actor_name, action, object_kind, object_namespace,
            object_name, object_uid, why, run_id, node.init_ms
       FROM (SELECT * FROM audit_entries
              WHERE chain = $1 AND result = 'applied' AND action <> ALL($2::text[])
              ORDER BY seq DESC LIMIT ${READ}) AS entry
       LEFT JOIN node_states AS node
         ON node.cluster_id = $1 AND node.kind = 'Node' AND entry.action = 'node.initialise'
        AND node.name = entry.object_name
      ORDER BY entry.seq DESC`,
    [cluster, OTHER_ACTIONS],
  );
  const runs = new Set<string>();
  return rows
    .filter(({ run_id }) => run_id === null || (!runs.has(run_id) && runs.add(run_id)))
    .slice(0, SHOWN)
    .map(noteView);
}

interface StoredNote extends StoredEntry {
  readonly at: Date;
  readonly init_ms: string | null;
}

function noteView(row: StoredNote): ChangeNote {
  return {
    id: row.id,
    at: row.at.getTime(),
    actor: actorOf(row),
    action: readJson(auditActionSchema, row.action, "node.initialise"),
    object: objectOf(row),
    why: row.why,
    runId: orUndefined(row.run_id),
    initMs: row.init_ms === null ? undefined : Number(row.init_ms),
  };
}
