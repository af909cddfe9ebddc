import {
  objectKind,
  PART_KINDS,
  partKindsOf,
  STATE_TABLES,
} from "@cloudwright/core/model/kinds/kinds";
import type { KnownObject } from "@cloudwright/core/model/kinds/known-object";
import type pg from "pg";
import type { LedgerBatch } from "../ledger/batch.ts";
import { insertRows, UPSERT_OBJECTS } from "../sql/statements.ts";
import {
  absent,
  deleteObjects,
  lockStates,
  named,
  present,
  readExpected,
  readInstances,
  readObjects,
  writeExpected,
} from "../sql/states.ts";
import {
  type ExpectedControllers,
  expectedControllers,
  expectedOf,
} from "./expected-controllers.ts";
import { kindOf, mergeState, withoutTrace } from "./object-projection.ts";
import { type StateRow, stateRows } from "./object-row.ts";

/** States are merged with the stored ones, so writers of one cluster take turns; all lock clusters in this order. */
export async function yieldBetween(
  client: pg.Client,
  records: readonly { readonly cluster: string }[],
): Promise<void> {
  for (const cluster of clustersOf(records)) {
    await lockStates(client, cluster);
  }
}

/** When the set of running controllers changes, other parts are expected: the states of all objects are evaluated again. */
export async function judgeByRunning(
  client: pg.Client,
  heartbeats: LedgerBatch["heartbeats"],
): Promise<void> {
  for (const cluster of clustersOf(heartbeats)) {
    const known = await readExpected(client, cluster);
    const expected = expectedControllers(await readInstances(client, cluster), known);
    if (JSON.stringify(expected) === JSON.stringify(known)) continue;
    await writeExpected(client, cluster, expected);
    for (const table of STATE_TABLES) {
      const known = await readObjects(client, cluster, present(table, { but: PART_KINDS }));
      await writeObjects(client, known, { expected });
    }
  }
}

export async function writeStates(client: pg.Client, states: LedgerBatch["states"]): Promise<void> {
  for (const cluster of clustersOf(states)) {
    const expected = await readExpected(client, cluster);
    const own = states.filter((state) => state.cluster === cluster);
    const known = await readNamed(client, cluster, own);
    const merged = new Map(known);
    for (const state of own) {
      const fresh = mergeState(undefined, state);
      const key = keyOf(fresh);
      merged.set(key, mergeState(merged.get(key), state));
    }
    await writeObjects(client, [...merged.values()], { expected, known });
  }
}

/** Writes absences after the states that came before them. */
export async function writeAbsences(
  client: pg.Client,
  presences: LedgerBatch["presences"],
): Promise<void> {
  for (const presence of presences) {
    const expected = await readExpected(client, presence.cluster);
    const missed = await readObjects(client, presence.cluster, absent(presence));
    const gone = missed.map((object) => withoutTrace(object, presence));
    await writeObjects(client, gone, { expected });
  }
}

/** Returns what is known of the reported objects, by kind and name. */
async function readNamed(
  client: pg.Client,
  cluster: string,
  states: LedgerBatch["states"],
): Promise<Map<string, KnownObject>> {
  const objects = new Map<string, KnownObject>();
  for (const [table, own] of groupBy(states, (state) => objectKind(kindOf(state)).table)) {
    const kinds = [...new Set(own.map(kindOf))];
    const names = [...new Set(own.map(({ name }) => name))];
    const known = await readObjects(client, cluster, named(table, { kinds, names }));
    for (const object of known) objects.set(keyOf(object), object);
  }
  return objects;
}

/**
 * `known`: what was stored of the objects under the same expected controllers. A part without a new report keeps its row: several
 * controllers report on a Node, but only one on its routes.
 */
async function writeObjects(
  client: pg.Client,
  objects: readonly KnownObject[],
  {
    expected,
    known,
  }: {
    readonly expected: ExpectedControllers;
    readonly known?: ReadonlyMap<string, KnownObject>;
  },
): Promise<void> {
  const rowsOf = (object: KnownObject) => stateRows(object, expectedOf(expected, object));
  const rows = objects.flatMap(rowsOf);
  const stored = new Set(
    objects.flatMap((object) => {
      const before = known?.get(keyOf(object));
      return before !== undefined && saysPartsAgain(object, before)
        ? rowsOf(before).filter(isPart).map(textOf)
        : [];
    }),
  );
  const changed = rows.filter(
    (row) => !isPart(row) || stored.size === 0 || !stored.has(textOf(row)),
  );
  for (const [table, own] of groupBy(changed, (row) => row.table)) {
    const statement = UPSERT_OBJECTS.get(table);
    if (statement === undefined) throw new Error(`No statement writes rows of ${table}.`);
    await insertRows(
      client,
      statement,
      own.map(({ row }) => row),
    );
  }
  await removeFormerParts(client, objects, rows);
}

/** Reports whether a part with a row of its own has no new report. */
function saysPartsAgain(object: KnownObject, before: KnownObject): boolean {
  return partKindsOf(object.kind).some(
    ({ partOf: { controller } }) => object.parts[controller] === before.parts[controller],
  );
}

function isPart({ row }: StateRow): boolean {
  return PART_KINDS.includes(row.kind);
}

function textOf({ row }: StateRow): string {
  return JSON.stringify(row);
}

/** Removes rows of parts that no controller reports on any longer: its controller was turned off, or its object was replaced. */
async function removeFormerParts(
  client: pg.Client,
  objects: readonly KnownObject[],
  rows: readonly StateRow[],
): Promise<void> {
  for (const [kind, wholes] of groupBy(objects, (object) => object.kind)) {
    for (const part of partKindsOf(kind)) {
      const written = new Set(
        rows.flatMap(({ row }) =>
          row.kind === part.name ? [`${row.cluster_id}/${row.name}`] : [],
        ),
      );
      const former = wholes.filter(({ cluster, name }) => !written.has(`${cluster}/${name}`));
      const [first] = former;
      if (first === undefined) continue;
      const names = former.map(({ name }) => name);
      const { cluster } = first;
      await deleteObjects(client, { table: part.table, cluster, kind: part.name, names });
    }
  }
}

function groupBy<Item>(
  items: readonly Item[],
  keyOfItem: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function keyOf(object: Pick<KnownObject, "kind" | "name">): string {
  return `${object.kind}/${object.name}`;
}

function clustersOf(records: readonly { readonly cluster: string }[]): readonly string[] {
  return [...new Set(records.map(({ cluster }) => cluster))].toSorted((left, right) =>
    left < right ? -1 : 1,
  );
}
