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
 * Everything that is said of one controller (DESIGN.md "Said once"); what it is called is in the model's record. The process walks
 * the list of modules and knows no controller by name. `Flags`: those of the command line that it reads.
 */
export interface ControllerModule<Flags> {
  readonly name: ControllerName;
  readonly needs: Needs<Flags>;
  /** What it watches besides Nodes: kept warm on standbys, too. A watch that several modules name is one informer. */
  readonly watches: readonly Watch[];
  readonly permissions: Permissions;
  /** What it carries out; as the model's record says unless given. */
  readonly actions?: { readonly [Kind in string]: readonly ObjectAction["kind"][] };
  /** What its effects count. */
  readonly metrics: readonly MetricDeclaration[];
  /** What is read of it at each scrape, once it has something to show. */
  readonly gauges?: readonly GaugeDeclaration[];
  /** What it does, in words, once a change of another plan, or of its own, is made: a plan does not hold it yet. */
  readonly followUps?: Partial<Record<ChangeKind, string>>;
  /** Follow-ups are only named where it has plans of its own: without a Service no members change. */
  readonly followsItself?: true;
  /** Moves between managers by upstream's default (spec/00 §10), which calls it so. */
  readonly migratesAs?: string;
  /** Called for each module that will run here before any of them starts. */
  beforeStart?(shared: Pick<ModuleContext<Flags>, "routesUnderWay">): void;
  /** Makes its reconciler and what feeds its queue, and lets `run` run them. */
  start<Started>(context: ModuleContext<Flags>, run: RunController<Started>): Started;
}

/** What a provider may offer, in words. */
export const OFFERS = {
  instances: "instances",
  loadBalancers: "load balancers",
  routes: "routes",
  volumes: "volumes",
} as const satisfies Partial<Record<keyof Provider, string>>;
export type Offer = keyof typeof OFFERS;

export interface Needs<Flags> {
  /** Absent: nothing of the provider. */
  readonly ofProvider?: Offer;
  /** What it makes in the cloud carries the cluster's UID as its owner: it cannot run while that is unknown. */
  readonly ownsByCluster?: true;
  /** The flag that has to be true, besides that the controller is selected (spec/00 §3). */
  readonly flag?: keyof Flags & string;
  /** Without being named in `--controllers` it is on as its flag is; absent: as the model's record says. */
  readonly isOnByFlag?: true;
}

/** A kind of object that a controller keeps in an informer cache. */
export interface Watch<T extends KubeObject = KubeObject> {
  readonly resource: Resource;
  readonly indexes?: Readonly<Record<string, Reads<T>["keysOf"]>>;
  /** Leaves of an object what is needed. */
  readonly strip?: Reads<T>["strip"];
}

/** As methods, so that a watch of some kind of object is a watch. */
interface Reads<T> {
  keysOf(object: T): readonly string[];
  strip(object: T): T;
}

/** One resource and what is done with it: a rule of a role. */
export interface Grant {
  /** "" for core. */
  readonly group: string;
  /** Plural, with its subresource: `nodes/status`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** The one namespace that it is needed in; absent: the whole cluster. */
  readonly namespace?: string;
  /** The objects that it is needed for; absent: all. */
  readonly names?: readonly string[];
  /** What does not work without it, as the end of a sentence that begins "Without it". */
  readonly without: string;
}

export interface Permissions {
  /** Of its role, and of the file of it in `deploy/rbac`; that of its cache is `PART-cache`. */
  readonly part: string;
  /** What it writes, and reads by itself. */
  readonly work: readonly Grant[];
  /** What the process lists and watches for it; absent where it needs Nodes alone. */
  readonly cache?: { readonly of: string; readonly grants: readonly Grant[] };
  /** Upstream's clusters know no role for its service account: ours brings the bindings. */
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
  /** The cache of one of its watches. */
  informerOf<T extends KubeObject>(watch: Watch<T>): Informer<T>;
  readonly provider: Provider;
  readonly cloud: CloudDirectories;
  readonly clusterUid: string;
  readonly controls: Pick<Controls, "guard" | "onReleased" | "settings" | "text">;
  /** What the route controller passes on to the node controller. */
  readonly routesUnderWay: RoutesUnderWay;
  readonly instruments: Instruments;
  /** Writes down which objects of a kind there are, by their names. */
  notePresent(kind: string, names: readonly string[]): void;
}

