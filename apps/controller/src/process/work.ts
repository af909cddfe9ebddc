import { objectName } from "@cloudwright/core/model/object-ref";
import { errorFields } from "../plain-error.ts";
import type { CloudAccess } from "../wiring/cloud/cloud-access.ts";
import { clusterUid, isIdentified, untilIdentified } from "../wiring/cluster/cluster-identity.ts";
import {
  type ClusterInformers,
  informersSynced,
  startClusterInformers,
} from "../wiring/cluster/cluster-informers.ts";
import type { ClusterConnection } from "../wiring/cluster/connect-cluster.ts";
import type { ControllerClients } from "../wiring/cluster/controller-clients.ts";
import { runnable } from "../wiring/controllers/controller-needs.ts";
import type { Placement } from "../wiring/placement/placement.ts";
import type { ProcessContext } from "../wiring/process-context.ts";
import { followArrivals } from "./heartbeat/arrivals.ts";
import { type Heartbeats, startHeartbeats } from "./heartbeat/heartbeat.ts";
import { type ProcessRecords, recordProcess } from "./heartbeat/process-records.ts";
import { type Leadership, leaseName, leasePlace, seekLeadership } from "./leading/lead.ts";
import { type Leading, type Migrated, startLeading } from "./leading/leading.ts";
import { recordEvents } from "./leading/record-events.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { openLedger } from "./ledger/open-ledger.ts";
import type { ProcessState } from "./process-state.ts";
import { aborted } from "./stop-signal.ts";
import { openTracing, type Tracing, tracedRecorder } from "./tracing/open-tracing.ts";

/** The process exits after this long even if something hangs while it ends (spec/00 §9). */
const LAST_RESORT_MS = 9_500;
/** Exit code after losing the Lease (spec/00 §9). */
const LEASE_LOST = 1;
/** Upstream's exit code for controllers that cannot start (spec/00 §16). */
const CANNOT_START = 255;
const FINISH_RUNS_MS = 1_000;
const DRAIN_MS = 4_000;
/** Measured from the beginning of the end. A wave leaves thousands of Events to send, since writes to nodes take precedence. */
const EVENTS_UNTIL_MS = 8_000;

export interface Work {
  readonly processContext: ProcessContext;
  readonly state: ProcessState;
  readonly placement: Placement;
  readonly cloud: CloudAccess;
  readonly cluster: ClusterConnection;
  readonly clients: ControllerClients;
  readonly stop: AbortSignal;
  /** The port of our HTTPS server; 0 without one. */
  readonly port: number;
}

/**
 * Competes for the Lease and runs the controllers while it is held, until something ends that. Returns the exit code, or
 * undefined to start over because the cluster's identity has become known.
 */
export async function work(parts: Work): Promise<number | undefined> {
  const { processContext, state, cluster, stop } = parts;
  const uid = await clusterUid(processContext, cluster, stop);
  if (uid === undefined) return 0;
  state.clusterUid = uid;
  const running = await begin(parts, uid);
  const ending = await firstEnding(parts, running, uid);
  processContext.log.info({ why: ending.why }, "Stopping");
  await end(parts, running, ending);
  return ending.exitCode;
}

/** What runs from when the cluster is known until the process ends. */
interface Running {
  readonly ledger: Ledger;
  readonly tracing: Tracing | undefined;
  /** Aborts to stop the informers. */
  readonly watching: AbortController;
  readonly heartbeats: Heartbeats;
  readonly records: ProcessRecords;
  readonly leadership: Leadership;
  /** Resolves when a leader finds that it cannot work. */
  readonly broken: Promise<void>;
}

async function begin(parts: Work, clusterUid: string): Promise<Running> {
  const { processContext, state, placement, cloud, cluster } = parts;
  const ledger = await openLedger(processContext, clusterUid, cluster.client);
  state.ledger = ledger;
  const tracing = await openTracing(processContext, clusterUid);
  const recorder = tracedRecorder(ledger.recorder, tracing);
  const watching = new AbortController();
  const informers = startClusterInformers({ processContext, cluster, cloud }, watching.signal);
  state.informers = informers;
  const heartbeats = startHeartbeats({ processContext, state, cloud, clusterUid });
  followArrivals(informers, {
    clock: processContext.clock,
    onArrival: () => {
      // Only the leader's counts are used for the cluster.
      if (state.leading !== undefined) heartbeats.beat();
    },
  });
  const records = recordProcess({ processContext, cloud, clusterUid, recorder });
  const broken = announcement();
  const migrating = announcement();
  const leadership = seekLeadership({
    processContext,
    cluster,
    state,
    migrationLease: placement.migrationLease,
    onMigrating: migrating.make,
    onLeading: (term) => {
      state.leading = lead(parts, {
        ...{ clusterUid, informers, ledger, recorder: records.recorder, term },
        migrating: migrating.made,
        onSetting: heartbeats.beat,
        onFailed: broken.make,
      });
      records.leads();
      state.eventRecording = recordEvents({
        ...{ processContext, client: cluster.client, clusterUid, recorder },
        controllers: runnable([...placement.main, ...placement.migrated], parts),
        spooled: ledger.status,
      });
      heartbeats.beat();
    },
  });
  informersSynced(informers).then(() => notifyReady(parts), ignoreUnsynced);
  // Sent immediately: a parent that starts a replacement need not wait for this process to exit to know why.
  void leadership.lost.then(() => notifyParent({ type: "leaseLost" }));
  return { ledger, tracing, watching, heartbeats, records, leadership, broken: broken.made };
}

