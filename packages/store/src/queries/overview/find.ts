import { PART_KINDS } from "@cloudwright/core/model/kinds/kinds";
import { STATES, stateSchema } from "@cloudwright/core/model/state";
import type { Database } from "../../database/database.ts";
import { intentById } from "../../intents/intents.ts";
import { REQUEST_KEY_LENGTH } from "../../ledger/request-keys.ts";
import { isOperationError } from "../../operations/errors.ts";
import { orUndefined, readJson } from "../../sql/stored-json.ts";
import type { Found, FoundObject } from "../../views/find.ts";
import type { RunRow } from "../../views/views.ts";
import { listRuns, runRowById } from "../runs/runs.ts";

export interface FindInput {
  readonly cluster: string;
  /** As somebody pasted it: part of a name, address, provider ID or instance id; the id of a cloud call, a run or an action; a UID. */
  readonly text: string;
}

export const FOUND_MOST = 8;

/** Everything that a text can mean, so that whatever a page or a log names leads to its object or run. */
export async function findAnything(db: Database, input: FindInput): Promise<Found> {
  const text = input.text.trim();
  if (text === "") return { objects: [], runs: [], runCount: 0, intentId: undefined };
  const [objects, run, called, intentId] = await Promise.all([
    findObjects(db, { ...input, text }),
    runRowById(db, { cluster: input.cluster, id: text }),
    findCalled(db, { ...input, text }),
    findIntent(db, { ...input, text }),
  ]);
  const runs = run === undefined ? called.runs : [run];
  return { objects, runs, runCount: run === undefined ? called.count : 1, intentId };
}

interface StoredFind {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly state: string;
  readonly provider_id: string | null;
  readonly address: string | null;
}

/** What is gone comes last: its page tells what became of it. */
async function findObjects(
  db: Database,
  { cluster, text }: FindInput,
): Promise<readonly FoundObject[]> {
  const { rows } = await db.pool.query<StoredFind>(
    `SELECT kind, name, uid, state, provider_id, address
       FROM (SELECT kind, name, name_key, uid, state, state_rank, provider_id, address,
                    row_number() OVER (PARTITION BY kind ORDER BY state_rank, name_key, name) AS place
               FROM all_states
              WHERE cluster_id = $1 AND kind <> ALL($3::text[]) AND (strpos(search_text, $2) > 0
                    OR length($2) >= ${REQUEST_KEY_LENGTH} AND starts_with(lower(uid), $2))) AS found
      WHERE place <= ${FOUND_MOST}
      ORDER BY state_rank, name_key, name`,
    [cluster, text.toLowerCase(), PART_KINDS],
  );
  return rows.map((row) => ({
    kind: row.kind,
    name: row.name,
    uid: row.uid,
    state: readJson(stateSchema, row.state, STATES[1]),
    providerID: orUndefined(row.provider_id),
    address: orUndefined(row.address),
  }));
}

async function findCalled(
  db: Database,
  { cluster, text }: FindInput,
): Promise<{ readonly runs: readonly RunRow[]; readonly count: number }> {
  if (text.length < REQUEST_KEY_LENGTH) return { runs: [], count: 0 };
  const { rows, total } = await listRuns(db, {
    cluster,
    filter: { requestId: text },
    sort: { by: "started", descending: true },
    limit: FOUND_MOST,
  });
  return { runs: rows, count: total.count };
}

async function findIntent(db: Database, { cluster, text }: FindInput): Promise<string | undefined> {
  try {
    return (await intentById(db, { cluster, id: text })).id;
  } catch (error) {
    if (isOperationError(error) && error.code === "NotFound") return undefined;
    throw error;
  }
}
