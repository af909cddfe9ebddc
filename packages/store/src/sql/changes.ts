import { OBJECT_KINDS } from "@cloudwright/core/model/kinds/kinds";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import { driftSchema, stateSchema } from "@cloudwright/core/model/state";
import type pg from "pg";
import { z } from "zod";
import {
  type ChangesFilter,
  type ChangesPage,
  type ChangesSort,
  DIRECTIONS,
  type ObjectChange,
  type StateThen,
} from "../views/changes.ts";
import type { ListInput, Page } from "../views/views.ts";
import { anyOf, type Bind, contains } from "./conditions.ts";
import { type List, readPage, totalOf } from "./list.ts";
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
 * the index of the times; what it was before is one look into the index of the objects for each that had been there.
 */
export function changedObjects(times: TwoTimes): List<ObjectChange, ChangesFilter, ChangesSort> {
  return {
    ...{ name: "changes", table: compared(times), scope: "cluster_id" },
    columns: `${NOW.columns}, ${WAS.columns}, ${COMPARED.columns}, kind_rank, state_rank, name_key,
              ${reasonAt("at")} AS reason, ${reasonAt("was_at")} AS was_reason,
              CASE WHEN began_anew THEN ${FOLLOWS_ANOTHER} ELSE is_replaced END AS is_replaced`,
    filters: {
      // The table is of these times.
      from: () => undefined,
      to: () => undefined,
      kinds: anyOf("kind"),
      directions: anyOf("direction"),
      text: contains(SEARCH_TEXT),
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

/** Read for the rows of a page alone: reasons are most of what a row has. */
function reasonAt(column: string): string {
  return `(SELECT reason FROM state_changes AS of
            WHERE of.cluster_id = changes.cluster_id AND of.kind = changes.kind AND of.name = changes.name
              AND of.at = changes.${column})`;
}

/** Of what had not been there at the first time: whether another object of its name had been before. */
const FOLLOWS_ANOTHER = `COALESCE((SELECT of.uid <> changes.uid AND of.uid <> '' AND changes.uid <> '' FROM state_changes AS of
            WHERE of.cluster_id = changes.cluster_id AND of.kind = changes.kind AND of.name = changes.name
              AND of.at <= changes.since ORDER BY of.at DESC LIMIT 1), false)`;

const SEARCH_TEXT =
  "lower(concat_ws(' ', name, address, was_address, reason_code, was_reason_code))";

/** All that is compared of an object; what appeared in between was not there before, so that nothing is looked up for it. */
const SEEN =
  "cluster_id, kind, name, at, uid, state, state_rank, reason_code, drift, address, name_key";

/**
 * Adds nothing, and keeps PostgreSQL from expecting few of the newest rows only because they must be of the same stretch as all: it would look
 * each up by itself.
 */
const AS_IT_COMES = "+ interval '0'";

/** A list binds its cluster first: it is `$1` here as well. */
function compared(times: TwoTimes): string {
  const [from, to] = [times.from, times.to].map((ms) => `to_timestamp(${ms}::float8 / 1000)`);
  return `(
    SELECT now.*, ${from} AS since, was.at AS was_at, was.state AS was_state, was.drift AS was_drift, was.address AS was_address, COALESCE(${IS_ANOTHER}, false) AS is_replaced,
           COALESCE(array_position(${KINDS_IN_ORDER}, now.kind), ${OBJECT_KINDS.length + 1}) AS kind_rank,
           CASE WHEN now.state = 'gone' THEN 'other'
                WHEN COALESCE(was.state, 'gone') = 'gone'
                THEN CASE WHEN now.state IN ('stuck', 'unknown') THEN 'worse' ELSE 'other' END
                WHEN now.state_rank < was.state_rank THEN 'worse'
                WHEN now.state_rank > was.state_rank THEN 'better'
                WHEN was.drift <> 'drifted' AND now.drift = 'drifted' THEN 'worse'
                WHEN was.drift = 'drifted' AND now.drift <> 'drifted' THEN 'better'
                ELSE 'other' END AS direction, was.reason_code AS was_reason_code
      FROM (SELECT ${SEEN}, has_appeared, began_anew, times
              FROM (SELECT kind, name, max(at) AS newest, bool_or(appeared) AS has_appeared, count(*)::int AS times,
                           COALESCE(min(at) FILTER (WHERE appeared) = min(at), false) AS began_anew
                      FROM state_changes
                     WHERE cluster_id = $1 AND at > ${from} AND at <= ${to}
                     GROUP BY kind, name) AS last
              JOIN state_changes USING (kind, name)
             WHERE cluster_id = $1 AND at > ${from} AND at <= ${to} AND at = newest ${AS_IT_COMES}) AS now
      LEFT JOIN LATERAL (SELECT ${SEEN} FROM state_changes AS earlier
                          WHERE NOT now.began_anew AND earlier.cluster_id = now.cluster_id AND earlier.kind = now.kind
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
  drift: readDrift,
  address: orUndefined<string>,
});

const WAS = storedColumns({
  wasAt: asTime,
  wasState: readState,
  wasDrift: readDrift,
  wasAddress: orUndefined<string>,
});

function directionOf(stored: string): ObjectChange["direction"] {
  return DIRECTIONS.find((known) => known === stored) ?? "other";
}

const COMPARED = storedColumns({
  kind: asText,
  name: asText,
  uid: asText,
  direction: directionOf,
  hasAppeared: Boolean,
  times: Number,
});

function changeView(row: StoredRow): ObjectChange {
  const { hasAppeared, ...change } = COMPARED.read(row);
  return {
    ...change,
    isReplaced: row.is_replaced === true,
    now: { ...NOW.read(row), reason: readReason(row.reason) },
    was: whatItWas(row, hasAppeared),
  };
}

function whatItWas(row: StoredRow, hasAppeared: boolean): ObjectChange["was"] {
  if (row.was_state === "gone") return "absent";
  if (row.was_state === null) return hasAppeared ? "absent" : "unknown";
  const { wasAt, wasState, wasDrift, wasAddress } = WAS.read(row);
  const then: StateThen = {
    ...{ at: wasAt, state: wasState, drift: wasDrift, address: wasAddress },
    reason: readReason(row.was_reason),
  };
  return then;
}

/**
 * A page of them, with how many of each kind differ, and how, of those that have the filter's text. They are compared once for both: over a
 * day, in which most of a fleet may have changed, that is nearly all of the work.
 */
export async function readChanges(
  pool: pg.Pool,
  times: TwoTimes,
  input: ListInput<ChangesFilter, ChangesSort>,
): Promise<Page<ObjectChange> & Pick<ChangesPage, "counts">> {
  let counts: ChangesPage["counts"] = [];
  const list = { ...changedObjects(times), table: "changes" };
  const page = await readPage(list, input, async (asked) => {
    const values = [...asked.values];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const { text = "" } = input.filter;
    const { rows } = await pool.query<StoredRow>(
      `WITH changes AS MATERIALIZED (SELECT * FROM ${compared(times)}), page AS (${asked.text})
       SELECT counted.counts, page.*
         FROM (SELECT COALESCE(jsonb_agg(jsonb_build_array(kind, direction, count) ORDER BY kind_rank, kind, direction), '[]') AS counts
                 FROM (SELECT kind_rank, kind, direction, count(*) FROM changes
                        WHERE ${contains(SEARCH_TEXT)(text, bind) ?? "true"}
                        GROUP BY kind_rank, kind, direction) AS each) AS counted
         LEFT JOIN page ON true`,
      values,
    );
    counts = countsOf(rows[0]?.counts);
    return rows.filter(({ kind }) => kind !== null);
  });
  return { ...page, counts, total: totalOf(chosenOf(counts, input.filter)) };
}

function countsOf(stored: unknown): ChangesPage["counts"] {
  return COUNTS.parse(stored).map(([kind, direction, count]) => ({
    kind,
    direction: directionOf(direction),
    count,
  }));
}

const COUNTS = z.array(z.tuple([z.string(), z.string(), z.number()]));

function chosenOf(counts: ChangesPage["counts"], { kinds, directions }: ChangesFilter): number {
  return counts
    .filter(
      ({ kind, direction }) =>
        (kinds?.includes(kind) ?? true) && (directions?.includes(direction) ?? true),
    )
    .reduce((sum, { count }) => sum + count, 0);
}

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
