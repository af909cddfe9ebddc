import { OBJECT_KINDS, objectKind } from "@cloudwright/core/model/kinds/kinds";
import { type KnownObject, storedPartsSchema } from "@cloudwright/core/model/kinds/known-object";
import { objectStateSchema } from "@cloudwright/core/model/records/node-record";
import type { Presence } from "@cloudwright/core/model/records/presence-record";
import { heartbeatSchema } from "@cloudwright/core/model/records/record";
import type pg from "pg";
import { z } from "zod";
import type { ExpectedControllers, InstanceNow } from "../states/expected-controllers.ts";
import { columnName, quoted, readColumns, readJson } from "./stored-json.ts";

/*
 * By hand: what the ledger's writer reads and evaluates again, on its one connection and within its transaction: Prisma's client would need
 * a second connection, and 70 MiB of the controller's memory.
 */

type Client = Pick<pg.Client, "query">;

/** Makes the writers of one cluster take turns, as states are merged with the stored ones. */
export async function lockStates(client: Client, cluster: string): Promise<void> {
  await client.query(
    "SELECT pg_advisory_xact_lock(hashtextextended('cloudwright states ' || $1, 0))",
    [cluster],
  );
}

const NOTHING_KNOWN: ExpectedControllers = { acting: undefined, dryRun: undefined };
const NOTHING_SAID: z.infer<typeof OF_PROCESS> = {};

/** Returns the expected controllers as of the last write of a cluster. */
export async function readExpected(client: Client, cluster: string): Promise<ExpectedControllers> {
  const { rows } = await client.query<{ expected: unknown }>(
    "SELECT expected FROM clusters WHERE id = $1",
    [cluster],
  );
  const { acting, dryRun } = readJson(
    expectedSchema,
    rows[0]?.expected ?? undefined,
    NOTHING_KNOWN,
  );
  return { acting, dryRun };
}

/** Returns what the processes of a cluster report now. */
export async function readInstances(
  client: Client,
  cluster: string,
): Promise<readonly InstanceNow[]> {
  const { rows } = await client.query<StoredInstance>(
    `SELECT leader, dry_run, lease_transitions, heard_at, controllers, process
       FROM controller_instances WHERE cluster_id = $1`,
    [cluster],
  );
  return rows.map((row) => {
    const { lease, idle = [] } = readJson(OF_PROCESS, row.process, NOTHING_SAID);
    return {
      leader: row.leader,
      dryRun: row.dry_run,
      leaseTransitions: row.lease_transitions ?? 0,
      heardAt: row.heard_at.getTime(),
      lease,
      controllers: [
        ...readJson(CONTROLLERS_OF, row.controllers, []).map(({ name }) => name),
        ...idle.filter(({ cause }) => cause === "starting").map(({ name }) => name),
      ],
    };
  });
}

/** Stores which controllers are expected now. */
export async function writeExpected(
  client: Client,
  cluster: string,
  expected: ExpectedControllers,
): Promise<void> {
  await client.query("UPDATE clusters SET expected = $2 WHERE id = $1", [
    cluster,
    JSON.stringify(expected),
  ]);
}

interface StoredInstance {
  readonly leader: boolean;
  readonly dry_run: boolean;
  readonly lease_transitions: number | null;
  readonly heard_at: Date;
  readonly controllers: unknown;
  readonly process: unknown;
}

const OF_HEARTBEAT = heartbeatSchema.def.innerType.shape;
const CONTROLLERS_OF = OF_HEARTBEAT.controllers;
const OF_PROCESS = z.object(heartbeatSchema.def.innerType.shape).pick({ lease: true, idle: true });
const NAMES = z.array(CONTROLLERS_OF.def.innerType.def.element.shape.name).readonly().optional();
const expectedSchema = z.object({ acting: NAMES, dryRun: NAMES });

interface StoredObject {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly parts: unknown;
  readonly created_at: Date | null;
  readonly detail: unknown;
  readonly dry_run: boolean;
}

/** A selection of a table's objects. `$1` is the cluster. */
export interface Which {
  readonly table: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Selects objects by kind and name. */
export function named(
  table: string,
  { kinds, names }: { readonly kinds: readonly string[]; readonly names: readonly string[] },
): Which {
  return {
    table,
    text: "kind = ANY($2::text[]) AND name = ANY($3::text[])",
    values: [kinds, names],
  };
}

/** Selects objects that are not gone, except those of some kinds. */
export function present(table: string, { but }: { readonly but: readonly string[] }): Which {
  return { table, text: "state <> 'gone' AND kind <> ALL($2::text[])", values: [but] };
}

/** Selects the objects of a cluster that the controller reported before and no longer found; with the values to bind. */
export function absent(presence: Presence): Which {
  const { kind, controller, at, names, dryRun = false } = presence;
  return {
    table: objectKind(kind).table,
    text: `kind = $2 AND state <> 'gone' AND dry_run = $3
      AND (parts -> $4 ->> 'at')::numeric < $5 AND name <> ALL($6::text[])`,
    values: [kind, dryRun, controller, at, names],
  };
}

/** Returns what is known of these objects. */
export async function readObjects(
  client: Client,
  cluster: string,
  which: Which,
): Promise<readonly KnownObject[]> {
  const kept = new Set(
    OBJECT_KINDS.filter(({ table }) => table === which.table).flatMap(({ keeps }) => keeps),
  );
  const columns = [...SHARED_FACTS, ...[...kept].map((name) => quoted(columnName(name)))];
  const result = await client.query<StoredObject & Record<string, unknown>>(
    `SELECT ${columns.join(", ")} FROM ONLY ${which.table} WHERE cluster_id = $1 AND ${which.text}`,
    [cluster, ...which.values],
  );
  const { detail } = objectStateSchema.def.innerType.shape;
  return result.rows.map((row): KnownObject => {
    const kind = objectKind(row.kind);
    return {
      cluster,
      kind: row.kind,
      name: row.name,
      uid: row.uid,
      parts: readJson(storedPartsSchema, row.parts, {}),
      createdAt: row.created_at?.getTime(),
      detail: row.detail === null ? undefined : readJson(detail, row.detail, undefined),
      dryRun: row.dry_run,
      ...readColumns(kind.columns, row, kind.keeps),
    };
  });
}

const SHARED_FACTS = ["kind", "name", "uid", "parts", "created_at", "detail", "dry_run"];

export async function deleteObjects(
  client: Client,
  {
    table,
    cluster,
    kind,
    names,
  }: {
    readonly table: string;
    readonly cluster: string;
    readonly kind: string;
    readonly names: readonly string[];
  },
): Promise<void> {
  await client.query(
    `DELETE FROM ${table} WHERE cluster_id = $1 AND kind = $2 AND name = ANY($3::text[])`,
    [cluster, kind, names],
  );
}
