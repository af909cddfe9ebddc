import { idleGates } from "../flags/feature-gates.ts";
import { readCertificatesAtScrape } from "../metrics/certificate-metrics.ts";
import { readControlsAtScrape } from "../metrics/control-metrics.ts";
import { readPermissionsAtScrape } from "../metrics/permission-metrics.ts";
import { allTogether } from "../plain-error.ts";
import { VERSION } from "../version.ts";
import type { CloudAccess } from "../wiring/cloud/cloud-access.ts";
import { watchSilentMs } from "../wiring/cluster/cluster-informers.ts";
import { createControllerClients } from "../wiring/cluster/controller-clients.ts";
import { fencesOf } from "../wiring/cluster/fences.ts";
import { connect } from "../wiring/connect.ts";
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
import { prepareServing, serve } from "./serving/serve.ts";
import { stopSignal } from "./stop-signal.ts";
import { work } from "./work.ts";

/**
 * The life of one controller process (spec/00 §2). Answers its exit code: 0 after a signal, 1 after the lease was lost.
 * Throws PlainError or KubeConfigError when it cannot start.
 */
export async function runController(start: ControllerStart): Promise<number> {
  // The timers of the loops keep no process alive, and there may be no listener.
  const keepAlive = setInterval(() => {}, 60_000);
  const stop = stopSignal();
  const processContext = createProcessContext(start, await readLeaderMigration(start.flags));
  const state = emptyState();
  const placement = placementHere(processContext);
  announce(processContext, placement);
  const fences = fencesOf(processContext, state, placement);
  const [connections, serving] = await allTogether([
    connect(processContext, fences),
    prepareServing(processContext),
    checkDatabaseUrl(processContext),
  ]);
  const { access, cluster, cloud } = connections;
  state.cloudBudget = cloud.budget;
  const clients = createControllerClients({ processContext, access, cluster, fences, placement });
  readAtScrape(processContext, state, cloud);
  processContext.log.info(
    { server: access.server, source: access.source },
    "Connected to this cluster",
  );
  const server = await serve(processContext, state, serving);
  const webhooks = await hostWebhooks(processContext, cloud, state);
  const checked = { processContext, cloud, cluster, clients, placement, serving };
  const permissions = checkPermissions(checked);
  state.permissions = permissions;
  try {
    const port = server?.port ?? 0;
    const parts = { processContext, state, placement, cloud, cluster, clients, stop, port };
    for (;;) {
      const exitCode = await work(parts);
      if (exitCode !== undefined) return exitCode;
    }
  } finally {
    permissions.stop();
    await Promise.all([server?.close(), webhooks?.close()]);
    await Promise.all([clients.close(), connections.close()]);
    clearInterval(keepAlive);
    processContext.log.info({}, "Stopped");
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
  readCertificatesAtScrape(registry, () => state.certificates);
  readControlsAtScrape(registry, {
    status: () => state.leading?.controls(),
    controllers: () => state.leading?.controllers().map(({ name }) => name) ?? [],
  });
}
