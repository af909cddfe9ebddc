import type { SeenRoutes } from "../../cloud/ports.ts";
import type { Node } from "../../kube/client.ts";
import type { Clock } from "../../model/time.ts";
import type { ReadMemoryStore } from "../../reconcile/memory-store.ts";
import { nameOf } from "../objects/object-meta.ts";
import type { Judged, RouteClassifier } from "./claims/route-classifier.ts";
import { tableKey } from "./keys.ts";
import type { RouteLastSeen } from "./last-seen.ts";
import type { RouteMemory } from "./memory.ts";
import {
  departedInObservation,
  nodeInObservation,
  type Observation,
  staleRoute,
} from "./observation.ts";
import { type ObservePorts, observationOf } from "./observe.ts";
import type { NodeObserved, Observed } from "./observed.ts";
import { planRoutes } from "./plan.ts";
import { missingOf, tableDetailOf } from "./table-detail.ts";

export interface SweepOptions extends Pick<ObservePorts, "provider" | "policy"> {
  readonly lastSeen: RouteLastSeen;
  readonly memoryStore: ReadMemoryStore<RouteMemory>;
  readonly clock: Clock;
}

/** The figures of all routes in a listing. */
export interface RouteFigures {
  /** Correct routes of Nodes. */
  readonly present: number;
  /** Pod ranges of Nodes without a route. */
  readonly missing: number;
  /** Unwanted routes of ours. */
  readonly stale: number;
  /** Routes that are not ours, wherever they lead. */
  readonly foreign: number;
  readonly tables: readonly {
    readonly name: string;
    readonly used: number;
    /** Undefined if the cloud does not report it. */
    readonly capacity: number | undefined;
  }[];
}

/** The news in one listing. */
export interface SweepNews {
  /** Keys with something to do. */
  readonly keys: readonly string[];
  readonly figures: RouteFigures;
}

/**
 * Compares one listing with all Nodes without any run: a key becomes due only if something differs, and not again while the
 * same difference is left to its own backoff.
 */
export class RouteSweep {
  readonly #options: SweepOptions;
  /** The difference for which each key was reported. */
  #reported: ReadonlyMap<string, string> = new Map();

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  heed(seen: SeenRoutes, nodes: readonly Node[]): SweepNews {
    const { classifier, brake } = this.#options.lastSeen;
    classifier.noteOwn(seen.routes);
    const observe = observationOf(this.#options, seen);
    brake.sweptBy(seen);
    const judged = seen.routes.map((route) => classifier.judge(route));
    const differing = new Map([
      ...this.#subjects(observe, { judged, nodes }).flatMap((one) => this.#difference(one, seen)),
      ...this.#tables(observe, { judged, nodes }),
    ]);
    const keys = this.#news(differing);
    this.#reported = differing;
    return { keys, figures: figuresOf(observe, { judged, nodes }) };
  }

  /** Returns everything that needs a plan: the Nodes, those that left something behind, and routes without a Node. */
  #subjects(observe: Observation, { judged, nodes }: Compared): readonly Observed[] {
    const byName = groupByNode(observe, judged);
    const names = new Set(nodes.map(nameOf));
    const ofNodes = nodes.map((node): Observed => {
      const about = byName.get(nameOf(node)) ?? [];
      return nodeInObservation(observe, { node, judged: about }, NO_FAILURES);
    });
    const others = judged.flatMap((one): readonly Observed[] => {
      if (one.kind !== "stale" || !one.isResponsible || names.has(one.key)) return [];
      return [this.#unowned(observe, one)];
    });
    return [...ofNodes, ...others];
  }

  #unowned(observe: Observation, one: Extract<Judged, { readonly kind: "stale" }>): Observed {
    const { key } = one;
    const { unconfirmed } = observe;
    const object = this.#options.lastSeen.view.object(key);
    const left = departedInObservation(observe, { object, judged: [one] });
    const isNode = !key.includes("/");
    if (isNode && left !== undefined) return left;
    return { kind: "loose", key, stale: staleRoute(one), unconfirmed };
  }

  #difference(observed: Observed, seen: SeenRoutes): readonly (readonly [string, string])[] {
    const { changes, next } = planRoutes(observed, this.#options.clock.now());
    if (changes.length === 0 && next.kind === "settled") return [];
    // When a full table has room again, the routes that did not fit are retried at once.
    const room = seen.tables.map(hasRoom).join();
    const writes = changes.map(({ kind, before, after }) => [kind, before, after]);
    return [[observed.key, JSON.stringify([writes, next.reason, room])]];
  }

  #tables(
    observe: Observation,
    { judged, nodes }: Compared,
  ): readonly (readonly [string, string])[] {
    const parts = { classifier: observe.classifier, judged, asOf: 0 };
    return observe.seen.tables.map((table) => [
      tableKey(table.id),
      JSON.stringify(tableDetailOf(parts, table, nodes)),
    ]);
  }

  /** Includes keys that were reported and no longer differ: their runs find that out. */
  #news(differing: ReadonlyMap<string, string>): readonly string[] {
    const { lastSeen, memoryStore } = this.#options;
    const isUnsettled = (key: string) => memoryStore.of(key, lastSeen.object(key).uid).isUnsettled;
    const fresh = [...differing].flatMap(([key, what]) => {
      const isKnown = this.#reported.get(key) === what;
      const isTable = key.startsWith(tableKey(""));
      return isKnown && (isTable || isUnsettled(key)) ? [] : [key];
    });
    const gone = [...this.#reported.keys()].filter(
      (key) => key.includes("/") && !differing.has(key),
    );
    return [...fresh, ...gone];
  }
}

interface Compared {
  readonly judged: readonly Judged[];
  readonly nodes: readonly Node[];
}

const NO_FAILURES: NodeObserved["failures"] = new Map();

function hasRoom({ used, capacity }: SeenRoutes["tables"][number]): boolean {
  return capacity === undefined || used < capacity;
}

/** Groups the routes by the Node whose run handles them; routes of others by the Node that they obstruct. */
function groupByNode(
  { classifier }: Observation,
  judged: readonly Judged[],
): ReadonlyMap<string, readonly Judged[]> {
  const groups = new Map<string, Judged[]>();
  for (const one of judged) {
    const name = nodeOf(classifier, one);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return groups;
}

function nodeOf(classifier: RouteClassifier, one: Judged): string | undefined {
  switch (one.kind) {
    case "right":
      return one.node;
    case "stale":
      return one.key;
    case "foreign":
      if (one.claim?.node !== undefined) return one.claim.node;
      return one.range === undefined ? undefined : classifier.nodes.claims.holderOf(one.range);
  }
}

function figuresOf({ classifier, seen }: Observation, { judged, nodes }: Compared): RouteFigures {
  const count = (is: (one: Judged) => boolean) => judged.filter(is).length;
  return {
    present: count(({ kind }) => kind === "right"),
    missing: missingOf(classifier, judged, nodes),
    stale: count((one) => one.kind === "stale" && one.isResponsible),
    foreign: count(({ kind }) => kind === "foreign"),
    tables: seen.tables.map(({ name, used, capacity }) => ({ name, used, capacity })),
  };
}