interface LeadOptions extends Pick<Parameters<typeof startLeading>[0], "term"> {
  readonly clusterUid: string;
  readonly informers: ClusterInformers;
  readonly ledger: Ledger;
  readonly recorder: ProcessRecords["recorder"];
  /** Resolves when the second Lease is held. */
  readonly migrating: Promise<void>;
  onSetting(): void;
  onFailed(): void;
}

function lead({ processContext, placement, cloud, cluster, clients }: Work, options: LeadOptions) {
  const { clusterUid, informers, ledger, recorder, term, migrating } = options;
  const migrated = migratedFrom(processContext, placement, migrating);
  return startLeading({
    parts: { processContext, client: cluster.client, ...informers, cloud, clusterUid, recorder },
    selected: placement.main,
    ...(migrated === undefined ? {} : { migrated }),
    clientOf: clients.of,
    term,
    intents: ledger.intents,
    audit: ledger.audit,
    onSetting: options.onSetting,
    onFailed: (error) => {
      processContext.log.error(errorFields(error), "The controllers cannot start");
      options.onFailed();
    },
  });
}

function migratedFrom(
  processContext: ProcessContext,
  { migrated: controllers, migrationLease }: Placement,
  held: Promise<void>,
): Migrated | undefined {
  if (migrationLease === undefined) return undefined;
  const lease = leasePlace(processContext, migrationLease);
  return {
    controllers,
    lease,
    mainLease: leasePlace(processContext, leaseName(processContext)),
    held,
  };
}

interface Ending {
  /** Undefined: start over. */
  readonly exitCode: number | undefined;
  readonly why: string;
}

function firstEnding(
  { processContext, cluster, stop }: Work,
  { leadership, broken, watching }: Running,
  uid: string,
): Promise<Ending> {
  const endings: Promise<Ending>[] = [
    aborted(stop).then(() => ({ exitCode: 0, why: String(stop.reason) })),
    leadership.lost.then((what) => ({ exitCode: LEASE_LOST, why: `${what} was lost` })),
    broken.then(() => ({ exitCode: CANNOT_START, why: "the controllers cannot start" })),
  ];
  if (!isIdentified(uid)) {
    const known = untilIdentified(processContext, cluster, watching.signal);
    endings.push(
      known.then(() => ({ exitCode: undefined, why: "the cluster's identity is known now" })),
    );
  }
  return Promise.race(endings);
}

/** Stops everything in the order that loses nothing: work, Lease, caches, then what the ledger and the cluster have not received yet. */
async function end(
  { processContext, state }: Work,
  running: Running,
  ending: Ending,
): Promise<void> {
  const { ledger, tracing, watching, heartbeats, records, leadership } = running;
  const cancelLastResort = armLastResort(processContext, ending.exitCode ?? 1);
  const events = owedEvents(processContext, state.leading);
  await state.leading?.stop(FINISH_RUNS_MS);
  state.leading = undefined;
  state.eventRecording?.stop();
  state.eventRecording = undefined;
  records.leadsNoMore();
  await leadership.stop();
  watching.abort();
  heartbeats.stop();
  // A process that has lost the Lease writes nothing any more, not even Events.
  const isReleased = ending.exitCode !== LEASE_LOST;
  await Promise.all([ledger.stop(DRAIN_MS), tracing?.stop(DRAIN_MS), events.send({ isReleased })]);
  cancelLastResort();
}

/** Sends the Events of a leader that is ending, until a limited time after its end began. The rest are only kept in the log. */
function owedEvents({ clock, log }: ProcessContext, leading: Leading | undefined) {
  const endBy = clock.monotonic() + EVENTS_UNTIL_MS;
  return {
    send: async ({ isReleased }: { readonly isReleased: boolean }) => {
      const deadlineMs = isReleased ? Math.max(0, endBy - clock.monotonic()) : 0;
      const left = (await leading?.sendEvents(deadlineMs, { isReleased })) ?? [];
      if (left.length === 0) return;
      log.warn(
        { events: left.length },
        "The API server did not accept these Events before the process ended",
      );
      for (const { target, text, message, count } of left) {
        const object = `${target.kind}/${objectName(target)}`;
        // Not logged as a failure of the object: this is the Event that was not sent.
        log.info(
          { object, type: text.type, reason: text.reason, message, count },
          "Event not sent",
        );
      }
    },
  };
}

/** Returns a promise with the function that resolves it. */
function announcement() {
  let make: () => void = () => {};
  const made = new Promise<void>((resolve) => {
    make = resolve;
  });
  return { made, make: () => make() };
}

function notifyReady({ processContext, port }: Work): void {
  notifyParent({ type: "ready", identity: processContext.identity, securePort: port });
}

/** A message to the parent, if it started this process with an IPC channel. */
type ParentMessage =
  /** The caches are synced. */
  | { readonly type: "ready"; readonly identity: string; readonly securePort: number }
  /** The process exits with code 1 because a Lease was lost (spec/00 §16), and not for another reason. */
  | { readonly type: "leaseLost" };

function notifyParent(message: ParentMessage): void {
  if (process.send === undefined || !process.connected) return;
  process.send(message);
}

/** The informer was stopped before its first list: the process is ending anyway. */
function ignoreUnsynced(): void {}

function armLastResort({ log }: ProcessContext, exitCode: number): () => void {
  const timer = setTimeout(() => {
    log.error({}, "The graceful shutdown took too long; exiting now");
    process.exit(exitCode);
  }, LAST_RESORT_MS);
  return () => clearTimeout(timer);
}
