import type { RowOf } from "@cloudwright/core/model/kinds/define-kind";
import { orphanKind, serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { t } from "@cloudwright/core/model/language/text";
import { loadBalancerDetailSchema } from "@cloudwright/core/model/records/load-balancer-record";
import type { Database } from "../../database/database.ts";
import { intentsAbout, openIntentsOf, openIntentsOfKind } from "../../intents/intents.ts";
import { objectByName } from "../../sql/objects/object-rows.ts";
import { countObjects, listObjects } from "../../sql/objects/objects.ts";
import { readJson } from "../../sql/stored-json.ts";
import type {
  LoadBalancerCounts,
  LoadBalancerRow,
  LoadBalancerSort,
  LoadBalancersFilter,
  LoadBalancersPage,
  LoadBalancerView,
  OrphanRow,
  OrphanSort,
  OrphansFilter,
  OrphansPage,
} from "../../views/load-balancers.ts";
import type { ObjectPart } from "../../views/object-view.ts";
import type { ListInput, ObjectCounts } from "../../views/views.ts";
import { type PartialInput, partReader } from "../partial/part-reader.ts";

/** Lists Services with their load balancers, as `listObjects`. */
export async function listLoadBalancers(
  db: Database,
  input: ListInput<LoadBalancersFilter, LoadBalancerSort>,
): Promise<LoadBalancersPage> {
  const [page, orphans] = await Promise.all([
    listObjects(db, serviceKind, input),
    countObjects(db.pool, orphanKind, input.cluster),
  ]);
  const counts = { ...page.counts, ...orphanCounts(orphans) };
  return { ...page, rows: page.rows.map(loadBalancerRow), counts };
}

export function orphanCounts({
  states: { gone: _gone, ...present },
}: ObjectCounts): Pick<LoadBalancerCounts, "orphans" | "orphansStuck"> {
  const orphans = Object.values(present).reduce((sum, count) => sum + count, 0);
  return { orphans, orphansStuck: present.stuck };
}

export interface LoadBalancerDetailInput extends PartialInput {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns one Service and its load balancer, even if it is gone. Throws OperationError NotFound for one that was never reported. */
export async function loadBalancerDetail(
  db: Database,
  { cluster, namespace, name, onUnread }: LoadBalancerDetailInput,
): Promise<LoadBalancerView> {
  const { part, naming } = partReader<ObjectPart>({ onUnread });
  const key = `${namespace}/${name}`;
  const [{ row, createdAt, goneAt, detail }, openIntents] = await Promise.all([
    objectByName(db, serviceKind, {
      ...{ cluster, name: key },
      notFound: () => t`No controller has reported on a load balancer for a Service ${key} here.`,
    }),
    part("openIntents", openIntentsOf(db, { cluster, kind: "Service", namespace, name }), []),
  ]);
  return naming({
    row: loadBalancerRow(row),
    ...{ createdAt, goneAt, openIntents },
    detail: readJson(loadBalancerDetailSchema, detail, undefined),
  });
}

function loadBalancerRow(row: RowOf<typeof serviceKind>): LoadBalancerRow {
  const slash = row.name.indexOf("/");
  return {
    ...row,
    namespace: row.name.slice(0, Math.max(0, slash)),
    service: row.name.slice(slash + 1),
  };
}

/** Lists this cluster's load balancers in the cloud that have no Service. Throws OperationError Invalid for a bad limit or cursor. */
export async function listOrphans(
  db: Database,
  input: ListInput<OrphansFilter, OrphanSort> & PartialInput,
): Promise<OrphansPage> {
  const { part, naming } = partReader<ObjectPart>(input);
  const { cluster } = input;
  const [page, services, intents] = await Promise.all([
    listObjects(db, orphanKind, input),
    countObjects(db.pool, serviceKind, cluster),
    part("openIntents", openIntentsOfKind(db, { cluster, kind: "LoadBalancer" }), []),
  ]);
  const rows = page.rows.map((row) => ({
    ...row,
    detail: orphanDetail(row),
    openIntents: intentsAbout(intents, row.name),
  }));
  return naming({ ...page, rows, counts: { ...services, ...orphanCounts(page.counts) } });
}

/** For a row of a newer release, returns what its columns say. */
export function orphanDetail(row: RowOf<typeof orphanKind>): OrphanRow["detail"] {
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
