import type { Database } from "../../database/database.ts";
import { intentById } from "../../intents/intents.ts";
import { REQUEST_KEY_LENGTH } from "../../ledger/request-keys.ts";
import { isOperationError } from "../../operations/errors.ts";
import { searchObjects } from "../../sql/objects/object-rows.ts";
import { clustersWithRequest } from "../../sql/runs/runs.ts";
import type { Found, FoundObject } from "../../views/find.ts";
import type { RunRow } from "../../views/views.ts";
import { listRuns, runRowById } from "../runs/runs.ts";

export interface FindInput {
  readonly cluster: string;
  /** The pasted text: part of a name, address, provider ID or instance id; the id of a cloud call, a run or an action; a UID. */
  readonly text: string;
  /** What is already known about the text, so that it is not searched again in each cluster. */
  readonly known?: {
    readonly objects: readonly FoundObject[];
    /** Whether a run of the cluster has a cloud call with this id. */
    readonly isCalled: boolean;
  };
}

export const FOUND_MOST = 8;

/** Finds everything that a text can mean, so that anything a page or a log names leads to its object or run. */
export async function findAnything(db: Database, input: FindInput): Promise<Found> {
  const text = input.text.trim();
  if (text === "") return { objects: [], runs: [], runCount: 0, intentId: undefined };
  const [objects, run, called, intentId] = await Promise.all([
    input.known?.objects ?? findObjects(db, { ...input, text }),
    runRowById(db, { cluster: input.cluster, id: text }),
    findCalled(db, { ...input, text }),
    findIntent(db, { ...input, text }),
  ]);
  const runs = run === undefined ? called.runs : [run];
  return { objects, runs, runCount: run === undefined ? called.count : 1, intentId };
}

async function findObjects(
  db: Database,
  { cluster, text }: FindInput,
): Promise<readonly FoundObject[]> {
  const found = await searchObjects(db, { clusters: [cluster], text, most: FOUND_MOST });
  return found.get(cluster) ?? [];
}

async function findCalled(
  db: Database,
  { cluster, text, known }: FindInput,
): Promise<{ readonly runs: readonly RunRow[]; readonly count: number }> {
  const isCalled = known?.isCalled ?? (await clustersCalled(db, text, [cluster])).length > 0;
  if (!isCalled) return { runs: [], count: 0 };
  const { rows, total } = await listRuns(db, {
    cluster,
    filter: { requestId: text },
    sort: { by: "started", descending: true },
    limit: FOUND_MOST,
  });
  return { runs: rows, count: total.count };
}

/**
 * Returns the clusters in which a run has a cloud call with this id. Queried for all at once and before their runs, as usually there is
 * none.
 */
export async function clustersCalled(
  { pool }: Database,
  id: string,
  clusters: readonly string[],
): Promise<readonly string[]> {
  return id.length < REQUEST_KEY_LENGTH ? [] : clustersWithRequest(pool, id, clusters);
}

async function findIntent(db: Database, { cluster, text }: FindInput): Promise<string | undefined> {
  try {
    return (await intentById(db, { cluster, id: text })).id;
  } catch (error) {
    if (isOperationError(error) && error.code === "NotFound") return undefined;
    throw error;
  }
}
