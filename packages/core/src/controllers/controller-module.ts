import type { Provider } from "@cloudwright/provider-api";
import type {
  InstanceDirectory,
  LoadBalancerDirectory,
  RouteDirectory,
  VolumeDirectory,
} from "../cloud/ports.ts";
import type { KubeConnection } from "../kube/calls/kube-client.ts";
import type { KubeObject, Node, Resource } from "../kube/client.ts";
import type { EventRecorder } from "../kube/events/events.ts";
import type { Informer } from "../kube/informer/informer-port.ts";
import type { ObjectAction } from "../model/actions/action.ts";
import type { ControllerName } from "../model/controller-names.ts";
import type { Change, ChangeKind } from "../model/plan.ts";
import type { Trigger } from "../model/run.ts";
import type { Clock, Random } from "../model/time.ts";
import { messageOf } from "../model/values/message-of.ts";
import type { Backoff } from "../queue/backoff.ts";
import type { MeasuredWorkQueue } from "../queue/work-queue.ts";
import type { Controls } from "../reconcile/controls/open-controls.ts";
import type { Effects, MetricDeclaration } from "../reconcile/effects.ts";
import type { Pace } from "../reconcile/every-period.ts";
import type { ControllerLoopOptions, RunOutcome } from "../reconcile/loop-port.ts";
import type { ReadMemoryStore } from "../reconcile/memory-store.ts";
import type { Reconciler } from "../reconcile/reconciler.ts";
import type { NodeSightings } from "./objects/node-sightings.ts";
import type { RoutesUnderWay } from "./objects/routes-under-way.ts";

/**
 * Everything that is declared about one controller (DESIGN.md "Said once"), except its names, which are in the model's record. The
 * process walks the list of modules and knows no controller by name. `Flags`: the command line flags that it reads.
 */
export interface ControllerModule<Flags> {
  readonly name: ControllerName;
  readonly needs: Needs<Flags>;
  /**
   * What the controller watches besides Nodes; standbys keep these caches warm, too. A watch that several modules
   * name is one informer.
   */
  readonly watches: readonly Watch[];
  readonly permissions: Permissions;
  /** The actions that it carries out; by default those in the model's record. */
  readonly actions?: { readonly [Kind in string]: readonly ObjectAction["kind"][] };
  /** The metrics that its effects count. */
  readonly metrics: readonly MetricDeclaration[];
  /** The gauges that are read at each scrape, once the controller has something to show. */
  readonly gauges?: readonly GaugeDeclaration[];
  /**
   * What it will do after a change by another or its own plan, in words; the plan that is shown does not contain
   * this yet.
   */
  readonly followUps?: Partial<Record<ChangeKind, string>>;
  /** Follow-ups are shown only beside plans of its own: without a Service no members change. */
  readonly followsItself?: true;
  /** The name under which upstream's leader migration moves it between managers by default (spec/00 §10). */
  readonly migratesAs?: string;
  /** Called for each module that will run here before any of them starts. */
  beforeStart?(shared: Pick<ModuleContext<Flags>, "routesUnderWay">): void;
  /** Builds its reconciler and the code that feeds its queue, and passes them to `run`. */
  start<Started>(context: ModuleContext<Flags>, run: RunController<Started>): Started;
}

/** What a provider may offer, in words for operators. */
export const OFFERS = {
  instances: "instances",
  loadBalancers: "load balancers",
  routes: "routes",
  volumes: "volumes",
} as const satisfies Partial<Record<keyof Provider, string>>;
export type Offer = keyof typeof OFFERS;

export interface Needs<Flags> {
  /** Absent: it needs nothing from the provider. */
  readonly ofProvider?: Offer;
  /**
   * Set if the cloud objects that it creates carry the cluster's UID as their owner: it cannot run while the UID
   * is unknown.
   */
  readonly ownsByCluster?: true;
  /** The flag that must be true in addition to the controller being selected (spec/00 §3). */
  readonly flag?: keyof Flags & string;
  /** Set if its flag decides whether it is on, unless `--controllers` names it; absent: the model's record decides. */
  readonly isOnByFlag?: true;
}

/** A kind of object that a controller keeps in an informer cache. */
export interface Watch<T extends KubeObject = KubeObject> {
  readonly resource: Resource;
  readonly indexes?: Readonly<Record<string, Reads<T>["keysOf"]>>;
  /** Strips an object down to what is needed. */
  readonly strip?: Reads<T>["strip"];
}

/** Methods rather than properties, so that a `Watch` of any kind of object is assignable to `Watch`. */
interface Reads<T> {
  keysOf(object: T): readonly string[];
  strip(object: T): T;
}

/** One rule of a role: a resource and the verbs on it. */
export interface Grant {
  /** "" for the core group. */
  readonly group: string;
  /** Plural, with its subresource: `nodes/status`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** The namespace in which it is needed; absent: the whole cluster. */
  readonly namespace?: string;
  /** The objects for which it is needed; absent: all. */
  readonly names?: readonly string[];
  /** What does not work without it, as the end of a sentence that begins "Without it". */
  readonly without: string;
}

export interface Permissions {
  /** The name of its role and of the role's file in `deploy/rbac`; the role of its cache is `PART-cache`. */
  readonly part: string;
  /** What it writes, and reads directly. */
  readonly work: readonly Grant[];
  /** What the process lists and watches for it; absent if it needs only Nodes. */
  readonly cache?: { readonly of: string; readonly grants: readonly Grant[] };
  /** Set if upstream's clusters have no role for its service account, so that our manifest brings the bindings. */
  readonly ownIdentity?: true;
}