/** What the runs of all controllers share of the cloud; undefined is what the provider does not offer. */
export interface CloudDirectories {
  readonly instances: InstanceDirectory | undefined;
  /** Also undefined while the cluster is unidentified. */
  readonly loadBalancers: LoadBalancerDirectory | undefined;
  readonly routes: RouteDirectory | undefined;
  readonly volumes: VolumeDirectory | undefined;
}

/** What a controller cannot be without. Throws for what is not there: a controller whose needs are not met is not started. */
export function offered<Offered>(what: Offered | undefined, offer: Offer): Offered {
  if (what !== undefined) return what;
  throw new Error(`The provider has no ${OFFERS[offer]}, but their controller was started.`);
}

/** Metrics beside those that effects count. */
export interface Instruments {
  /** Counts at once what no run's effect counts. */
  record(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
  /** Is read at each scrape from now on. A standby never calls it: it knows of nothing, which is not that there is nothing. */
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

/** What `build` makes a reconciler and its feeding of. */
export interface ControllerDependencies {
  readonly client: KubeConnection;
  /** Of Nodes. */
  readonly informer: Informer<Node>;
  readonly sightings: NodeSightings;
  readonly queue: MeasuredWorkQueue<Trigger>;
  readonly events: EventRecorder;
  readonly effects: Effects;
  readonly clock: Clock;
  /** Says when all its objects are checked next, if it checks them once a period. */
  readonly pace: Pace;
  /** The provider's name. */
  readonly provider: string;
}

/** How a controller is run. */
export interface ControllerSpec<Observed, Typed extends Change, Memory, Answer> {
  /** Of its objects; as the model's record says unless given. */
  readonly kind?: string;
  /** How many runs may write at the same time. */
  readonly concurrency: number;
  /** As the loop has it. */
  readonly isConcurrencyStrict?: boolean;
  /** How long a run may take, milliseconds; as the loop has it unless given. */
  readonly runTimeoutMs?: number;
  /** Of failing keys; the node loops' unless given. */
  readonly backoff?: Backoff | ((key: string) => Backoff);
  /** The trigger that stays when a key became due twice; the most urgent unless given. */
  readonly merge?: (earlier: Trigger, later: Trigger) => Trigger;
  /** What Events of its outcomes are called and say; by their Reasons unless given. */
  readonly wording?: NonNullable<ControllerLoopOptions<Observed, Typed, Memory, Answer>["wording"]>;
  build(means: ControllerDependencies): {
    readonly reconciler: Reconciler<Observed, Typed, Memory, Answer>;
    /** Begins to put keys into the queue; the answer stops that. */
    feed(memoryStore: ReadMemoryStore<Memory>): () => void;
    /** Notified of each run's end, with what it has left to remember. */
    readonly ended?: (outcome: RunOutcome, memory: Memory) => void;
    /** Whether what feeds it has asked the cloud for more keys and waits for the answer. */
    readonly isRequesting?: () => boolean;
    /** What its last listing of the cloud failed to show, and why. */
    readonly unseen?: () => string | undefined;
    /** The objects that it works on, by the names of states, once its caches are warm; all nodes unless given. */
    readonly present?: () => readonly string[];
  };
}

/** Runs a controller: its queue and Events, its loop and, once that takes keys, what feeds it. */
export type RunController<Started> = <Observed, Typed extends Change, Memory, Answer>(
  spec: ControllerSpec<Observed, Typed, Memory, Answer>,
) => Started;

/** Listings of the cloud that feed a queue: whether one is on its way, and why the last one failed. */
export class SharedListing<Listed> {
  readonly #list: (signal: AbortSignal) => Promise<Listed>;
  readonly #what: string;
  #underWay = 0;
  #problem: string | undefined;

  /** `what` is listed: `the routes`. */
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
