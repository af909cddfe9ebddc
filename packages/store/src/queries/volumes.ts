import { driftSchema, STATES } from "@cloudwright/core/model/state";
import { volumeDetailSchema } from "@cloudwright/core/model/volume-record";
import type pg from "pg";
import type { Database } from "../database.ts";
import { OperationError } from "../errors.ts";
import type { ListInput } from "../views.ts";
import type {
  VolumeCounts,
  VolumeRow,
  VolumeSort,
  VolumesFilter,
  VolumesPage,
  VolumeView,
} from "../volume-views.ts";
import { openIntentsOf } from "./intents.ts";
import {
  type KeyColumn,
  type KeysetQuery,
  keysetPage,
  type SqlConditions,
  sqlConditions,
} from "./keyset.ts";
import { stateCounts } from "./nodes.ts";
import {
  BY_NAME,
  BY_SINCE,
  BY_STATE,
  objectSummary,
  type StoredSummary,
  SUMMARY_COLUMNS,
} from "./object-summary.ts";
import { readJson, readTime } from "./stored-json.ts";

/**
 * PersistentVolumes that the volume controller has looked at. Gone ones are listed only when the filter names the state.
 * Throws OperationError Invalid for a bad limit or cursor.
 */
export async function listVolumes(
  db: Database,
  input: ListInput<VolumesFilter, VolumeSort>,
): Promise<VolumesPage> {
  const [page, counts] = await Promise.all([
    keysetPage(volumesQuery(db.pool, input)),
    countVolumes(db.pool, input.cluster),
  ]);
  return { ...page, counts };
}

/** One volume, also when it is gone. Throws OperationError NotFound for one that was never reported. */
export async function volumeDetail(
  db: Database,
  { cluster, name }: { readonly cluster: string; readonly name: string },
): Promise<VolumeView> {
  const [stored, openIntents] = await Promise.all([
    db.pool.query<StoredVolume & { readonly gone_at: Date | null }>(
      `SELECT ${VOLUME_COLUMNS}, gone_at FROM object_states
        WHERE cluster_id = $1 AND kind = 'PersistentVolume' AND name = $2`,
      [cluster, name],
    ),
    openIntentsOf(db, { cluster, kind: "PersistentVolume", name }),
  ]);
  const [row] = stored.rows;
  if (row === undefined) {
    throw new OperationError("NotFound", `No controller has reported a volume ${name} here.`);
  }
  return { row: volumeRow(row), goneAt: readTime(row.gone_at), openIntents };
}

export async function countVolumes(pool: pg.Pool, cluster: string): Promise<VolumeCounts> {
  const { rows } = await pool.query<{ state: string; count: number; drifted: number }>(
    `SELECT state, count(*)::int AS count, (count(*) FILTER (WHERE drift = 'drifted'))::int AS drifted
       FROM object_states WHERE cluster_id = $1 AND kind = 'PersistentVolume' GROUP BY state`,
    [cluster],
  );
  return {
    states: stateCounts(rows.map(({ state, count }) => [state, count])),
    drifted: rows.reduce((sum, { state, drifted }) => sum + (state === "gone" ? 0 : drifted), 0),
  };
}

const VOLUME_COLUMNS = `${SUMMARY_COLUMNS}, drift, zone, detail`;

interface StoredVolume extends StoredSummary {
  readonly drift: string;
  readonly zone: string;
  readonly detail: unknown;
}

function volumeRow(row: StoredVolume): VolumeRow {
  return {
    ...objectSummary(row, "volume-label-controller"),
    drift: readJson(driftSchema, row.drift, "notChecked"),
    detail: readJson(volumeDetailSchema, row.detail, undefined),
  };
}

function volumesQuery(
  pool: pg.Pool,
  input: ListInput<VolumesFilter, VolumeSort>,
): KeysetQuery<StoredVolume, VolumeRow> {
  const where = sqlConditions();
  where.texts.push(`cluster_id = ${where.bind(input.cluster)}`, "kind = 'PersistentVolume'");
  addFilter(where, input.filter);
  return {
    pool,
    table: "object_states",
    columns: VOLUME_COLUMNS,
    where,
    order: ORDERS[input.sort.by],
    descending: input.sort.descending,
    binding: { list: "volumes", cluster: input.cluster, filter: input.filter, sort: input.sort },
    cursor: input.cursor,
    limit: input.limit,
    view: volumeRow,
  };
}

const ORDERS: Record<VolumeSort, readonly KeyColumn<StoredVolume>[]> = {
  state: BY_STATE,
  name: BY_NAME,
  since: [BY_SINCE, ...BY_NAME],
  zone: [{ expression: "zone", type: "text", value: (row) => row.zone }, ...BY_NAME],
};

function addFilter(where: SqlConditions, filter: VolumesFilter): void {
  const states = filter.states ?? STATES.filter((state) => state !== "gone");
  const ranks = states.map((state) => STATES.indexOf(state));
  where.texts.push(`state_rank = ANY(${where.bind(ranks)}::smallint[])`);
  if (filter.text !== undefined && filter.text !== "") {
    where.texts.push(`strpos(search_text, ${where.bind(filter.text.toLowerCase())}) > 0`);
  }
  if (filter.reason !== undefined) where.texts.push(`reason_code = ${where.bind(filter.reason)}`);
  if (filter.drift !== undefined) where.texts.push(`drift = ${where.bind(filter.drift)}`);
}
