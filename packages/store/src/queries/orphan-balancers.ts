import { type OrphanDetail, orphanDetailSchema } from "@cloudwright/core/model/balancer-record";
import type pg from "pg";
import type { OrphanRow, OrphanSort, OrphansFilter, OrphansPage } from "../balancer-views.ts";
import type { Database } from "../database.ts";
import type { ListInput } from "../views.ts";
import { countBalancers, readAddresses } from "./balancers.ts";
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

/** Balancers in the cloud with our mark and without a Service. Throws OperationError Invalid for a bad limit or cursor. */
export async function listOrphans(
  db: Database,
  input: ListInput<OrphansFilter, OrphanSort>,
): Promise<OrphansPage> {
  const [page, counts, intents] = await Promise.all([
    keysetPage(orphansQuery(db.pool, input)),
    countBalancers(db.pool, input.cluster),
    openIntentsOfKind(db, { cluster: input.cluster, kind: "LoadBalancer" }),
  ]);
  return {
    ...page,
    rows: page.rows.map((row) => ({ ...row, openIntents: intentsAbout(intents, row.name) })),
    counts,
  };
}

type StoredOrphan = StoredSummary & {
  readonly provider_id: string | null;
  readonly addresses: unknown;
  readonly detail: unknown;
};

function orphansQuery(
  pool: pg.Pool,
  input: ListInput<OrphansFilter, OrphanSort>,
): KeysetQuery<StoredOrphan, Omit<OrphanRow, "openIntents">> {
  const where = sqlConditions();
  where.texts.push(
    `cluster_id = ${where.bind(input.cluster)}`,
    "kind = 'LoadBalancer'",
    "state <> 'gone'",
  );
  const { text = "" } = input.filter;
  if (text !== "") {
    where.texts.push(`strpos(search_text, ${where.bind(text.toLowerCase())}) > 0`);
  }
  return {
    pool,
    table: "object_states",
    columns: `${SUMMARY_COLUMNS}, provider_id, addresses, detail`,
    where,
    order: input.sort.by === "name" ? BY_NAME : [BY_SINCE, ...BY_NAME],
    descending: input.sort.descending,
    binding: { list: "orphans", cluster: input.cluster, filter: input.filter, sort: input.sort },
    cursor: input.cursor,
    limit: input.limit,
    view: (row) => ({ ...objectSummary(row, "service-lb-controller"), detail: orphanDetail(row) }),
  };
}

/** Of a row that a newer version wrote as much as its columns tell. */
function orphanDetail(row: StoredOrphan): OrphanDetail {
  const known = readJson(orphanDetailSchema, row.detail, undefined);
  if (known !== undefined) return known;
  const id = row.provider_id ?? row.name;
  const addresses = readAddresses(row.addresses);
  return {
    kind: "orphan",
    actual: { id, name: row.name, type: "", addresses, state: "", parts: [] },
    serviceUid: "",
    firstSeenAt: row.since.getTime(),
  };
}
