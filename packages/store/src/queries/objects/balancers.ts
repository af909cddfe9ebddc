import type { RowOf } from "@cloudwright/core/model/kinds/define-kind";
import { orphanKind, serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { balancerDetailSchema } from "@cloudwright/core/model/records/balancer-record";
import type pg from "pg";
import type { Database } from "../../database/database.ts";
import { intentsAbout, openIntentsOf, openIntentsOfKind } from "../../intents/intents.ts";
import { objectByName } from "../../sql/object-rows.ts";
import { countObjects, listObjects } from "../../sql/objects.ts";
import { readJson } from "../../sql/stored-json.ts";
import type {
  BalancerCounts,
  BalancerRow,
  BalancerSort,
  BalancersFilter,
  BalancersPage,
  BalancerView,
  OrphanRow,
  OrphanSort,
  OrphansFilter,
  OrphansPage,
} from "../../views/balancers.ts";
import type { ListInput } from "../../views/views.ts";

/** Services with their load balancers, as `listObjects`. */
export async function listBalancers(
  db: Database,
  input: ListInput<BalancersFilter, BalancerSort>,
): Promise<BalancersPage> {
  const [page, orphans] = await Promise.all([
    listObjects(db, serviceKind, input),
    countOrphans(db.pool, input.cluster),
  ]);
  return { ...page, rows: page.rows.map(balancerRow), counts: { ...page.counts, ...orphans } };
}

export async function countBalancers(pool: pg.Pool, cluster: string): Promise<BalancerCounts> {
  const [services, orphans] = await Promise.all([
    countObjects(pool, serviceKind, cluster),
    countOrphans(pool, cluster),
  ]);
  return { ...services, ...orphans };
}

async function countOrphans(
  pool: pg.Pool,
  cluster: string,
): Promise<Pick<BalancerCounts, "orphans" | "orphansStuck">> {
  const { states } = await countObjects(pool, orphanKind, cluster);
  const { gone: _gone, ...present } = states;
  const orphans = Object.values(present).reduce((sum, count) => sum + count, 0);
  return { orphans, orphansStuck: states.stuck };
}

export interface BalancerDetailInput {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** One Service and its load balancer, also when it is gone. Throws OperationError NotFound for one that was never reported. */
export async function balancerDetail(
  db: Database,
  { cluster, namespace, name }: BalancerDetailInput,
): Promise<BalancerView> {
  const key = `${namespace}/${name}`;
  const [{ row, createdAt, goneAt, detail }, openIntents] = await Promise.all([
    objectByName(db, serviceKind, {
      ...{ cluster, name: key },
      what: `a load balancer for a Service ${key}`,
    }),
    openIntentsOf(db, { cluster, kind: "Service", namespace, name }),
  ]);
  return {
    row: balancerRow(row),
    ...{ createdAt, goneAt, openIntents },
    detail: readJson(balancerDetailSchema, detail, undefined),
  };
}

function balancerRow(row: RowOf<typeof serviceKind>): BalancerRow {
  const slash = row.name.indexOf("/");
  return {
    ...row,
    namespace: row.name.slice(0, Math.max(0, slash)),
    service: row.name.slice(slash + 1),
  };
}

/** Load balancers in the cloud that are this cluster's and have no Service. Throws OperationError Invalid for a bad limit or cursor. */
export async function listOrphans(
  db: Database,
  input: ListInput<OrphansFilter, OrphanSort>,
): Promise<OrphansPage> {
  const [page, counts, intents] = await Promise.all([
    listObjects(db, orphanKind, input),
    countBalancers(db.pool, input.cluster),
    openIntentsOfKind(db, { cluster: input.cluster, kind: "LoadBalancer" }),
  ]);
  const rows = page.rows.map((row) => ({
    ...row,
    detail: orphanDetail(row),
    openIntents: intentsAbout(intents, row.name),
  }));
  return { ...page, rows, counts };
}

/** Of a row that a newer version wrote as much as its columns tell. */
function orphanDetail(row: RowOf<typeof orphanKind>): OrphanRow["detail"] {
  const known = row.detail;
  if (known !== undefined) return known;
  const { name, addresses, since } = row;
  const id = row.providerID ?? name;
  return {
    kind: "orphan",
    actual: { ...{ id, name, addresses }, type: "", state: "", parts: [] },
    serviceUid: "",
    firstSeenAt: since,
  };
}
