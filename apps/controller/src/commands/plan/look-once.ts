import { formatDuration } from "@cloudwright/core/model/duration";
import type { Clock } from "@cloudwright/core/model/time";
import { PlainError } from "../../plain-error.ts";
import { startLeading } from "../../process/leading/leading.ts";
import { clusterUid } from "../../wiring/cluster/cluster-identity.ts";
import { NEVER_WRITE } from "../../wiring/cluster/fences.ts";
import { startMirrors } from "../../wiring/cluster/mirrors.ts";
import { connect } from "../../wiring/connect.ts";
import { type ControllerStart, type Foundation, layFoundation } from "../../wiring/foundation.ts";
import { placementHere } from "../../wiring/placement/placement-here.ts";
import { readLeaderMigration } from "../../wiring/placement/read-leader-migration.ts";
import { LookCollector } from "./look-collector.ts";
import { type LookedAt, plannedObject } from "./planned-object.ts";

const LOOK_EVERY_MS = 20;
const LAST_RUNS_MS = 0;

/**
 * Runs the selected controllers dry, without a Lease and without a ledger, until each has looked at every object that it
 * knows. Throws PlainError when that takes longer than the limit, KubeConfigError, and whatever keeps a controller from
 * starting.
 */
export async function lookOnce(start: ControllerStart, timeoutMs: number): Promise<LookedAt> {
  // The timers of the loops keep no process alive.
  const keepAlive = setInterval(() => {}, 60_000);
  const foundation = layFoundation(
    { ...start, flags: { ...start.flags, ...READS_ONLY } },
    await readLeaderMigration(start.flags),
  );
  const { clock } = foundation;
  const limit = AbortSignal.timeout(timeoutMs);
  const { access, cluster, cloud, provider, close } = await connect(foundation, NEVER_WRITE);
  const mirroring = new AbortController();
  try {
    const uid = await clusterUid(foundation, cluster, limit);
    if (uid === undefined) throw tooLate(timeoutMs, "the cluster did not answer");
    const mirrors = startMirrors({ foundation, cluster, cloud }, mirroring.signal);
    const parts = { foundation, client: cluster.client, ...mirrors, cloud, clusterUid: uid };
    const seen = await lookAtAll(parts, { limit, timeoutMs });
    return {
      cluster: uid,
      server: access.server,
      provider: provider.name,
      controllers: controllersOf(foundation),
      atMs: clock.now(),
      ...seen,
    };
  } finally {
    mirroring.abort();
    clearInterval(keepAlive);
    await close();
  }
}

/** A dry run writes nothing, and without an election not even a Lease. */
const READS_ONLY = { "dry-run": true, "leader-elect": false } as const;

function controllersOf(foundation: Foundation): LookedAt["controllers"] {
  return placementHere(foundation).main;
}

type Parts = Omit<Parameters<typeof startLeading>[0]["parts"], "recorder">;

async function lookAtAll(
  parts: Parts,
  { limit, timeoutMs }: { readonly limit: AbortSignal; readonly timeoutMs: number },
): Promise<Pick<LookedAt, "objects" | "unseen" | "running">> {
  const { foundation } = parts;
  const { clock, identity } = foundation;
  const collector = new LookCollector();
  const failed = new AbortController();
  const leading = startLeading({
    parts: { ...parts, recorder: collector },
    selected: controllersOf(foundation),
    clientOf: () => Promise.resolve(parts.client),
    term: { identity, leaseTransitions: 0 },
    intents: undefined,
    audit: undefined,
    onFailed: (error) => failed.abort(error),
  });
  try {
    const ends = AbortSignal.any([limit, failed.signal]);
    await endedBy(ends, leading.synced());
    do {
      await endedBy(ends, pause(clock));
    } while (!leading.isIdle() || collector.isDueAgain());
    return {
      objects: collector.runs().map(plannedObject),
      unseen: leading.unseen(),
      running: leading.controllers().map(({ name }) => name),
    };
  } catch (error) {
    if (failed.signal.aborted) throw failed.signal.reason;
    if (limit.aborted) throw tooLate(timeoutMs, collector.progress());
    throw error;
  } finally {
    await leading.stop(LAST_RUNS_MS);
  }
}

async function endedBy(signal: AbortSignal, work: Promise<void>): Promise<void> {
  signal.throwIfAborted();
  let end = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
  });
  try {
    await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
}

function tooLate(timeoutMs: number, why: string): PlainError {
  return new PlainError(
    `The plan was not made within ${formatDuration(timeoutMs)}: ${why}. Give a longer --timeout, or check the cluster and the cloud.`,
  );
}
