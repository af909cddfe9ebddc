import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CLUSTER, fillFleet } from "../bench/fleet-rows.ts";
import { startLedgerDatabase } from "../bench/ledger-database.ts";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { rowsOf } from "../harness/database.ts";
import { addLeader, addRoutes } from "../harness/route-rows.ts";
import type { Address } from "./addresses.ts";
import type { Camera } from "./camera.ts";
import {
  bareAddresses,
  cloudlessAddresses,
  largeAddresses,
  leaderlessAddresses,
  noRoutesAddresses,
  routeAddresses,
  unansweredAddresses,
  unheardAddresses,
} from "./ledger-addresses.ts";
import { fillLists } from "./list-rows.ts";
import type { Fixture } from "./options.ts";

/** A ledger that is written for the screenshots, without a controller. */
interface Ledger {
  readonly name: string;
  readonly addresses: readonly Address[];
  readonly fill: (databaseUrl: string) => Promise<void>;
  /** Whether its controllers have stopped sending heartbeats. */
  readonly isSilent?: boolean;
}

const SMALL = 60;
const LARGE = 5_000;
const PATH = `/c/${CLUSTER}`;
const BEAT_MS = 5_000;

const LEDGERS: Readonly<Record<Exclude<Fixture, "live">, readonly Ledger[]>> = {
  routes: [{ name: "routes", addresses: routeAddresses(PATH), fill: (url) => fillRoutes(url) }],
  large: [
    {
      name: "large",
      addresses: largeAddresses(PATH),
      fill: async (url) => {
        await fillRoutes(url, LARGE);
        await fillLists(url, LARGE);
      },
    },
  ],
  bare: [
    { name: "unheard", addresses: unheardAddresses(), fill: async () => undefined },
    { name: "bare", addresses: bareAddresses(PATH), fill: (url) => fillBare(url) },
    {
      name: "no-routes",
      addresses: noRoutesAddresses(PATH),
      fill: (url) => fillBare(url, ["cloud-node-controller"]),
    },
  ],
  faults: [
    {
      name: "unanswered",
      addresses: unansweredAddresses(PATH),
      fill: async (url) => {
        await fillRoutes(url);
        await fillLists(url, SMALL);
      },
    },
    {
      name: "leaderless",
      isSilent: true,
      addresses: leaderlessAddresses(PATH),
      fill: async (url) => {
        await fillRoutes(url);
        await rowsOf(url, LEADER_GONE, [CLUSTER]);
        await rowsOf(url, LAST_HEARD, [CLUSTER]);
      },
    },
    {
      name: "cloudless",
      addresses: cloudlessAddresses(PATH),
      fill: async (url) => {
        await fillFleet(url, SMALL);
        await addLeader(url, { cluster: CLUSTER });
        await rowsOf(url, CLOUD_GONE, [CLUSTER]);
        await rowsOf(url, LAST_ERROR, [CLUSTER]);
      },
    },
  ],
};

export async function shootLedgerFixture(
  camera: Camera,
  fixture: Exclude<Fixture, "live">,
  dir: string,
): Promise<void> {
  for (const ledger of LEDGERS[fixture]) await shootLedger(camera, ledger, join(dir, ledger.name));
}

async function shootLedger(
  camera: Camera,
  { addresses, fill, isSilent = false }: Ledger,
  dir: string,
): Promise<void> {
  mkdirSync(dir, { recursive: true });
  const database = await startLedgerDatabase();
  try {
    await fill(database.url);
    if (!isSilent) await rowsOf(database.url, HEARD);
    const heartbeat = isSilent ? undefined : setInterval(() => beat(database.url), BEAT_MS);
    const dashboard = await startDashboard(database.url, dir);
    try {
      await shootAll(camera, dashboard, addresses);
    } finally {
      clearInterval(heartbeat);
      await dashboard.stop();
    }
  } finally {
    await database.stop();
  }
}

/** Writes the heartbeats of the ledger's controllers. A heartbeat that fails because the database is stopping is ignored. */
function beat(databaseUrl: string): void {
  rowsOf(databaseUrl, HEARD, []).catch(() => undefined);
}

async function shootAll(
  camera: Camera,
  dashboard: Dashboard,
  addresses: readonly Address[],
): Promise<void> {
  const [name = "", value = ""] = (await dashboard.signIn("admin")).split("=", 2);
  for (const look of camera.looks) {
    const page = await camera.open(look, { baseURL: dashboard.origin });
    await page.context().addCookies([{ name, value, url: dashboard.origin }]);
    await camera.shoot(page, addresses, look);
    await page.context().close();
  }
}

async function fillRoutes(databaseUrl: string, nodes = SMALL): Promise<void> {
  await fillFleet(databaseUrl, nodes);
  await addRoutes(databaseUrl, { cluster: CLUSTER, nodes });
}

async function fillBare(databaseUrl: string, controllers?: readonly string[]): Promise<void> {
  await fillFleet(databaseUrl, 0);
  const leader = { cluster: CLUSTER };
  await addLeader(databaseUrl, controllers === undefined ? leader : { ...leader, controllers });
}

const HEARD = `
  WITH heard AS (UPDATE controller_instances SET heard_at = now())
  UPDATE clusters SET last_heard_at = now()`;
const LEADER_GONE =
  "UPDATE controller_instances SET heard_at = now() - interval '20 minutes' WHERE cluster_id = $1";
const LAST_HEARD =
  "UPDATE clusters SET last_heard_at = now() - interval '20 minutes' WHERE id = $1";

const CLOUD_GONE = `
  WITH reported AS (
    SELECT jsonb_build_object('code', 'ProviderUnavailable', 'provider', 'sandbox', 'operation', 'GET /v1/instances',
                              'status', 503, 'requestId', '5d1f0c2a7be94d13', 'message', 'the cloud is being repaired') AS reason
  )
  UPDATE node_states
     SET state = CASE WHEN name > 'node-0030' THEN 'unknown' ELSE 'stuck' END,
         state_rank = CASE WHEN name > 'node-0030' THEN 1 ELSE 0 END, reason = reported.reason,
         reason_code = 'ProviderUnavailable', failures = 9, next_at = now() + interval '90 seconds',
         last_run_outcome = 'failed', since = now() - interval '14 minutes',
         parts = jsonb_build_object('cloud-node-controller', (parts -> 'cloud-node-controller') || jsonb_build_object(
           'state', CASE WHEN name > 'node-0030' THEN 'unknown' ELSE 'stuck' END, 'reason', reported.reason, 'failures', 9,
           'outcome', 'failed', 'nextAt', (extract(epoch FROM now()) * 1000)::bigint + 90000,
           'since', (extract(epoch FROM now()) * 1000)::bigint - 840000))
    FROM reported WHERE cluster_id = $1 AND kind = 'Node'`;

const LAST_ERROR = `
  UPDATE controller_instances
     SET controllers = (SELECT jsonb_agg(one || jsonb_build_object('queueDepth', 60, 'oldestMs', 840000, 'lastError',
                          'sandbox answered GET /v1/instances with 503: the cloud is being repaired'))
                          FROM jsonb_array_elements(controllers) AS one),
         cloud = jsonb_build_object('callsLastMinute', 240, 'throttledLastMinute', 31, 'allowedPerSecond', 4,
                                    'resumesAt', (extract(epoch FROM now()) * 1000)::bigint + 45000)
   WHERE cluster_id = $1`;
