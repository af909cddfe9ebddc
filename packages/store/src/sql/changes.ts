import { OBJECT_KINDS } from "@cloudwright/core/model/kinds/kinds";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import { driftSchema, stateSchema } from "@cloudwright/core/model/state";
import type pg from "pg";
import {
  type ChangesFilter,
  type ChangesPage,
  type ChangesSort,
  DIRECTIONS,
  type ObjectChange,
  type StateThen,
} from "../views/changes.ts";
import { anyOf, contains } from "./conditions.ts";
import { conditionsOf, type List } from "./list.ts";
import {
  asJson,
  asText,
  asTime,
  orUndefined,
  readReason,
  type StoredRow,
  sqlKinds,
  storedColumns,
} from "./stored-json.ts";

/* The newest row of each object before two times, by parts of an index, compared with each other. */

/** Two times, milliseconds since the epoch. */
export interface TwoTimes {
  readonly from: number;
  readonly to: number;
}

/**
 * Which objects differ at the later time from what they were at the earlier one. Only what became another between the two is looked at, by
 * the index of the times; what it was before is one look into the index of the objects for each.
 */
export function changedObjects(times: TwoTimes): List<ObjectChange, ChangesFilter, ChangesSort> {
  return {
    ...{ name: "changes", table: compared(times), scope: "cluster_id" },
    columns: `${NOW.columns}, ${WAS.columns}, ${COMPARED.columns}, kind_rank, state_rank, name_key`,
    filters: {
      // The table is of these times.
      from: () => undefined,
      to: () => undefined,
      kinds: anyOf("kind"),
      directions: anyOf("direction"),
      text: contains("search_text"),
    },
    orders: {
      kind: [
        { expression: "kind_rank", type: "number" },
        { expression: "kind", type: "text" },
        { expression: "state_rank", type: "number" },
        { expression: "name_key", type: "text" },
        { expression: "name", type: "text" },
      ],
    },
    view: changeView,
  };
}

const KINDS_IN_ORDER = `ARRAY[${sqlKinds(...OBJECT_KINDS)}]`;
const IS_ANOTHER = "now.uid <> was.uid AND now.uid <> '' AND was.uid <> ''";

/** A list binds its cluster first: it is `$1` here as well. */
function compared(times: TwoTimes): string {
  const [from, to] = [times.from, times.to].map((ms) => `to_timestamp(${ms}::float8 / 1000)`);
  return `(
    SELECT now.*, was.at AS was_at, was.state AS was_state, was.reason AS was_reason, was.drift AS was_drift,
           was.address AS was_address, COALESCE(${IS_ANOTHER}, false) AS is_replaced,
           COALESCE(array_position(${KINDS_IN_ORDER}, now.kind), ${OBJECT_KINDS.length + 1}) AS kind_rank,
           CASE WHEN now.state = 'gone' THEN 'other'
                WHEN COALESCE(was.state, 'gone') = 'gone'
                THEN CASE WHEN now.state IN ('stuck', 'unknown') THEN 'worse' ELSE 'other' END
                WHEN now.state_rank < was.state_rank THEN 'worse'
                WHEN now.state_rank > was.state_rank THEN 'better'
                WHEN was.drift <> 'drifted' AND now.drift = 'drifted' THEN 'worse'
                WHEN was.drift = 'drifted' AND now.drift <> 'drifted' THEN 'better'
                ELSE 'other' END AS direction,
           lower(concat_ws(' ', now.name, now.address, was.address, now.reason_code, was.reason_code)) AS search_text
      FROM (SELECT DISTINCT ON (kind, name) *, bool_or(appeared) OVER same AS has_appeared,
                   (count(*) OVER same)::int AS times
              FROM state_changes
             WHERE cluster_id = $1 AND at > ${from} AND at <= ${to}
            WINDOW same AS (PARTITION BY kind, name)
             ORDER BY kind, name, at DESC) AS now
      LEFT JOIN LATERAL (SELECT * FROM state_changes AS earlier
                          WHERE earlier.cluster_id = now.cluster_id AND earlier.kind = now.kind
                            AND earlier.name = now.name AND earlier.at <= ${from}
                          ORDER BY earlier.at DESC LIMIT 1) AS was ON true
     WHERE CASE WHEN was.state IS NULL THEN now.state <> 'gone' OR NOT now.has_appeared
                WHEN was.state = 'gone' THEN now.state <> 'gone'
                ELSE now.state <> was.state OR (${IS_ANOTHER})
                  OR (now.drift = 'drifted') <> (was.drift = 'drifted')
                  OR now.address IS DISTINCT FROM was.address
                  OR (now.reason_code <> was.reason_code AND now.state <> 'ok') END
    ) AS changes`;
}

