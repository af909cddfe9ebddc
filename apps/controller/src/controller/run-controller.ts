import { loadKubeConfig } from "@cloudwright/core/kube/kubeconfig";
import { selectedControllers } from "../flags/controller-selection.ts";
import { readControlsAtScrape } from "../metrics/control-metrics.ts";
import { readPermissionsAtScrape } from "../metrics/permission-metrics.ts";
import { allTogether, errorFields } from "../plain-error.ts";
import { VERSION } from "../version.ts";
import { checkPermissions } from "./check-permissions.ts";
import { accessCloud, type CloudAccess } from "./cloud-access.ts";
import { type ClusterConnection, clusterUid, connectCluster } from "./connect-cluster.ts";
import { type ControllerStart, type Foundation, layFoundation } from "./foundation.ts";
import { startHeartbeats } from "./heartbeat.ts";
import { logIdle } from "./idle-notes.ts";
import { seekLeadership } from "./lead.ts";
import { notYetBuilt, startLeading } from "./leading.ts";
import { openLedger } from "./ledger.ts";
import { loadCloud } from "./load-cloud.ts";
import { mirrorsSynced, startMirrors, watchSilentMs } from "./mirrors.ts";
import { emptyState, type ProcessState } from "./process-state.ts";
import { prepareServing, serve } from "./serve.ts";
import { aborted, stopSignal } from "./stop-signal.ts";
import { tellOfProcess } from "./tell-of-process.ts";

/** Whatever hangs at the end: the process is gone after so long (spec/00 §9). */
const LAST_RESORT_MS = 9_500;
/** Upstream's exit code for controllers that cannot start (spec/00 §16). */
const CANNOT_START = 255;
const FINISH_RUNS_MS = 1_000;
const DRAIN_MS = 3_000;

/**
 * The life of one controller process (spec/00 §2). Answers its exit code: 0 after a signal, 1 after the lease was lost.
 * Throws PlainError or KubeConfigError when it cannot start.
 */
export async function runController(start: ControllerStart): Promise<number> {
  // The timers of the loops keep no process alive, and there may be no listener.
  const keepAlive = setInterval(() => {}, 60_000);
  const stop = stopSignal();
  const foundation = layFoundation(start);
  const state = emptyState();
  announce(foundation);
  const { flags, log, clock } = foundation;
  const [provider, access, serving] = await allTogether([
    loadCloud(flags, log),
    loadKubeConfig({ kubeconfig: flags.kubeconfig, master: flags.master, clock }),
    prepareServing(foundation),
  ]);
  const cloud = accessCloud(foundation, provider, () => mayWrite(foundation, state));
  const cluster = connectCluster(foundation, access, () => mayWrite(foundation, state));
  readAtScrape(foundation, state, cloud);
  foundation.log.info({ server: access.server, source: access.source }, "Talking to this cluster");
  const server = await serve(foundation, state, serving);
  const permissions = checkPermissions({ foundation, cloud, cluster, serving });
  state.permissions = permissions;
  try {
    return await work({ foundation, state, cloud, cluster, stop, port: server?.port });
  } finally {
    permissions.stop();
    await Promise.all([server?.close(), cluster.close(), provider.close?.()]);
    clearInterval(keepAlive);
    foundation.log.info({}, "Stopped");
  }
}

interface Work {
  readonly foundation: Foundation;
  readonly state: ProcessState;
  readonly cloud: CloudAccess;
  readonly cluster: ClusterConnection;
  readonly stop: AbortSignal;
  /** Of our HTTPS server, if there is one. */
  readonly port: number | undefined;
}

async function work(parts: Work): Promise<number> {
  const { foundation, state, cloud, cluster, stop } = parts;
  const broken = createBroken(foundation);
  const uid = await clusterUid(foundation, cluster, stop);
  if (uid === undefined) return 0;
  const ledger = await openLedger(foundation, uid);
  state.ledger = ledger;
  const mirroring = new AbortController();
  const mirrors = startMirrors({ foundation, cluster, cloud }, mirroring.signal);
  state.mirrors = mirrors;
  const heartbeats = startHeartbeats({ foundation, state, cloud, clusterUid: uid });
  const written = tellOfProcess({ foundation, cloud, clusterUid: uid, recorder: ledger.recorder });
  const selected = selectedControllers(foundation.flags);
  const leadership = seekLeadership({
    foundation,
    cluster,
    state,
    onLeading: (term) => {
      const { intents, audit } = ledger;
      const { recorder } = written;
      state.leading = startLeading({
        parts: { foundation, client: cluster.client, ...mirrors, cloud, clusterUid: uid, recorder },
        selected,
        term,
        intents,
        audit,
        onFailed: broken.tell,
      });
      written.leads();
      heartbeats.beat();
    },
  });
  mirrorsSynced(mirrors).then(() => tellParent(parts), ignoreUnsynced);
  const ending = await Promise.race([
    aborted(stop).then(() => ({ exitCode: 0, why: String(stop.reason) })),
    leadership.lost.then(() => ({ exitCode: 1, why: "the Lease was lost" })),
    broken.promise.then(() => ({ exitCode: CANNOT_START, why: "the controllers cannot start" })),
  ]);
  const cancelLastResort = armLastResort(foundation, ending.exitCode);
  foundation.log.info({ why: ending.why }, "Stopping");
  await state.leading?.stop(FINISH_RUNS_MS);
  state.leading = undefined;
  written.leadsNoMore();
  await leadership.stop();
  mirroring.abort();
  heartbeats.stop();
  await ledger.stop(DRAIN_MS);
  cancelLastResort();
  return ending.exitCode;
}

/** Resolves once a leader told that it cannot work. */
function createBroken({ log }: Foundation) {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return {
    promise,
    tell: (error: unknown) => {
      log.error(errorFields(error), "The controllers cannot start");
      resolve();
    },
  };
}

/** A process that leads may write; a dry run never does. */
function mayWrite({ flags }: Foundation, { election }: ProcessState): boolean {
  if (flags["dry-run"]) return false;
  return flags["leader-elect"] ? election?.isLeader() === true : true;
}

function announce({ flags, given, log, identity }: Foundation): void {
  const selected = selectedControllers(flags);
  log.info(
    { version: VERSION, identity, provider: flags["cloud-provider"], controllers: selected },
    "Cloudwright controller starts",
  );
  logIdle(log, { given, missing: notYetBuilt(selected) });
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
  readControlsAtScrape(registry, {
    status: () => state.leading?.controls(),
    controllers: () => state.leading?.controllers().map(({ name }) => name) ?? [],
  });
}

/** Whoever started us with an IPC channel hears when the caches are warm. */
function tellParent({ foundation, port }: Work): void {
  if (process.send === undefined || !process.connected) return;
  process.send({ type: "ready", identity: foundation.identity, securePort: port ?? 0 });
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
