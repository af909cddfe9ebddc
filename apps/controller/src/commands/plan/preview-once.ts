import { formatDuration } from "@cloudwright/core/model/language/duration";
import type { Clock } from "@cloudwright/core/model/time";
import { PlainError } from "../../plain-error.ts";
import { startLeading } from "../../process/leading/leading.ts";
import { clusterUid } from "../../wiring/cluster/cluster-identity.ts";
import { startClusterInformers } from "../../wiring/cluster/cluster-informers.ts";
import { NEVER_WRITE } from "../../wiring/cluster/fences.ts";
import { connect } from "../../wiring/connect.ts";
import { placementHere, readLeaderMigration } from "../../wiring/placement/placement.ts";
import {
  type ControllerStart,
  createProcessContext,
  type ProcessContext,
} from "../../wiring/process-context.ts";
import { type PlanPreview, plannedObject } from "./planned-object.ts";
import { PreviewCollector } from "./preview-collector.ts";

const POLL_EVERY_MS = 20;
const LAST_RUNS_MS = 0;

/**
 * Runs the selected controllers dry, without a Lease and without a ledger, until each has observed every object that it knows.
 * Throws PlainError if that exceeds the limit, KubeConfigError, and any error that keeps a controller from starting.
 */
export async function previewOnce(start: ControllerStart, timeoutMs: number): Promise<PlanPreview> {
  const processContext = createProcessContext(
    { ...start, flags: { ...start.flags, ...READS_ONLY } },
    await readLeaderMigration(start.flags),
  );
  const { clock } = processContext;
  const limit = AbortSignal.timeout(timeoutMs);
  const { access, cluster, close, ...connections } = await connect(processContext, NEVER_WRITE);
  const watching = new AbortController();
  try {
    const cloud = await connections.cloud(limit);
    const uid = await clusterUid(processContext, cluster, limit);
    if (uid === undefined) throw tooLate(timeoutMs, "the cluster did not answer");
    const informers = startClusterInformers({ processContext, cluster, cloud }, watching.signal);
    const parts = { processContext, client: cluster.client, ...informers, cloud, clusterUid: uid };
    const seen = await previewAll(parts, { limit, timeoutMs });
    return {
      cluster: uid,
      server: access.server,
      provider: cloud.provider.name,
      controllers: controllersOf(processContext),
      atMs: clock.now(),
      ...seen,
    };
  } finally {
    watching.abort();
    await close();
  }
}

/** A dry run writes nothing, and without an election not even a Lease. */
const READS_ONLY = { "dry-run": true, "leader-elect": false } as const;

function controllersOf(processContext: ProcessContext): PlanPreview["controllers"] {
  return placementHere(processContext).main;
}

type Parts = Omit<Parameters<typeof startLeading>[0]["parts"], "recorder">;

async function previewAll(
  parts: Parts,
  { limit, timeoutMs }: { readonly limit: AbortSignal; readonly timeoutMs: number },
): Promise<Pick<PlanPreview, "objects" | "unseen" | "running">> {
  const { processContext } = parts;
  const { clock, identity } = processContext;
  const collector = new PreviewCollector();
  const failed = new AbortController();
  const leading = startLeading({
    parts: { ...parts, recorder: collector },
    selected: controllersOf(processContext),
    clientOf: () => Promise.resolve(parts.client),
    term: { identity, leaseTransitions: 0 },
    intents: undefined,
    audit: undefined,
    onSetting: () => undefined,
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
  return new Promise((resolve) => void clock.after(POLL_EVERY_MS, resolve));
}

function tooLate(timeoutMs: number, why: string): PlainError {
  return new PlainError(
    `The plan was not made within ${formatDuration(timeoutMs)}: ${why}. Give a longer --timeout, or check the cluster and the cloud.`,
  );
}
