import { loadKubeConfig } from "@cloudwright/core/kube/access/kubeconfig";
import { idleGates } from "../flags/feature-gates.ts";
import { readCertificatesAtScrape } from "../metrics/certificate-metrics.ts";
import { readControlsAtScrape } from "../metrics/control-metrics.ts";
import { readPermissionsAtScrape } from "../metrics/permission-metrics.ts";
import { allTogether, errorFields } from "../plain-error.ts";
import { VERSION } from "../version.ts";
import { checkAdoption } from "../wiring/cloud/check-adoption.ts";
import { checkRoutes } from "../wiring/cloud/check-routes.ts";
import { accessCloud, type CloudAccess } from "../wiring/cloud/cloud-access.ts";
import { loadCloud } from "../wiring/cloud/load-cloud.ts";
import { clusterUid, isIdentified, untilIdentified } from "../wiring/cluster/cluster-identity.ts";
import { type ClusterConnection, connectCluster } from "../wiring/cluster/connect-cluster.ts";
import {
  type ControllerClients,
  createControllerClients,
} from "../wiring/cluster/controller-clients.ts";
import { fencesOf } from "../wiring/cluster/fences.ts";
import { mirrorsSynced, startMirrors, watchSilentMs } from "../wiring/cluster/mirrors.ts";
import { logIdle } from "../wiring/controllers/idle-notes.ts";
import { notYetBuilt } from "../wiring/controllers/starters.ts";
import { type ControllerStart, type Foundation, layFoundation } from "../wiring/foundation.ts";
import type { Placement } from "../wiring/placement/placement.ts";
import { placementHere } from "../wiring/placement/placement-here.ts";
import { readLeaderMigration } from "../wiring/placement/read-leader-migration.ts";
import { checkPermissions } from "./check-permissions.ts";
import { startHeartbeats } from "./heartbeat/heartbeat.ts";
import { tellOfProcess } from "./heartbeat/tell-of-process.ts";
import { type Leading, type Migrated, startLeading } from "./leading/leading.ts";
import { leaseName, leasePlace, seekLeadership } from "./lease/lead.ts";
import { checkDatabaseUrl, openLedger } from "./ledger/open-ledger.ts";
import { emptyState, type ProcessState } from "./process-state.ts";
import { hostWebhooks } from "./serving/host-webhooks.ts";
import { prepareServing, serve } from "./serving/serve.ts";
import { aborted, stopSignal } from "./stop-signal.ts";
import { tellParent } from "./tell-parent.ts";

/** Whatever hangs at the end: the process is gone after so long (spec/00 §9). */
const LAST_RESORT_MS = 9_500;
/** Exit code of who has lost the Lease (spec/00 §9). */
const LEASE_LOST = 1;
/** Upstream's exit code for controllers that cannot start (spec/00 §16). */
const CANNOT_START = 255;
const FINISH_RUNS_MS = 1_000;
const DRAIN_MS = 4_000;
/** After the end began. A wave leaves thousands of Events behind, as writing to nodes goes before them. */
const EVENTS_UNTIL_MS = 8_000;

/**
 * The life of one controller process (spec/00 §2). Answers its exit code: 0 after a signal, 1 after the lease was lost.
 * Throws PlainError or KubeConfigError when it cannot start.
 */