/** What a controller is made from. */
export interface ModuleContext<Flags> {
  readonly flags: Flags;
  /** Whether the command line names the flag, rather than leaving it at its default. */
  isGiven(flag: keyof Flags & string): boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Record<"info" | "warn", (fields: object, text: string) => void>;
  readonly client: KubeConnection;
  readonly nodes: Informer<Node>;
  readonly sightings: NodeSightings;
  /** Returns the informer of one of its watches. */
  informerOf<T extends KubeObject>(watch: Watch<T>): Informer<T>;
  readonly provider: Provider;
  readonly cloud: CloudDirectories;
  readonly clusterUid: string;
  readonly controls: Pick<Controls, "guard" | "onReleased" | "settings" | "text">;
  /** What the route controller reports to the node controller. */
  readonly routesUnderWay: RoutesUnderWay;
  readonly instruments: Instruments;
  /** Records the names of the existing objects of a kind. */
  notePresent(kind: string, names: readonly string[]): void;
}

/** The cloud directories that the runs of all controllers share; undefined if the provider does not offer them. */
export interface CloudDirectories {
  readonly instances: InstanceDirectory | undefined;
  /** Also undefined while the cluster is unidentified. */
  readonly loadBalancers: LoadBalancerDirectory | undefined;
  readonly routes: RouteDirectory | undefined;
  readonly volumes: VolumeDirectory | undefined;
}

/**
 * Returns an offer that a controller requires. Throws if it is missing: a controller whose requirements are not met is not
 * started.
 */
export function offered<Offered>(what: Offered | undefined, offer: Offer): Offered {
  if (what !== undefined) return what;
  throw new Error(`The provider has no ${OFFERS[offer]}, but their controller was started.`);
}

/** Metrics other than those that effects count. */
export interface Instruments {
  /** Counts at once what no run's effect covers. */
  record(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
  /**
   * Registers a gauge that is read at each scrape from now on. Standbys never call this: they know nothing, which is not the
   * same as zero.
   */
  gauge(gauge: GaugeDeclaration, read: () => readonly GaugeValue[]): void;
}

export interface GaugeDeclaration {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export interface GaugeValue {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What `build` needs to make a reconciler and the code that feeds its queue. */
export interface ControllerDependencies {
  readonly client: KubeConnection;
  /** The Node informer. */
  readonly informer: Informer<Node>;
  readonly sightings: NodeSightings;
  readonly queue: MeasuredWorkQueue<Trigger>;
  readonly events: EventRecorder;
  readonly effects: Effects;
  readonly clock: Clock;
  /** Knows when all objects are checked next, if they are checked periodically. */
  readonly pace: Pace;
  /** The provider's name. */
  readonly provider: string;
}

/** How a controller is run. */
export interface ControllerSpec<Observed, Typed extends Change, Memory, Answer> {
  /** The kind of its objects; by default that in the model's record. */
  readonly kind?: string;
  /** How many runs may write at the same time. */
  readonly concurrency: number;
  /** As in the loop's options. */
  readonly isConcurrencyStrict?: boolean;
  /** How long a run may take, in milliseconds; the loop's default if absent. */
  readonly runTimeoutMs?: number;
  /** The backoff of failing keys; that of the node loops if absent. */
  readonly backoff?: Backoff | ((key: string) => Backoff);
  /** Returns the trigger to keep when a key became due twice; the most urgent if absent. */
  readonly merge?: (earlier: Trigger, later: Trigger) => Trigger;
  /** The names and messages of its outcomes' Events; those of their Reasons if absent. */
  readonly wording?: NonNullable<ControllerLoopOptions<Observed, Typed, Memory, Answer>["wording"]>;
  build(means: ControllerDependencies): {
    readonly reconciler: Reconciler<Observed, Typed, Memory, Answer>;
    /** Starts putting keys into the queue; returns a function that stops this. */
    feed(memoryStore: ReadMemoryStore<Memory>): () => void;
    /** Called at the end of each run, with the memory that it left. */
    readonly ended?: (outcome: RunOutcome, memory: Memory) => void;
    /** Whether the code that feeds its queue is waiting for the cloud and may add keys. */
    readonly isRequesting?: () => boolean;
    /** What its last listing of the cloud could not show, and why. */
    readonly unseen?: () => string | undefined;
    /** The names of its objects for the states, once its caches are warm; all nodes if absent. */
    readonly present?: () => readonly string[];
  };
}

/** Runs a controller: its queue, Events and loop and, once that takes keys, the code that feeds it. */
export type RunController<Started> = <Observed, Typed extends Change, Memory, Answer>(
  spec: ControllerSpec<Observed, Typed, Memory, Answer>,
) => Started;

/** A listing of the cloud that feeds a queue: tracks whether one is in progress, and why the last one failed. */
export class SharedListing<Listed> {
  readonly #list: (signal: AbortSignal) => Promise<Listed>;
  readonly #what: string;
  #underWay = 0;
  #problem: string | undefined;

  /** `what`: the noun for what is listed, such as `the routes`. */
  constructor(what: string, list: (signal: AbortSignal) => Promise<Listed>) {
    this.#what = what;
    this.#list = list;
  }

  /** Throws what the cloud throws. */
  readonly list = async (signal: AbortSignal): Promise<Listed> => {
    this.#underWay += 1;
    try {
      const listed = await this.#list(signal);
      this.#problem = undefined;
      return listed;
    } catch (error) {
      this.#problem = `${this.#what} could not be listed: ${messageOf(error)}`;
      throw error;
    } finally {
      this.#underWay -= 1;
    }
  };

  readonly isRequesting = (): boolean => this.#underWay > 0;
  readonly unseen = (): string | undefined => this.#problem;
}
