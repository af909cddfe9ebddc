import type { KnownObject } from "@cloudwright/core/model/kinds/known-object";
import { storedPartsSchema } from "@cloudwright/core/model/kinds/known-object";
import { nodeFactsSchema, objectStateSchema } from "@cloudwright/core/model/node-record";
import type pg from "pg";
import { readJson } from "../queries/stored-json.ts";
import { absentCondition, withoutTrace } from "./absent-objects.ts";
import type { LedgerBatch } from "./batch.ts";
import {
  type ExpectedControllers,
  expectedControllers,
  expectedOf,
  readExpected,
  readInstances,
} from "./expected-controllers.ts";
import { insertRows } from "./insert-rows.ts";
import { mergeState } from "./object-projection.ts";
import { objectRow } from "./object-row.ts";
import { UPSERT_OBJECTS } from "./statements.ts";

/** States are merged with what is stored, so writers of one cluster take turns; all of them in this order. */
export async function takeTurns(
  client: pg.Client,
  records: readonly { readonly cluster: string }[],
): Promise<void> {
  for (const cluster of clustersOf(records)) {
    await client.query(
      "SELECT pg_advisory_xact_lock(hashtextextended('cloudwright states ' || $1, 0))",
      [cluster],
    );
  }
}

/** When other controllers run than before, other parts are expected: what is known of all objects is judged anew. */
export async function judgeByRunning(
  client: pg.Client,
  heartbeats: LedgerBatch["heartbeats"],
): Promise<void> {
  for (const cluster of clustersOf(heartbeats)) {
    const known = await readExpected(client, cluster);
    const expected = expectedControllers(await readInstances(client, cluster), known);
    if (JSON.stringify(expected) === JSON.stringify(known)) continue;
    await client.query("UPDATE clusters SET expected = $2 WHERE id = $1", [
      cluster,
      JSON.stringify(expected),
    ]);
    const present = await readObjects(client, cluster, {
      text: "cluster_id = $1 AND state <> 'gone'",
      values: [cluster],
    });
    await writeObjects(client, [...present.values()], expected);
  }
}

export async function writeStates(client: pg.Client, states: LedgerBatch["states"]): Promise<void> {
  for (const cluster of clustersOf(states)) {
    const expected = await readExpected(client, cluster);
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
    await writeObjects(client, [...merged.values()], expected);
  }
}

/** After the states that came before them. */
export async function writeAbsences(
  client: pg.Client,
  presences: LedgerBatch["presences"],
): Promise<void> {
  for (const presence of presences) {
    const expected = await readExpected(client, presence.cluster);
    const absent = await readObjects(client, presence.cluster, absentCondition(presence));
    const gone = [...absent.values()].map((object) => withoutTrace(object, presence));
    await writeObjects(client, gone, expected);
  }
}

async function writeObjects(
  client: pg.Client,
  objects: readonly KnownObject[],
  expected: ExpectedControllers,
): Promise<void> {
  const rows = objects.map((object) => objectRow(object, expectedOf(expected, object)));
  await insertRows(client, UPSERT_OBJECTS, rows);
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

/** What is known of the objects that this condition finds, by kind and name. */
export async function readObjects(
  client: Pick<pg.Client, "query">,
  cluster: string,
  which: { readonly text: string; readonly values: readonly unknown[] },
): Promise<Map<string, KnownObject>> {
  const result = await client.query<StoredObject>(
    `SELECT kind, name, uid, parts, node, cloud, wanted, timeline, initialised_at, created_at, detail, dry_run
       FROM object_states WHERE ${which.text}`,
    [...which.values],
  );
  const { node, timeline, detail } = objectStateSchema.unwrap().shape;
  const objects = result.rows.map(
    (row): KnownObject => ({
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

function keyOf(object: Pick<KnownObject, "kind" | "name">): string {
  return `${object.kind}/${object.name}`;
}

function clustersOf(records: readonly { readonly cluster: string }[]): readonly string[] {
  return [...new Set(records.map(({ cluster }) => cluster))].toSorted((left, right) =>
    left < right ? -1 : 1,
  );
}