export async function runController(start: ControllerStart): Promise<number> {
  // The timers of the loops keep no process alive, and there may be no listener.
  const keepAlive = setInterval(() => {}, 60_000);
  const stop = stopSignal();
  const foundation = layFoundation(start, await readLeaderMigration(start.flags));
  const state = emptyState();
  const placement = placementHere(foundation);
  announce(foundation, placement);
  const { flags, log, clock } = foundation;
  const [provider, access, serving] = await allTogether([
    loadCloud(flags, log),
    loadKubeConfig({ kubeconfig: flags.kubeconfig, master: flags.master, clock }),
    prepareServing(foundation),
    checkDatabaseUrl(foundation),
  ]);
  checkRoutes(flags, provider);
  checkAdoption(flags, provider);
  const fences = fencesOf(foundation, state, placement);
  const cloud = accessCloud(foundation, provider, fences);
  state.cloudBudget = cloud.budget;
  const cluster = connectCluster(foundation, access, fences);
  const clients = createControllerClients({ foundation, access, cluster, fences, placement });
  readAtScrape(foundation, state, cloud);
  foundation.log.info({ server: access.server, source: access.source }, "Talking to this cluster");
  const server = await serve(foundation, state, serving);
  const webhooks = await hostWebhooks(foundation, cloud, state);
  const permissions = checkPermissions({
    foundation,
    cloud,
    cluster,
    clients,
    placement,
    serving,
  });
  state.permissions = permissions;
  try {
    const port = server?.port;
    const parts = { foundation, state, placement, cloud, cluster, clients, stop, port };
    for (;;) {
      const exitCode = await work(parts);
      if (exitCode !== undefined) return exitCode;
    }
  } finally {
    permissions.stop();
    await Promise.all([server?.close(), webhooks?.close()]);
    await Promise.all([clients.close(), cluster.close(), provider.close?.()]);
    clearInterval(keepAlive);
    foundation.log.info({}, "Stopped");
  }
}

interface Work {
  readonly foundation: Foundation;
  readonly state: ProcessState;
  readonly placement: Placement;
  readonly cloud: CloudAccess;
  readonly cluster: ClusterConnection;
  readonly clients: ControllerClients;
  readonly stop: AbortSignal;
  /** Of our HTTPS server, if there is one. */
  readonly port: number | undefined;
}

/** Answers the exit code; undefined when it shall begin anew, as the cluster's identity has become known. */
async function work(parts: Work): Promise<number | undefined> {
  const { foundation, state, placement, cloud, cluster, clients, stop } = parts;
  const broken = createBroken(foundation);
  const uid = await clusterUid(foundation, cluster, stop);
  if (uid === undefined) return 0;
  state.clusterUid = uid;
  const ledger = await openLedger(foundation, uid);
  state.ledger = ledger;
  const mirroring = new AbortController();
  const mirrors = startMirrors({ foundation, cluster, cloud }, mirroring.signal);
  state.mirrors = mirrors;
  const heartbeats = startHeartbeats({ foundation, state, cloud, clusterUid: uid });
  const written = tellOfProcess({ foundation, cloud, clusterUid: uid, recorder: ledger.recorder });
  const migrating = announcement();
  const migrated = migratedFrom(parts, migrating.made);
  const leadership = seekLeadership({
    foundation,
    cluster,
    state,
    migrationLease: placement.migrationLease,
    onMigrating: migrating.make,
    onLeading: (term) => {
      const { intents, audit } = ledger;
      const { recorder } = written;
      state.leading = startLeading({
        parts: { foundation, client: cluster.client, ...mirrors, cloud, clusterUid: uid, recorder },
        selected: placement.main,
        ...(migrated === undefined ? {} : { migrated }),
        clientOf: clients.of,
        term,
        intents,
        audit,
        onFailed: broken.tell,
      });
      written.leads();
      heartbeats.beat();
    },
  });
  mirrorsSynced(mirrors).then(() => tellReady(parts), ignoreUnsynced);
  // At once, as whoever may start another process for it need not wait for the end of this one to know why.
  void leadership.lost.then(() => tellParent({ type: "leaseLost" }));
  const ending = await Promise.race([
    aborted(stop).then(() => ({ exitCode: 0, why: String(stop.reason) })),
    leadership.lost.then((what) => ({ exitCode: LEASE_LOST, why: `${what} was lost` })),
    broken.promise.then(() => ({ exitCode: CANNOT_START, why: "the controllers cannot start" })),
    ...(isIdentified(uid) ? [] : [identified(parts, mirroring.signal)]),
  ]);
  const cancelLastResort = armLastResort(foundation, ending.exitCode ?? 1);
  foundation.log.info({ why: ending.why }, "Stopping");
  const events = owedEvents(foundation, state.leading);
  const isReleased = ending.exitCode !== LEASE_LOST;
  await state.leading?.stop(FINISH_RUNS_MS);
  state.leading = undefined;
  written.leadsNoMore();
  await leadership.stop();
  mirroring.abort();
  heartbeats.stop();
  // Who has lost the Lease writes nothing any more, Events included.
  await Promise.all([ledger.stop(DRAIN_MS), isReleased ? events.send() : undefined]);
  cancelLastResort();
  return ending.exitCode;
}

