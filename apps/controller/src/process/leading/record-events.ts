import type { KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import {
  type ObjectEventWatch,
  watchObjectEvents,
} from "@cloudwright/core/kube/object-events/watch-object-events";
import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import { type EventWatch, WATCHED_KINDS } from "@cloudwright/core/model/records/object-event";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { Recorder } from "@cloudwright/core/reconcile/ports";
import { watchesEvents } from "../../flags/database-url.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import type { LedgerStatus } from "../ledger/ledger.ts";

export interface EventRecording {
  status(): EventWatch;
  stop(): void;
}

interface RecordedEvents {
  readonly processContext: ProcessContext;
  readonly client: Pick<KubeConnection, "list" | "watch">;
  readonly clusterUid: string;
  readonly recorder: Recorder;
  /** The controllers that run here. */
  readonly controllers: readonly ControllerName[];
  spooled(): Pick<LedgerStatus, "spoolBytes">;
}

/**
 * Records other components' Events about objects in the ledger, while this process leads. While the database is unavailable they
 * may only use a part of the spool: the rest is for our own records.
 */
export function recordEvents(options: RecordedEvents): EventRecording {
  const { processContext, client, clusterUid, recorder, spooled } = options;
  const { flags, clock, random, log, metrics } = processContext;
  if (!watchesEvents(flags)) return { status: () => NOT_WATCHED, stop: () => undefined };
  const end = new AbortController();
  const watch: ObjectEventWatch = watchObjectEvents({
    ...{ client, clock, random, signal: end.signal, kinds: WATCHED_KINDS },
    except: ownSources(options),
    record: (events) => {
      for (const event of events) {
        recorder.append({ ...event, type: "objectEvent", cluster: clusterUid });
      }
      metrics.own.eventsRecorded(events.length);
    },
    hasRoom: () => spooled().spoolBytes < flags["spool-max-bytes"] / SPOOL_PART,
    onLeftOut: leftOutOf(processContext),
    onDenied: (error) => log.warn({ error: messageOf(error) }, DENIED),
    onGranted: () => log.info({}, "The Events of other components are recorded"),
    onError: (error) =>
      log.warn({ error: messageOf(error) }, "The watch of events was interrupted"),
  });
  return { status: watch.status, stop: () => end.abort() };
}

const NOT_WATCHED: EventWatch = { state: "off", leftOut: 0 };
const SPOOL_PART = 8;
const DENIED =
  "The Events of other components are not recorded: grant list and watch on events (deploy/rbac/watched-events.yaml), or remove --watch-events";

/**
 * Our own Events are recorded with their runs. A dry run sends none, so Events under a controller's name then come from another
 * manager.
 */
function ownSources({ processContext, controllers }: RecordedEvents): readonly string[] {
  if (processContext.flags["dry-run"]) return [];
  return [...new Set(controllers.map((name) => controllerOf(name).eventSource))];
}

/** Counts Events that were left out, and logs that once. */
function leftOutOf({ log, metrics }: ProcessContext): () => void {
  let hasSaid = false;
  return () => {
    metrics.own.eventsLeftOut();
    if (hasSaid) return;
    hasSaid = true;
    log.warn(
      {},
      "Events of other components are left out, because more come than can be recorded; cloudwright_watched_events_left_out_total counts them",
    );
  };
}
