import type { LedgerGap } from "@cloudwright/core/model/gap";
import { nodeFactsSchema, objectStateSchema } from "@cloudwright/core/model/node-record";
import type pg from "pg";
import { ADD_ENTRIES, entryRow } from "../audit/entry-row.ts";
import { readJson } from "../queries/stored-json.ts";
import { absentCondition, withoutTrace } from "./absent-objects.ts";
import type { LedgerBatch } from "./batch.ts";
import { budgetRow } from "./budget-row.ts";
import { clusterRows, instanceRow, settingsRow } from "./instance-rows.ts";
import { mergeState, type ObjectProjection } from "./object-projection.ts";
import { objectRow } from "./object-row.ts";
import {
  INSERT_BUDGET_MINUTES,
  INSERT_GAPS,
  UPSERT_CLUSTERS,
  UPSERT_INSTANCES,
  UPSERT_OBJECTS,
  UPSERT_RUNS,
  UPSERT_SETTINGS,
  UPSERT_SHADOW_PLANS,
} from "./statements.ts";
import { storableJson } from "./storable-json.ts";
import { storedPartsSchema } from "./stored-parts.ts";

/** Writes a batch in one transaction. Writing it again changes nothing. Throws what the database says. */
export async function writeBatch(client: pg.Client, batch: LedgerBatch): Promise<void> {
  await client.query("BEGIN");
  try {
    await insertRows(client, UPSERT_RUNS, batch.runs);
    await insertRows(client, UPSERT_SHADOW_PLANS, batch.shadowPlans);
    await writeStates(client, batch.states);
    await writeAbsences(client, batch.presences);
    await insertRows(client, UPSERT_CLUSTERS, clusterRows(batch.heartbeats));
    await insertRows(client, UPSERT_INSTANCES, batch.heartbeats.map(instanceRow));
    await insertRows(client, INSERT_GAPS, batch.gaps.map(gapRow));
    await insertRows(client, UPSERT_SETTINGS, batch.settings.map(settingsRow));
    await insertRows(client, INSERT_BUDGET_MINUTES, batch.minutes.map(budgetRow));
    // Last, because whoever else writes audit entries waits from here to the commit.
    await insertRows(
      client,
      ADD_ENTRIES,
      batch.audits.map((entry) => entryRow(entry)),
    );
    await client.query("COMMIT");
  } catch (error) {
    // The connection may be what failed; the server then rolls back by itself.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

async function insertRows(
  client: pg.Client,
  statement: string,
  rows: readonly object[],
): Promise<void> {
  if (rows.length > 0) await client.query(statement, [storableJson(rows)]);
}

/** States are merged with what is stored, so writers of one cluster take turns. */
async function writeStates(client: pg.Client, states: LedgerBatch["states"]): Promise<void> {
  for (const cluster of [...new Set(states.map((state) => state.cluster))].toSorted(byText)) {
    await waitForTurn(client, cluster);
    const own = states.filter((state) => state.cluster === cluster);
    const merged = await readObjects(client, cluster, {
      text: "cluster_id = $1 AND name = ANY($2::text[])",
      values: [cluster, [...new Set(own.map((state) => state.name))]],
    });
    for (const state of own) {
      const fresh = mergeState(undefined, state);
      const key = keyOf(fresh);
      merged.set(key, mergeState(merged.get(key), state));
    }
    await insertRows(client, UPSERT_OBJECTS, [...merged.values()].map(objectRow));
  }
}

/** After the states that came before them. */
async function writeAbsences(
  client: pg.Client,
  presences: LedgerBatch["presences"],
): Promise<void> {
  for (const presence of presences) {
    await waitForTurn(client, presence.cluster);
    const absent = await readObjects(client, presence.cluster, absentCondition(presence));
    const rows = [...absent.values()].map((object) => objectRow(withoutTrace(object, presence)));
    await insertRows(client, UPSERT_OBJECTS, rows);
  }
}

async function waitForTurn(client: pg.Client, cluster: string): Promise<void> {
  await client.query(
    "SELECT pg_advisory_xact_lock(hashtextextended('cloudwright states ' || $1, 0))",
    [cluster],
  );
}

interface StoredObject {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly parts: unknown;
  readonly node: unknown;
  readonly cloud: unknown;
  readonly wanted: unknown;
  readonly timeline: unknown;
  readonly initialised_at: Date | null;
  readonly created_at: Date | null;
  readonly detail: unknown;
  readonly dry_run: boolean;
}

async function readObjects(
  client: pg.Client,
  cluster: string,
  which: { readonly text: string; readonly values: readonly unknown[] },
): Promise<Map<string, ObjectProjection>> {
  const result = await client.query<StoredObject>(
    `SELECT kind, name, uid, parts, node, cloud, wanted, timeline, initialised_at, created_at, detail, dry_run
       FROM object_states WHERE ${which.text}`,
    [...which.values],
  );
  const { node, timeline, detail } = objectStateSchema.unwrap().shape;
  const objects = result.rows.map(
    (row): ObjectProjection => ({
      cluster,
      kind: row.kind,
      name: row.name,
      uid: row.uid,
      parts: readJson(storedPartsSchema, row.parts, {}),
      node: readJson(node, row.node, undefined),
      cloud: readJson(nodeFactsSchema, row.cloud, undefined),
      wanted: readJson(nodeFactsSchema, row.wanted, undefined),
      timeline: readJson(timeline, row.timeline, undefined),
      initialisedAt: row.initialised_at?.getTime(),
      createdAt: row.created_at?.getTime(),
      detail: row.detail === null ? undefined : readJson(detail, row.detail, undefined),
      dryRun: row.dry_run,
    }),
  );
  return new Map(objects.map((object) => [keyOf(object), object]));
}

function keyOf(object: Pick<ObjectProjection, "kind" | "name">): string {
  return `${object.kind}/${object.name}`;
}

function gapRow(gap: LedgerGap): object {
  return {
    id: gap.id,
    cluster_id: gap.cluster,
    instance: gap.instance,
    from_at: gap.from,
    to_at: gap.to,
    records: gap.records,
    calls: gap.calls,
  };
}

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}