/** The Events of a leader that ends, which may take until so long after its end began. */
function owedEvents({ clock, log }: Foundation, leading: Leading | undefined) {
  const endBy = clock.monotonic() + EVENTS_UNTIL_MS;
  return {
    send: async () => {
      const left = (await leading?.sendEvents(Math.max(0, endBy - clock.monotonic()))) ?? 0;
      if (left === 0) return;
      log.warn(
        { events: left },
        "The API server did not accept the last Events in time, and they are lost; the history of runs has what they say",
      );
    },
  };
}

/** Ends work that was begun without the cluster's identity. */
async function identified({ foundation, cluster }: Work, ended: AbortSignal) {
  await untilIdentified(foundation, cluster, ended);
  return { exitCode: undefined, why: "the cluster's identity is known now" };
}

/** Something that is announced once. */
function announcement() {
  let make: () => void = () => {};
  const made = new Promise<void>((resolve) => {
    make = resolve;
  });
  return { made, make: () => make() };
}

/** Told by a leader that it cannot work. */
function createBroken({ log }: Foundation) {
  const { made, make } = announcement();
  return {
    promise: made,
    tell: (error: unknown) => {
      log.error(errorFields(error), "The controllers cannot start");
      make();
    },
  };
}

function migratedFrom({ foundation, placement }: Work, held: Promise<void>): Migrated | undefined {
  const { migrated: controllers, migrationLease } = placement;
  if (migrationLease === undefined) return undefined;
  const lease = leasePlace(foundation, migrationLease);
  return { controllers, lease, mainLease: leasePlace(foundation, leaseName(foundation)), held };
}

function announce({ flags, given, log, identity }: Foundation, placement: Placement): void {
  const { main, migrated, elsewhere, migrationLease: lease } = placement;
  log.info(
    { version: VERSION, identity, provider: flags["cloud-provider"], controllers: main },
    "Cloudwright controller starts",
  );
  if (lease !== undefined) {
    log.info({ lease, controllers: migrated }, "These controllers start once this Lease is held");
  }
  for (const { controller, component } of elsewhere) {
    log.info({ controller, component }, "Not run here: the leader migration gives it to another");
  }
  logIdle(log, {
    given,
    gates: idleGates(flags["feature-gates"]),
    missing: notYetBuilt([...main, ...migrated]),
  });
}

function readAtScrape(
  { metrics, registry }: Foundation,
  state: ProcessState,
  cloud: CloudAccess,
): void {
  metrics.own.read({
    spoolBytes: () => state.ledger?.status().spoolBytes ?? 0,
    ledgerLagMs: () => state.ledger?.status().lagMs ?? 0,
    recordsRefused: () => state.ledger?.status().refused ?? 0,
    recordsDropped: () => state.ledger?.status().dropped ?? 0,
    watchSilentMs: () => watchSilentMs(state.mirrors ?? {}),
    cloudAllowedPerSecond: () => cloud.budget.snapshot().allowedPerSecond,
  });
  readPermissionsAtScrape(registry, () => state.permissions?.missing() ?? []);
  readCertificatesAtScrape(registry, () => state.certificates);
  readControlsAtScrape(registry, {
    status: () => state.leading?.controls(),
    controllers: () => state.leading?.controllers().map(({ name }) => name) ?? [],
  });
}

function tellReady({ foundation, port }: Work): void {
  tellParent({ type: "ready", identity: foundation.identity, securePort: port ?? 0 });
}

/** The mirror was stopped before it was filled: the process ends anyway. */
function ignoreUnsynced(): void {}

function armLastResort({ log }: Foundation, exitCode: number): () => void {
  const timer = setTimeout(() => {
    log.error({}, "The orderly end took too long; ending now");
    process.exit(exitCode);
  }, LAST_RESORT_MS);
  return () => clearTimeout(timer);
}
