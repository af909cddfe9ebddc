import type { SeenRoutes } from "../../cloud/ports.ts";
import type { Node } from "../../kube/client.ts";
import type { Informer, InformerEvent } from "../../kube/informer/informer-port.ts";
import type { Trigger } from "../../model/run.ts";
import type { Clock } from "../../model/time.ts";
import type { LiveValue } from "../../model/values/live-value.ts";
import type { WorkQueue } from "../../queue/port.ts";
import type { Effects } from "../../reconcile/effects.ts";
import type { ReadMemoryStore } from "../../reconcile/memory-store.ts";
import { HOLD_ANNOTATION, HOLD_UNTIL_ANNOTATION } from "../hold/hold.ts";
import { providerIdOf } from "../objects/node-object.ts";
import { annotationOf, nameOf, uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import type { RoutesUnderWay } from "../objects/routes-under-way.ts";
import { rangesIn } from "./claims/pod-ranges.ts";
import { countSync } from "./conclude.ts";
import { changeOf, HOLD } from "./keys.ts";
import type { RouteMemory } from "./memory.ts";
import type { RoutePolicy } from "./observed.ts";
import type { RouteReconciler } from "./reconciler.ts";
import { type RouteFigures, RouteSweep } from "./sweep.ts";

export interface RouteControllerOptions {
  readonly informer: Informer<Node>;
  readonly queue: Pick<WorkQueue<Trigger>, "add">;
  readonly reconciler: Pick<RouteReconciler, "lastSeen" | "stop">;
  readonly memoryStore: ReadMemoryStore<RouteMemory>;
  readonly effects: Effects;
  readonly clock: Clock;
  readonly provider: string;
  readonly policy: RoutePolicy;
  /** Learns the Nodes that exist at the start, and each new one after that. */
  readonly underWay: Pick<RoutesUnderWay, "begin" | "started">;
  /** Milliseconds from the start of one periodic check to the start of the next. */
  readonly period: LiveValue<number>;
  /** Lists the current routes. Throws ProviderError. */
  list(signal: AbortSignal): Promise<SeenRoutes>;
  /** Called with the figures of each periodic listing. */
  found(figures: RouteFigures): void;
  /** Called when a listing failed; the next period lists again. */
  onError(error: unknown): void;
}

/**
 * Feeds the route loop's queue: every Node at the start, each Node at once that changes in a way that matters, and once a
 * period, after one listing, whatever differs from what it should be (spec/40 §2 and §3). Returns a function that stops
 * this.
 */
export function startRouteController(options: RouteControllerOptions): () => void {
  const { informer, reconciler } = options;
  const feed = new Feed(options);
  const unsubscribe = informer.subscribe((event) => feed.heed(event));
  void informer.synced.then(() => feed.start());
  return () => {
    unsubscribe();
    feed.stop();
    reconciler.stop();
  };
}

class Feed {
  readonly #options: RouteControllerOptions;
  readonly #sweep: RouteSweep;
  readonly #stopped = new AbortController();
  #cancelTimer: () => void = () => undefined;
  /** When the last check started; undefined while one is in progress. */
  #waitsSince: number | undefined;
  readonly #forgetPeriod: () => void;
  #changedBefore = 0;

  constructor(options: RouteControllerOptions) {
    const { reconciler } = options;
    this.#options = options;
    this.#sweep = new RouteSweep({ ...options, lastSeen: reconciler.lastSeen });
    this.#forgetPeriod = options.period.onChange(() => {
      this.#cancelTimer();
      this.#wait();
    });
  }

  start(): void {
    if (this.#stopped.signal.aborted) return;
    const { informer, queue, underWay } = this.#options;
    const names = informer.list().map(nameOf);
    underWay.started(names);
    for (const name of names) queue.add(name, { kind: "start" }, "background");
    void this.#pass();
  }

  stop(): void {
    this.#stopped.abort();
    this.#forgetPeriod();
    this.#cancelTimer();
  }

  heed(event: InformerEvent<Node>): void {
    const { queue, underWay } = this.#options;
    const name = nameOf(event.object);
    if (event.kind === "updated") {
      const parts = changedParts(event.old, event.object);
      if (parts.length === 0) return;
      queue.add(name, changeOf(parts), "change");
      if (parts.includes(RANGES) || parts.includes(ANEW)) {
        this.#wakeRivals(event.old);
        this.#wakeRivals(event.object);
      }
    } else if (event.kind === "deleted") {
      queue.add(name, { kind: "change", what: "deleted" }, "change");
      this.#wakeRivals(event.object);
    } else if (!event.initial) {
      underWay.begin(name);
      queue.add(name, { kind: "change", what: "created" }, "change");
    }
  }

  /** A change of this Node may allow other Nodes to have a range, or prevent it. */
  #wakeRivals(node: Node): void {
    const { queue, reconciler } = this.#options;
    const { claims } = reconciler.lastSeen.classifier.nodes;
    for (const name of claims.sharing(rangesIn(node))) {
      queue.add(name, { kind: "change", what: `ranges of ${nameOf(node)}` }, "change");
    }
  }

  /**
   * Runs at a fixed rate from the start of each check; one that takes longer than the period is followed at once by the
   * next.
   */
  async #pass(): Promise<void> {
    const startedAt = this.#options.clock.monotonic();
    this.#waitsSince = undefined;
    await this.#observe();
    if (this.#stopped.signal.aborted) return;
    this.#waitsSince = startedAt;
    this.#wait();
  }

  /** Schedules the next check; does nothing before the first one and while one is in progress. */
  #wait(): void {
    const { clock, period } = this.#options;
    if (this.#waitsSince === undefined) return;
    const leftMs = Math.max(0, period.value - (clock.monotonic() - this.#waitsSince));
    this.#cancelTimer = clock.after(leftMs, () => void this.#pass());
  }

  async #observe(): Promise<void> {
    const { informer, queue, list, found, effects, reconciler, onError, clock } = this.#options;
    const { lastSeen } = reconciler;
    const { signal } = this.#stopped;
    try {
      const seen = await list(signal);
      lastSeen.blindSince = undefined;
      if (signal.aborted) return;
      const { keys, figures } = this.#sweep.heed(seen, informer.list());
      found(figures);
      for (const key of keys) queue.add(key, { kind: "period" }, "background");
      const { changed } = lastSeen;
      effects.emit(countSync(changed > this.#changedBefore ? "changed" : "noop", "periodic"));
      this.#changedBefore = changed;
    } catch (error) {
      if (signal.aborted) return;
      lastSeen.blindSince = clock.monotonic();
      effects.emit(countSync("error", "periodic"));
      onError(error);
    }
  }
}

const ANEW = "created anew";
const RANGES = "pod ranges";

/**
 * Returns the parts of a Node that its routes depend on and that differ. The condition is checked once a period (spec/40
 * §3.7).
 */
function changedParts(old: Node, node: Node): readonly string[] {
  if (uidOf(old) !== uidOf(node)) return [ANEW];
  return PARTS.filter(([, read]) => JSON.stringify(read(old)) !== JSON.stringify(read(node))).map(
    ([name]) => name,
  );
}

const PARTS: readonly (readonly [string, (node: Node) => unknown])[] = [
  [RANGES, podCidrsOf],
  ["addresses", (node) => node.status?.addresses],
  ["provider ID", providerIdOf],
  [
    HOLD,
    (node) => [annotationOf(node, HOLD_ANNOTATION), annotationOf(node, HOLD_UNTIL_ANNOTATION)],
  ],
];
