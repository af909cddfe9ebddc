import { idleGates } from "../flags/feature-gates.ts";
import type { HttpsServer } from "../http/server.ts";
import { readCertificatesAtScrape } from "../metrics/certificate-metrics.ts";
import { readControlsAtScrape } from "../metrics/control-metrics.ts";
import { readPermissionsAtScrape } from "../metrics/permission-metrics.ts";
import { readQuotasAtScrape } from "../metrics/quota-metrics.ts";
import { readSourceAtScrape } from "../metrics/source-metrics.ts";
import { allTogether } from "../plain-error.ts";
import { VERSION } from "../version.ts";
import type { CloudAccess } from "../wiring/cloud/cloud-access.ts";
import { watchSilentMs } from "../wiring/cluster/cluster-informers.ts";
import { createControllerClients } from "../wiring/cluster/controller-clients.ts";
import { type Fences, fencesOf } from "../wiring/cluster/fences.ts";
import { type Connections, connect, orClosed } from "../wiring/connect.ts";
import { logIdle } from "../wiring/controllers/idle-notes.ts";
import {
  type Placement,
  placementHere,
  readLeaderMigration,
} from "../wiring/placement/placement.ts";
import {
  type ControllerStart,
  createProcessContext,
  type ProcessContext,
} from "../wiring/process-context.ts";
import { checkPermissions } from "./check-permissions.ts";
import { checkDatabaseUrl } from "./ledger/open-ledger.ts";
import { emptyState, type ProcessState } from "./process-state.ts";
import { hostWebhooks } from "./serving/host-webhooks.ts";
import { prepareServing, type Serving, serve } from "./serving/serve.ts";
import { stopSignal } from "./stop-signal.ts";
import { work } from "./work.ts";

/**
 * Runs one controller process from start to end (spec/00 §2). Returns its exit code: 0 after a signal, 1 after the Lease was
 * lost. Throws PlainError or KubeConfigError if it cannot start.
 */
export async function runController(start: ControllerStart): Promise<number> {
  // The timers of the loops do not keep the process alive, and there may be no listener.
  const keepAlive = setInterval(() => {}, 60_000);
  const stop = stopSignal();
  const processContext = createProcessContext(start, await readLeaderMigration(start.flags));
  const state = emptyState();
  const placement = placementHere(processContext);
  announce(processContext, placement);
  const fences = fencesOf(processContext, state, placement);
  const connecting = connect(processContext, fences);
  const close = async () => (await connecting).close();
  const [connections, serving] = await orClosed(
    allTogether([connecting, prepareServing(processContext), checkDatabaseUrl(processContext)]),
    close,
  );
  const { access, source } = connections;
  state.providerSource = source;
  if (source !== undefined) readSourceAtScrape(processContext.registry, source.status);
  processContext.log.info(
    { server: access.server, source: access.source },
    "Connected to this cluster",
  );
  const server = await orClosed(serve(processContext, state, serving), close);
  try {
    const cloud = await cloudUntil(stop, connections);
    if (cloud === undefined) return 0;
    const context = { processContext, state, placement, fences, stop };
    return await runWithCloud({ ...context, connections, cloud, serving, server });
  } finally {
    await server?.close();
    await connections.close();
    clearInterval(keepAlive);
    processContext.log.info({}, "Stopped");
  }
}

/** Returns undefined if the process has to stop before a provider in another process has answered. */
async function cloudUntil(
  stop: AbortSignal,
  connections: Connections,
): Promise<CloudAccess | undefined> {
  try {
    return await connections.cloud(stop);
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  }
}

interface RunWithCloud {
  readonly processContext: ProcessContext;
  readonly state: ProcessState;
  readonly placement: Placement;
  readonly fences: Fences;
  readonly stop: AbortSignal;
  readonly connections: Connections;
  readonly cloud: CloudAccess;
  readonly serving: Serving | undefined;
  readonly server: HttpsServer | undefined;
}

async function runWithCloud(parts: RunWithCloud): Promise<number> {
  const { processContext, state, placement, fences, connections, cloud, serving, server } = parts;
  const { access, cluster } = connections;
  state.cloudBudget = cloud.budget;
  const clients = createControllerClients({ processContext, access, cluster, fences, placement });
  readAtScrape(processContext, state, cloud);
  const webhooks = await hostWebhooks(processContext, cloud, state);
  const checked = { processContext, cloud, cluster, clients, placement, serving };
  const permissions = checkPermissions(checked);
  state.permissions = permissions;
  try {
    for (;;) {
      const exitCode = await work({ ...parts, cluster, clients, port: server?.port ?? 0 });
      if (exitCode !== undefined) return exitCode;
    }
  } finally {
    permissions.stop();
    await webhooks?.close();
    await clients.close();
  }
}

function announce({ flags, given, log, identity }: ProcessContext, placement: Placement): void {
  const { main, migrated, elsewhere, migrationLease: lease } = placement;
  log.info(
    { version: VERSION, identity, provider: flags["cloud-provider"], controllers: main },
    "Starting the Cloudwright controller",
  );
  if (lease !== undefined) {
    log.info(
      { lease, controllers: migrated },
      "These controllers start as soon as this Lease is acquired",
    );
  }
  for (const { controller, component } of elsewhere) {
    log.info(
      { controller, component },
      "Not run here: the leader migration assigns it to another manager",
    );
  }
  logIdle(log, {
    given,
    gates: idleGates(flags["feature-gates"]),
  });
}

function readAtScrape(
  { metrics, registry }: ProcessContext,
  state: ProcessState,
  cloud: CloudAccess,
): void {
  metrics.own.read({
    spoolBytes: () => state.ledger?.status().spoolBytes ?? 0,
    ledgerLagMs: () => state.ledger?.status().lagMs ?? 0,
    recordsRefused: () => state.ledger?.status().refused ?? 0,
    recordsDropped: () => state.ledger?.status().dropped ?? 0,
    watchSilentMs: () => watchSilentMs(state.informers),
    cloudAllowedPerSecond: () => cloud.budget.snapshot().allowedPerSecond,
  });
  readPermissionsAtScrape(registry, () => state.permissions?.missing() ?? []);
  readQuotasAtScrape(registry, () => cloud.quotas?.latest() ?? []);
  readCertificatesAtScrape(registry, () => state.certificates);
  readControlsAtScrape(registry, {
    status: () => state.leading?.controls(),
    controllers: () => state.leading?.controllers().map(({ name }) => name) ?? [],
  });
}
