import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CLUSTER, fillFleet } from "../bench/fleet-rows.ts";
import { startLedgerDatabase } from "../bench/ledger-database.ts";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { addLeader, addRoutes } from "../harness/route-rows.ts";
import {
  type Address,
  manyRoutesAddresses,
  noRoutesAddresses,
  routeAddresses,
} from "./addresses.ts";

export interface LedgerScene {
  readonly dashboard: Dashboard;
  readonly addresses: readonly Address[];
}

const LARGE = 5_000;
const PATH = `/c/${CLUSTER}`;

/**
 * The dashboard on ledgers that were written for the pictures: routes and volumes with every trouble, those of many nodes, and
 * a cluster without either. Each is there while `shoot` runs.
 */
export async function withRouteLedgers(
  dir: string,
  shoot: (scene: LedgerScene) => Promise<void>,
): Promise<void> {
  await withLedger(join(dir, "routes"), 60, (dashboard) =>
    shoot({ dashboard, addresses: routeAddresses(PATH) }),
  );
  await withLedger(join(dir, "many-routes"), LARGE, (dashboard) =>
    shoot({ dashboard, addresses: manyRoutesAddresses(PATH) }),
  );
  await withLedger(join(dir, "no-routes"), 0, (dashboard) =>
    shoot({ dashboard, addresses: noRoutesAddresses(PATH) }),
  );
}

async function withLedger(
  dir: string,
  nodes: number,
  use: (dashboard: Dashboard) => Promise<void>,
): Promise<void> {
  mkdirSync(dir, { recursive: true });
  const database = await startLedgerDatabase();
  try {
    await fillFleet(database.url, nodes);
    if (nodes > 0) await addRoutes(database.url, { cluster: CLUSTER, nodes });
    else
      await addLeader(database.url, { cluster: CLUSTER, controllers: ["cloud-node-controller"] });
    const dashboard = await startDashboard(database.url, dir);
    await use(dashboard).finally(() => dashboard.stop());
  } finally {
    await database.stop();
  }
}
