import { staleRouteDetailSchema } from "@cloudwright/core/model/route-record";
import type pg from "pg";
import type { Database } from "../database.ts";
import type { StaleFilter, StalePage, StaleRouteRow, StaleSort } from "../route-views.ts";
import type { ListInput } from "../views.ts";
import { intentsAbout, openIntentsOfKind } from "./intents.ts";
import { type KeysetQuery, keysetPage, sqlConditions } from "./keyset.ts";
import {
  BY_NAME,
  BY_SINCE,
  objectSummary,
  type StoredSummary,
  SUMMARY_COLUMNS,
} from "./object-summary.ts";
import { readJson } from "./stored-json.ts";

/** Routes of ours that no Node asks for. Throws OperationError Invalid for a bad limit or cursor. */
export async function listStaleRoutes(
  db: Database,
  input: ListInput<StaleFilter, StaleSort>,
): Promise<StalePage> {
  const [page, intents] = await Promise.all([
    keysetPage(staleQuery(db.pool, input)),
    openIntentsOfKind(db, { cluster: input.cluster, kind: "Route" }),
  ]);
  return {
    ...page,
    rows: page.rows.map((row) => ({ ...row, openIntents: intentsAbout(intents, row.name) })),
  };
}

type StoredStale = StoredSummary & { readonly detail: unknown };

function staleQuery(
  pool: pg.Pool,
  input: ListInput<StaleFilter, StaleSort>,
): KeysetQuery<StoredStale, Omit<StaleRouteRow, "openIntents">> {
  const where = sqlConditions();
  where.texts.push(
    `cluster_id = ${where.bind(input.cluster)}`,
    "kind = 'Route'",
    "state <> 'gone'",
  );
  const { text = "" } = input.filter;
  if (text !== "") {
    where.texts.push(`strpos(search_text, ${where.bind(text.toLowerCase())}) > 0`);
  }
  return {
    pool,
    table: "object_states",
    columns: `${SUMMARY_COLUMNS}, detail`,
    where,
    order: input.sort.by === "name" ? BY_NAME : [BY_SINCE, ...BY_NAME],
    descending: input.sort.descending,
    binding: {
      list: "stale-routes",
      cluster: input.cluster,
      filter: input.filter,
      sort: input.sort,
    },
    cursor: input.cursor,
    limit: input.limit,
    view: (row) => ({
      ...objectSummary(row, "node-route-controller"),
      detail: readJson(staleRouteDetailSchema, row.detail, undefined),
    }),
  };
}
