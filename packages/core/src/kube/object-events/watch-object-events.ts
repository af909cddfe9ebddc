import type { EventWatch } from "../../model/records/object-event.ts";
import type { Clock, Random } from "../../model/time.ts";
import type { KubeConnection } from "../calls/kube-client.ts";
import { EVENTS } from "../client.ts";
import { isKubeError } from "../errors.ts";
import { SILENCE_LIMIT_MS } from "../informer/informer.ts";
import { runReflector } from "../informer/reflector.ts";
import { sleep } from "../sleep.ts";
import { createPendingEvents, type PendingEvents } from "./pending-events.ts";
import { type KubeEvent, readEvent, type SeenEvent } from "./read-event.ts";

export interface ObjectEventWatchOptions {
  readonly client: Pick<KubeConnection, "list" | "watch">;
  /** The kinds of the objects that Events are about. */
  readonly kinds: readonly string[];
  /** Components whose Events are left out. */
  readonly except: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  record(events: readonly SeenEvent[]): void;
  /** Whether more may be recorded now; what has to wait for that is kept as long as there is room. */
  hasRoom(): boolean;
  /** Called for each Event that is lost because too many wait. */
  onLeftOut(): void;
  /** Called when the API server starts to refuse to list or watch Events, and when it no longer does. */
  onDenied(error: unknown): void;
  onGranted(): void;
  /** Called for any other list or watch that failed; the watch goes on by itself. */
  onError(error: unknown): void;
}

export interface ObjectEventWatch {
  status(): Pick<EventWatch, "leftOut"> & { readonly state: WatchState };
}

type WatchState = Exclude<EventWatch["state"], "off">;

/** Each Event is recorded at most once in this time. */
const PERIOD_MS = 1_000;
/**
 * The most Events that are recorded in a period: a wave of 5,000 nodes, with some seven Events each, takes two
 * minutes.
 */
const MOST_AT_ONCE = 250;
/** Some 10 MB at worst. */
const LIMITS = { most: 10_000, remembered: 20_000 };
/** A list continues when fewer than this wait, so that new Events have room. */
const LIST_UNTIL = 5_000;

/**
 * Records the Events that other components send about objects, starting with those that the API server still has. Nothing is
 * cached except what waits to be recorded.
 */
export function watchObjectEvents(options: ObjectEventWatchOptions): ObjectEventWatch {
  const pending = createPendingEvents(LIMITS);
  const access = createAccess(options);
  let leftOut = 0;
  const drain = createDrain(options, pending);
  const put = (event: SeenEvent) => {
    if (!pending.put(event)) {
      leftOut += 1;
      options.onLeftOut();
    }
    drain();
  };
  for (const kind of options.kinds) void watchKind(options, { kind, pending, access, put });
  return { status: () => ({ state: access.state(), leftOut }) };
}

interface KindWatch {
  readonly kind: string;
  readonly pending: PendingEvents;
  readonly access: Access;
  put(event: SeenEvent): void;
}

/** One watch for each kind, as field selectors have no *or*. */
function watchKind(options: ObjectEventWatchOptions, watch: KindWatch): Promise<void> {
  const { client, clock, random, signal } = options;
  const { kind, pending, access } = watch;
  const except = new Set(options.except);
  const put = (event: KubeEvent) => {
    const seen = readEvent(event, except);
    // A server that does not know the field returns all Events.
    if (seen !== undefined && seen.object.kind === kind) watch.put(seen);
  };
  return runReflector<KubeEvent>({
    client,
    target: { resource: EVENTS },
    query: { fieldSelector: selectorOf(kind, options.except) },
    ...{ clock, random, signal, silenceLimitMs: SILENCE_LIMIT_MS },
    transform: (event) => event,
    sink: {
      onList: () => undefined,
      onPage: async (events) => {
        for (const event of events) put(event);
        while (pending.size > LIST_UNTIL && !signal.aborted) await sleep(clock, PERIOD_MS, signal);
      },
      onPut: put,
      // Kubernetes forgets an Event after a while; the ledger does not.
      onDelete: () => undefined,
      onHeard: () => access.heard(kind),
      onError: (error) => access.failed(kind, error),
    },
  });
}

function selectorOf(kind: string, except: readonly string[]): string {
  return [`involvedObject.kind=${kind}`, ...except.map((component) => `source!=${component}`)].join(
    ",",
  );
}

/** Records what waits, one period after the first came and then once a period, until nothing waits. */
function createDrain(
  { clock, signal, hasRoom, record }: ObjectEventWatchOptions,
  pending: PendingEvents,
): () => void {
  let isDraining = false;
  const drain = async () => {
    isDraining = true;
    while (pending.size > 0 && !signal.aborted) {
      await sleep(clock, PERIOD_MS, signal);
      if (hasRoom() && !signal.aborted) record(pending.take(MOST_AT_ONCE));
    }
    isDraining = false;
  };
  return () => {
    if (!isDraining) void drain();
  };
}

/** Whether the API server lets us read Events, according to the watches. */
interface Access {
  heard(kind: string): void;
  failed(kind: string, error: unknown): void;
  state(): WatchState;
}

function createAccess(options: ObjectEventWatchOptions): Access {
  const states = new Map<string, WatchState>(options.kinds.map((kind) => [kind, "starting"]));
  const isAnyDenied = () => [...states.values()].includes("denied");
  return {
    heard: (kind) => {
      const wasDenied = isAnyDenied();
      states.set(kind, "watching");
      if (wasDenied && !isAnyDenied()) options.onGranted();
    },
    failed: (kind, error) => {
      if (!isKubeError(error) || error.code !== "Forbidden") return options.onError(error);
      const wasDenied = isAnyDenied();
      states.set(kind, "denied");
      if (!wasDenied) options.onDenied(error);
    },
    state: () => {
      if (isAnyDenied()) return "denied";
      return [...states.values()].includes("starting") ? "starting" : "watching";
    },
  };
}