const readState = asJson(stateSchema, "unknown");
const readDrift = asJson(driftSchema, "notChecked");

const NOW = storedColumns({
  at: asTime,
  state: readState,
  reason: readReason,
  drift: readDrift,
  address: orUndefined<string>,
});

const WAS = storedColumns({
  wasAt: asTime,
  wasState: readState,
  wasReason: readReason,
  wasDrift: readDrift,
  wasAddress: orUndefined<string>,
});

const COMPARED = storedColumns({
  kind: asText,
  name: asText,
  uid: asText,
  direction: (stored: string) => DIRECTIONS.find((known) => known === stored) ?? "other",
  isReplaced: Boolean,
  hasAppeared: Boolean,
  times: Number,
});

function changeView(row: StoredRow): ObjectChange {
  const { hasAppeared, ...change } = COMPARED.read(row);
  return { ...change, now: NOW.read(row), was: whatItWas(row, hasAppeared) };
}

function whatItWas(row: StoredRow, hasAppeared: boolean): ObjectChange["was"] {
  if (row.was_state === "gone") return "absent";
  if (row.was_state === null) return hasAppeared ? "absent" : "unknown";
  const { wasAt, wasState, wasReason, wasDrift, wasAddress } = WAS.read(row);
  const then: StateThen = {
    ...{ at: wasAt, state: wasState, reason: wasReason, drift: wasDrift, address: wasAddress },
  };
  return then;
}

/** How many objects of each kind differ, and how, of those that have the filter's text. */
export async function countChanges(
  pool: pg.Pool,
  times: TwoTimes,
  { cluster, text }: { readonly cluster: string; readonly text: string | undefined },
): Promise<ChangesPage["counts"]> {
  const list = changedObjects(times);
  const { texts, values } = conditionsOf(list, { cluster, filter: { text } });
  const { rows } = await pool.query<StoredRow & { readonly count: number }>(
    `SELECT kind, direction, count(*)::int AS count FROM ${list.table} WHERE ${texts.join(" AND ")}
      GROUP BY kind_rank, kind, direction ORDER BY kind_rank, kind, direction`,
    values,
  );
  return rows.map((row) => ({ ...COUNTED.read(row), count: row.count }));
}

const COUNTED = storedColumns({
  kind: asText,
  direction: (stored: string) => DIRECTIONS.find((known) => known === stored) ?? "other",
});

/** Of whose runs a count is asked. */
export interface RunsOf extends ObjectRef {
  /** Its alone; those of all controllers unless given. */
  readonly controller: string | undefined;
}

export interface DoneBetween {
  readonly runs: number;
  readonly cloudWrites: number;
}

/** What runs did to each of these objects between two times, in their order. What a plan has written comes first in it. */
export async function doneBetween(
  pool: pg.Pool,
  { from, to }: TwoTimes,
  { cluster, objects }: { readonly cluster: string; readonly objects: readonly RunsOf[] },
): Promise<readonly DoneBetween[]> {
  if (objects.length === 0) return [];
  const { rows } = await pool.query<{ runs: number; writes: number }>(
    `SELECT done.runs, done.writes
       FROM unnest($4::text[], $5::text[], $6::text[], $7::text[]) WITH ORDINALITY
              AS object(kind, namespace, name, controller, place),
            LATERAL (SELECT COALESCE(sum(COALESCE(folded, 1)), 0)::int AS runs, COALESCE(sum(written.writes), 0)::int AS writes
                       FROM runs,
                            LATERAL (SELECT count(*) AS writes
                                       FROM jsonb_array_elements(CASE WHEN applied > 0 THEN changes ELSE '[]' END)
                                              WITH ORDINALITY AS planned(change, place)
                                      WHERE planned.place <= applied AND planned.change->>'system' = 'cloud') AS written
                      WHERE runs.cluster_id = $1 AND runs.object_name = object.name
                        AND runs.object_namespace = object.namespace AND runs.object_kind = object.kind
                        AND (object.controller IS NULL OR runs.controller = object.controller)
                        AND runs.started_at > to_timestamp($2::float8 / 1000)
                        AND runs.started_at <= to_timestamp($3::float8 / 1000) AND NOT runs.dry_run) AS done
      ORDER BY object.place`,
    [
      ...[cluster, from, to, objects.map(({ kind }) => kind)],
      objects.map(({ namespace }) => namespace ?? ""),
      objects.map(({ name }) => name),
      objects.map(({ controller }) => controller ?? null),
    ],
  );
  return rows.map(({ runs, writes }) => ({ runs, cloudWrites: writes }));
}
