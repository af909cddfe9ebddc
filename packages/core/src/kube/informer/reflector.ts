import type { Clock, Random } from "../../model/time.ts";
import { createBackoff } from "../backoff.ts";
import type { KubeConnection } from "../calls/kube-client.ts";
import type { KubeObject, Target } from "../client.ts";
import { isKubeError } from "../errors.ts";
import { sleep } from "../sleep.ts";
import { listAll } from "./paged-list.ts";
import { createSilenceGuard } from "./silence-guard.ts";

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Pick<KubeConnection, "list" | "watch">;
  readonly target: Target;
  /** Selectors. */
  readonly query: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly silenceLimitMs: number;
  readonly transform: (object: T) => T;
  readonly sink: ReflectorSink<T>;
}

export interface ReflectorSink<T> {
  onList(objects: readonly T[]): void;
  /** Receives lists page by page, so that none is ever held whole; `onList` is then called with nothing at the end. */
  onPage?(objects: readonly T[]): Promise<void>;
  onPut(object: T): void;
  onDelete(object: T): void;
  /** Called when anything came from the API server. */
  onHeard(): void;
  onError(error: unknown): void;
}

const BACKOFF_BASE_MS = 200;
const BACKOFF_MAX_MS = 30_000;
/** A watch that lasted this long is no sign of trouble when it ends, even if nothing happened in it. */
const HEALTHY_WATCH_MS = 10_000;

/** The informer's position; without a version everything must be listed. */
interface Position {
  version: string | undefined;
}

/**
 * Mirrors a resource until the signal aborts: lists once, then watches from there. A cut watch resumes where it was;
 * everything is listed again only if the API server has forgotten that version or a stream cannot be trusted. Waits
 * longer and longer while nothing succeeds.
 */
export async function runReflector<T extends KubeObject>(
  options: ReflectorOptions<T>,
): Promise<void> {
  const { clock, signal } = options;
  const position: Position = { version: undefined };
  const backoff = createBackoff(BACKOFF_BASE_MS, BACKOFF_MAX_MS, options.random);
  while (!signal.aborted) {
    const step = await takeStep(options, position);
    if (signal.aborted) return;
    if (step.healthy) backoff.reset();
    if (step.failure !== undefined) options.sink.onError(step.failure);
    if (!step.inOrder) await sleep(clock, backoff.next(), signal);
  }
}

interface Step {
  readonly failure: unknown;
  /** The step was a success, so that the next failure is a first one. */
  readonly healthy: boolean;
  /** The next step may follow at once. */
  readonly inOrder: boolean;
}

async function takeStep<T extends KubeObject>(
  options: ReflectorOptions<T>,
  position: Position,
): Promise<Step> {
  const startedAt = options.clock.monotonic();
  const before = position.version;
  const failure = await listOrWatch(options, position).then(
    () => undefined,
    (error: unknown) => error,
  );
  const progressed = position.version !== before;
  if (failure !== undefined && !mayResume(failure)) position.version = undefined;
  const listed = before === undefined;
  const lasted = options.clock.monotonic() - startedAt >= HEALTHY_WATCH_MS;
  const healthy = !listed && (lasted || progressed);
  return { failure, healthy, inOrder: failure === undefined && (listed || healthy) };
}

async function listOrWatch<T extends KubeObject>(
  options: ReflectorOptions<T>,
  position: Position,
): Promise<void> {
  if (position.version !== undefined) return watchOnce(options, position);
  const { client, target, query, signal, sink, transform } = options;
  const { onHeard, onPage } = sink;
  const all = await listAll<T>({ client, target, query, signal, transform, onHeard, onPage });
  sink.onList(all.items);
  position.version = all.resourceVersion;
}

async function watchOnce<T extends KubeObject>(
  options: ReflectorOptions<T>,
  position: Position,
): Promise<void> {
  const { sink, transform } = options;
  const guard = createSilenceGuard(options);
  try {
    await options.client.watch<T>(options.target, {
      query: watchQuery(options, position),
      signal: guard.signal,
      onHeard: () => {
        guard.heard();
        sink.onHeard();
      },
      onEvent: ({ type, object }) => {
        if (type === "DELETED") sink.onDelete(transform(object));
        else if (type !== "BOOKMARK") sink.onPut(transform(object));
        position.version = object.metadata?.resourceVersion ?? position.version;
      },
    });
  } catch (error) {
    throw guard.silent ? guard.error(options.target) : error;
  } finally {
    guard.clear();
  }
}

function watchQuery<T extends KubeObject>(
  options: ReflectorOptions<T>,
  position: Position,
): Record<string, string> {
  return {
    ...options.query,
    watch: "true",
    allowWatchBookmarks: "true",
    resourceVersion: position.version ?? "",
    // Five to ten minutes, so that the watches of all clients do not end at the same moment.
    timeoutSeconds: String(Math.floor(300 + 300 * options.random())),
  };
}

/** Reports whether the next watch may resume from the last version; otherwise everything is listed. */
function mayResume(error: unknown): boolean {
  if (!isKubeError(error)) return false;
  switch (error.code) {
    case "Throttled":
    case "Forbidden":
    case "Unauthorized":
      return true;
    case "Unavailable":
      return isOutage(error.call.status);
    default:
      return false;
  }
}

/**
 * No answer, or one from something before the API server: nothing is known to be lost. The API server's own 500s and
 * 504s, such as for a version from the future after etcd was restored, do not go away by asking again.
 */
function isOutage(status: number | undefined): boolean {
  return status === 0 || status === 502 || status === 503;
}
