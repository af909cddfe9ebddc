import { driftSchema, STATES } from "@cloudwright/core/model/state";
import type pg from "pg";
import { z } from "zod";
import type {
  BalancerCounts,
  BalancerRow,
  BalancerSort,
  BalancersFilter,
  BalancersPage,
} from "../balancer-views.ts";
import type { Database } from "../database.ts";
import type { ListInput } from "../views.ts";
import {
  type KeyColumn,
  type KeysetQuery,
  keysetPage,
  type SqlConditions,
  sqlConditions,
} from "./keyset.ts";
import { countStates } from "./nodes.ts";
import {
  BY_NAME,
  BY_SINCE,
  BY_STATE,
  objectSummary,
  type StoredSummary,
  SUMMARY_COLUMNS,
} from "./object-summary.ts";
import { orUndefined, readJson, readTime } from "./stored-json.ts";

/**
 * Services with their balancers. Gone ones are listed only when the filter names the state. Text is looked for, in any
 * case, in namespace and name, addresses, and the balancer's id and name. Throws OperationError Invalid for a bad limit or
 * cursor.
 */
export async function listBalancers(
  db: Database,
  input: ListInput<BalancersFilter, BalancerSort>,
): Promise<BalancersPage> {
  const [page, counts] = await Promise.all([
    keysetPage(balancersQuery(db.pool, input)),
    countBalancers(db.pool, input.cluster),
  ]);
  return { ...page, counts };
}

export async function countBalancers(pool: pg.Pool, cluster: string): Promise<BalancerCounts> {
  const [states, others] = await Promise.all([
    countStates(pool, cluster, "Service"),
    pool.query<Omit<BalancerCounts, "states">>(
      `SELECT count(*) FILTER (WHERE kind = 'Service' AND drift = 'drifted')::int AS drifted,
              count(*) FILTER (WHERE kind = 'LoadBalancer')::int AS orphans,
              count(*) FILTER (WHERE kind = 'LoadBalancer' AND state = 'stuck')::int AS "orphansStuck"
         FROM object_states
        WHERE cluster_id = $1 AND kind IN ('Service', 'LoadBalancer') AND state <> 'gone'`,
      [cluster],
    ),
  ]);
  const { drifted = 0, orphans = 0, orphansStuck = 0 } = others.rows[0] ?? {};
  return { states, drifted, orphans, orphansStuck };
}

/** Exported for the test that asks the database how it would run it. */
export function balancersQuery(
  pool: pg.Pool,
  input: ListInput<BalancersFilter, BalancerSort>,
): KeysetQuery<StoredBalancer, BalancerRow> {
  const where = sqlConditions();
  where.texts.push(`cluster_id = ${where.bind(input.cluster)}`, "kind = 'Service'");
  addFilter(where, input.filter);
  return {
    pool,
    table: "object_states",
    columns: BALANCER_COLUMNS,
    where,
    order: ORDERS[input.sort.by],
    descending: input.sort.descending,
    binding: { list: "balancers", cluster: input.cluster, filter: input.filter, sort: input.sort },
    cursor: input.cursor,
    limit: input.limit,
    view: balancerRow,
  };
}

export const BALANCER_COLUMNS = `${SUMMARY_COLUMNS}, provider_id, instance_type, addresses, members_in, members_wanted, drift, changed_at`;

/** The columns of a Service's row as the driver answers them. */
export interface StoredBalancer extends StoredSummary {
  readonly provider_id: string | null;
  readonly instance_type: string;
  readonly addresses: unknown;
  readonly members_in: number | null;
  readonly members_wanted: number | null;
  readonly drift: string;
  readonly changed_at: Date | null;
}

export function balancerRow(row: StoredBalancer): BalancerRow {
  const slash = row.name.indexOf("/");
  const { members_in, members_wanted } = row;
  return {
    ...objectSummary(row, "service-lb-controller"),
    namespace: row.name.slice(0, Math.max(0, slash)),
    service: row.name.slice(slash + 1),
    balancerId: orUndefined(row.provider_id),
    type: row.instance_type === "" ? undefined : row.instance_type,
    addresses: readAddresses(row.addresses),
    members:
      members_in === null || members_wanted === null
        ? undefined
        : { in: members_in, wanted: members_wanted },
    drift: readJson(driftSchema, row.drift, "notChecked"),
    changedAt: readTime(row.changed_at),
  };
}

export function readAddresses(stored: unknown): readonly string[] {
  return readJson(z.array(z.string()), stored, []);
}

const ORDERS: Record<BalancerSort, readonly KeyColumn<StoredBalancer>[]> = {
  state: BY_STATE,
  name: BY_NAME,
  since: [BY_SINCE, ...BY_NAME],
  // The share of those that should be, so that the emptiest comes first, whatever its size.
  members: [
    {
      expression: "COALESCE(members_in::float8 / NULLIF(members_wanted, 0), -1)",
      type: "number",
      value: ({ members_in, members_wanted }) =>
        members_in === null || members_wanted === null || members_wanted === 0
          ? -1
          : members_in / members_wanted,
    },
    ...BY_NAME,
  ],
  changed: [
    {
      expression: "COALESCE(changed_at, 'epoch')",
      type: "timestamp",
      value: (row) => row.changed_at?.getTime() ?? 0,
    },
    ...BY_NAME,
  ],
};

function addFilter(where: SqlConditions, filter: BalancersFilter): void {
  const states = filter.states ?? STATES.filter((state) => state !== "gone");
  const ranks = states.map((state) => STATES.indexOf(state));
  where.texts.push(`state_rank = ANY(${where.bind(ranks)}::smallint[])`);
  if (filter.text !== undefined && filter.text !== "") {
    where.texts.push(`strpos(search_text, ${where.bind(filter.text.toLowerCase())}) > 0`);
  }
  if (filter.reason !== undefined) where.texts.push(`reason_code = ${where.bind(filter.reason)}`);
  if (filter.drift !== undefined) where.texts.push(`drift = ${where.bind(filter.drift)}`);
}
