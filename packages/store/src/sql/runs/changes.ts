import { OBJECT_KINDS } from "@cloudwright/core/model/kinds/kinds";
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
} from "../../views/changes.ts";
import type { ListInput, Page } from "../../views/views.ts";
import { anyOf, type Bind, contains } from "../lists/conditions.ts";
import { type List, readPage, totalOf } from "../lists/list.ts";
import {
  asJson,
  asText,
  asTime,
  orUndefined,
  readReason,
  type StoredRow,
  sqlKinds,
  storedColumns,
} from "../stored-json.ts";

/* By hand: compares the states at two times, by the index of the states' ends. */

/** Two times, milliseconds since the epoch. */
export interface TwoTimes {
  readonly from: number;
  readonly to: number;
}

/**
 * Lists the objects that differ between the two times. Only the last of the changes in between is read, and the state before them by when
 * it ended: both are parts of an index, and nothing is looked up per object.
 */
export function changedObjects(times: TwoTimes): List<ObjectChange, ChangesFilter, ChangesSort> {
  return {
    ...{ name: "changes", table: compared(times), scope: "cluster_id" },
    columns: `${NOW.columns}, ${WAS.columns}, ${COMPARED.columns}, kind_rank, state_rank, name_key,
              ${reasonAt("at")} AS reason, ${reasonAt("was_at")} AS was_reason,
              ${inBetween("changes", "count(*)::int")} AS times,
              was_at IS NULL AND ${hasAppeared("changes")} AS has_appeared,
              CASE WHEN was_at IS NULL THEN ${FOLLOWS_ANOTHER} ELSE is_replaced END AS is_replaced`,
    filters: {
      // The table already is of these times.
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

/** Returns the place of a kind in the order of all; unknown kinds come last. */
function rankOf(kind: string): string {
  return `COALESCE(array_position(ARRAY[${sqlKinds(...OBJECT_KINDS)}], ${kind}), ${OBJECT_KINDS.length + 1})`;
}

const IS_ANOTHER = "now.uid <> was.uid AND now.uid <> '' AND was.uid <> ''";

/** Read only for the rows of a page: reasons are most of a row. */
function reasonAt(column: string): string {
  return `(SELECT reason FROM state_changes AS of
            WHERE of.cluster_id = changes.cluster_id AND of.kind = changes.kind AND of.name = changes.name
              AND of.at = changes.${column})`;
}

/** For an object that did not exist at the first time: whether another object of its name existed before. */
const FOLLOWS_ANOTHER = `COALESCE((SELECT of.uid <> changes.uid AND of.uid <> '' AND changes.uid <> '' FROM state_changes AS of
            WHERE of.cluster_id = changes.cluster_id AND of.kind = changes.kind AND of.name = changes.name
              AND of.at <= changes.since ORDER BY of.at DESC LIMIT 1), false)`;

/** Returns SQL over all changes of the row's object between the two times. */
function inBetween(row: string, said: string): string {
  return `(SELECT ${said} FROM state_changes AS of
            WHERE of.cluster_id = $1 AND of.kind = ${row}.kind AND of.name = ${row}.name
              AND of.at > ${row}.since AND of.at <= ${row}.till)`;
}

function hasAppeared(row: string): string {
  return inBetween(row, "COALESCE(bool_or(of.appeared), false)");
}

const SEARCH_TEXT =
  "lower(concat_ws(' ', name, address, was_address, reason_code, was_reason_code))";

/** All compared fields of an object. */
const SEEN = "kind, name, at, uid, state, state_rank, reason_code, drift, address";

/**
 * A list binds its cluster first, so it is `$1` here as well. An object that was gone at the first time counts as not having existed.
 *
 * Each row of `was` has one of `now`, so a left join would be enough. It is written as a full join, with no condition that says otherwise,
 * because PostgreSQL never runs a full join as a nested loop: right after most of a fleet has changed, its statistics would make it expect
 * hardly any rows to compare.
 */
function compared(times: TwoTimes): string {
  const [from, to] = [times.from, times.to].map((ms) => `to_timestamp(${ms}::float8 / 1000)`);
  return `(
    SELECT $1::text AS cluster_id, kind, name, now.at, now.uid, now.state, now.state_rank, now.reason_code, now.drift, now.address,
           now.name_key, now.since, now.till, was.at AS was_at, was.state AS was_state, was.drift AS was_drift, was.address AS was_address, COALESCE(${IS_ANOTHER}, false) AS is_replaced,
           ${rankOf("kind")} AS kind_rank,
           CASE WHEN now.state = 'gone' THEN 'other'
                WHEN was.state IS NULL
                THEN CASE WHEN now.state IN ('stuck', 'unknown') THEN 'worse' ELSE 'other' END
                WHEN now.state_rank < was.state_rank THEN 'worse'
                WHEN now.state_rank > was.state_rank THEN 'better'
                WHEN was.drift <> 'drifted' AND now.drift = 'drifted' THEN 'worse'
                WHEN was.drift = 'drifted' AND now.drift <> 'drifted' THEN 'better'
                ELSE 'other' END AS direction, was.reason_code AS was_reason_code
      FROM (SELECT ${SEEN}, name_key, ${from} AS since, ${to} AS till
              FROM state_changes
             WHERE cluster_id = $1 AND at > ${from} AND at <= ${to} AND (until > ${to} OR until IS NULL)) AS now
      FULL JOIN (SELECT ${SEEN}
                   FROM state_changes
                  WHERE cluster_id = $1 AND at <= ${from} AND until > ${from} AND until <= ${to} AND state <> 'gone') AS was USING (kind, name)
     WHERE CASE WHEN now.state IS NULL THEN false
                WHEN was.state IS NULL THEN now.state <> 'gone' OR NOT ${hasAppeared("now")}
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
});

function changeView(row: StoredRow): ObjectChange {
  return {
    ...COMPARED.read(row),
    times: Number(row.times),
    isReplaced: row.is_replaced === true,
    now: { ...NOW.read(row), reason: readReason(row.reason) },
    was: whatItWas(row),
  };
}

function whatItWas(row: StoredRow): ObjectChange["was"] {
  if (row.was_state === null) return row.has_appeared === true ? "absent" : "unknown";
  const { wasAt, wasState, wasDrift, wasAddress } = WAS.read(row);
  const then: StateThen = {
    ...{ at: wasAt, state: wasState, drift: wasDrift, address: wasAddress },
    reason: readReason(row.was_reason),
  };
  return then;
}

/**
 * Reads a page of them, and counts by kind and difference those that match the filter's text. Both queries compare separately, at the same
 * time: sharing the comparison would materialise it with everything that a page shows, which takes longer than comparing twice.
 */
export async function readChanges(
  pool: pg.Pool,
  times: TwoTimes,
  input: ListInput<ChangesFilter, ChangesSort>,
): Promise<Page<ObjectChange> & Pick<ChangesPage, "counts">> {
  const [page, counts] = await Promise.all([
    readPage(changedObjects(times), input, async ({ text, values }) => {
      return (await pool.query<StoredRow>(text, values)).rows;
    }),
    countChanges(pool, times, input),
  ]);
  return { ...page, counts, total: totalOf(chosenOf(counts, input.filter)) };
}

async function countChanges(
  pool: pg.Pool,
  times: TwoTimes,
  { cluster, filter: { text = "" } }: ListInput<ChangesFilter, ChangesSort>,
): Promise<ChangesPage["counts"]> {
  const values: unknown[] = [cluster];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { rows } = await pool.query<{ counts: unknown }>(
    `SELECT COALESCE(jsonb_agg(jsonb_build_array(kind, direction, count) ORDER BY ${rankOf("kind")}, kind, direction), '[]') AS counts
       FROM (SELECT kind, direction, count(*) FROM ${compared(times)}
              WHERE ${contains(SEARCH_TEXT)(text, bind) ?? "true"}
              GROUP BY kind, direction) AS each`,
    values,
  );
  return countsOf(rows[0]?.counts);
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
