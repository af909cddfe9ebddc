import type { Database } from "../src/database/database.ts";
import {
  listLoadBalancers,
  listOrphans,
  loadBalancerDetail,
} from "../src/queries/objects/load-balancers.ts";
import { nodeDetail, nodeLoadBalancers } from "../src/queries/objects/node-detail.ts";
import { listNodes } from "../src/queries/objects/object-view.ts";
import { clusterById } from "../src/queries/overview/clusters.ts";
import { overview } from "../src/queries/overview/overview.ts";
import { listRuns, runDetail } from "../src/queries/runs/runs.ts";
import type { LoadBalancerSort, LoadBalancersFilter } from "../src/views/load-balancers.ts";
import type { RunsFilter } from "../src/views/views.ts";
import { CLUSTER } from "../testing/records.ts";

export interface QueryRow {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
}

const PAGE = 200;

/** Runs the queries of each screen as the dashboard's server does, one after the other, on a connection pool like its own. */
export async function measureQueries(
  db: Database,
  given: { readonly nodes: number; readonly services: number; readonly rounds: number },
): Promise<readonly QueryRow[]> {
  const rows: QueryRow[] = [];
  for (const [name, ask] of Object.entries(screens(db, given))) {
    await ask(0);
    const times: number[] = [];
    for (let round = 1; round <= given.rounds; round += 1) {
      const start = performance.now();
      await ask(round);
      times.push(performance.now() - start);
    }
    rows.push({ name, p50: quantile(times, 0.5), p95: quantile(times, 0.95) });
  }
  return rows;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

type Ask = (round: number) => Promise<unknown>;

function screens(
  db: Database,
  { nodes, services }: { readonly nodes: number; readonly services: number },
): Readonly<Record<string, Ask>> {
  const nodeOf = (round: number) => `w-${(round * 7_919) % nodes}`;
  const runs =
    (filter: (round: number) => RunsFilter): Ask =>
    (round) =>
      listRuns(db, {
        cluster: CLUSTER,
        filter: filter(round),
        sort: { by: "started", descending: true },
        limit: PAGE,
      });
  return {
    "the Overview": () => overview(db, { cluster: CLUSTER, now: Date.now() }),
    Nodes: () =>
      listNodes(db, {
        cluster: CLUSTER,
        filter: {},
        sort: { by: "state", descending: false },
        limit: PAGE,
      }),
    "Nodes, by text": (round) =>
      listNodes(db, {
        cluster: CLUSTER,
        filter: { text: nodeOf(round) },
        sort: { by: "name", descending: false },
        limit: PAGE,
      }),
    ...loadBalancerScreens(db, services),
    "a node's load balancers": (round) =>
      nodeLoadBalancers(db, { cluster: CLUSTER, name: nodeOf(round) }),
    "the cluster's status": () => clusterById(db, CLUSTER),
    Runs: runs(() => ({})),
    "Runs, by object": runs((round) => ({ key: nodeOf(round) })),
    "Runs, by pattern": runs((round) => ({ key: `w-${round % 10}*` })),
    "Runs, by outcome": runs(() => ({ outcomes: ["failed"] })),
    "Runs, by outcomes": runs(() => ({ outcomes: ["failed", "timedOut", "blocked"] })),
    "Runs, by an outcome that never was": runs(() => ({ outcomes: ["interrupted"] })),
    "Runs, by reason": runs(() => ({ reason: "ProviderThrottled" })),
    "Runs, by trigger": runs(() => ({ triggers: ["retry"] })),
    "Runs, by calls": runs(() => ({ minCalls: 4 })),
    "Runs, by more calls than there were": runs(() => ({ minCalls: 50 })),
    "Runs, not unchanged": runs(() => ({ not: { outcomes: ["unchanged"] } })),
    "Runs, of an hour three days ago": runs(() => ({
      from: Date.now() - 3 * 86_400_000,
      to: Date.now() - 3 * 86_400_000 + 3_600_000,
    })),
    "Runs, failed of one controller": runs(() => ({
      controller: "cloud-node-controller",
      outcomes: ["failed"],
    })),
    "a node's page": async (round) => {
      const name = nodeOf(round);
      await Promise.all([
        nodeDetail(db, { cluster: CLUSTER, name }),
        listRuns(db, {
          cluster: CLUSTER,
          filter: { key: name },
          sort: { by: "started", descending: true },
          limit: PAGE,
        }),
      ]);
    },
    "a run's page": async (round) => {
      const { rows } = await db.pool.query<{ id: string }>(
        "SELECT id FROM runs WHERE cluster_id = $1 AND object_name = $2 ORDER BY started_at LIMIT 1",
        [CLUSTER, nodeOf(round)],
      );
      await runDetail(db, { cluster: CLUSTER, id: rows[0]?.id ?? "" });
    },
  };
}

function loadBalancerScreens(db: Database, services: number): Readonly<Record<string, Ask>> {
  const list =
    (by: LoadBalancerSort, filter: (round: number) => LoadBalancersFilter): Ask =>
    (round) =>
      listLoadBalancers(db, {
        cluster: CLUSTER,
        filter: filter(round),
        sort: { by, descending: false },
        limit: PAGE,
      });
  const indexOf = (round: number) => (round * 7_919) % services;
  return {
    "Load balancers": list("state", () => ({})),
    "Load balancers, by members": list("members", () => ({})),
    "Load balancers, by text": list("name", (round) => ({ text: `web-${indexOf(round)}` })),
    Orphans: () =>
      listOrphans(db, {
        cluster: CLUSTER,
        filter: {},
        sort: { by: "since", descending: false },
        limit: PAGE,
      }),
    "a load balancer's page": (round) =>
      loadBalancerDetail(db, {
        cluster: CLUSTER,
        namespace: `shop-${indexOf(round) % 20}`,
        name: `web-${indexOf(round)}`,
      }),
  };
}
