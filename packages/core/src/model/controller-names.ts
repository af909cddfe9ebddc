import { t } from "./language/text.ts";

/** The names of each control loop, used everywhere: rows, URLs, metrics, Events, flags (spec/00 §3). */
export const CONTROLLERS = {
  "cloud-node-controller": {
    get label() {
      return t`Node initialisation`;
    },
    folder: "node",
    aliases: ["cloud-node"],
    metricName: "cloud-node",
    eventSource: "cloud-node-controller",
    queueName: "Nodes",
    serviceAccount: "node-controller",
    objectKind: "Node",
    depth: "initialisation",
    reportsOn: "all",
    speaksFor: ["Node"],
    actions: { Node: ["hold", "release", "override"] },
    rereadsAll: true,
    get whilePaused() {
      return t`Meanwhile, new nodes keep the uninitialized taint and take no pods.`;
    },
    enabledByDefault: true,
  },
  "cloud-node-lifecycle-controller": {
    get label() {
      return t`Node lifecycle`;
    },
    folder: "node-lifecycle",
    aliases: ["cloud-node-lifecycle"],
    metricName: "cloud-node-lifecycle",
    eventSource: "cloud-node-lifecycle-controller",
    queueName: "NodeLifecycle",
    serviceAccount: "node-controller",
    objectKind: "Node",
    depth: "machine",
    reportsOn: "silentNodes",
    actions: { Controller: ["release-guard"] },
    get whilePaused() {
      return t`Meanwhile, nodes whose machines are gone or stopped stay as they are.`;
    },
    enabledByDefault: true,
  },
  "service-lb-controller": {
    get label() {
      return t`Load balancers`;
    },
    folder: "service",
    aliases: ["service"],
    metricName: "service",
    eventSource: "service-controller",
    queueName: "service",
    serviceAccount: "service-controller",
    objectKind: "Service",
    depth: "network",
    reportsOn: "all",
    speaksFor: ["Service", "LoadBalancer"],
    actions: {
      Service: ["hold", "release", "reensure", "adopt", "abandon"],
      LoadBalancer: ["remove-orphan"],
    },
    rereadsAll: true,
    enabledByDefault: true,
  },
  "node-route-controller": {
    get label() {
      return t`Routes`;
    },
    folder: "route",
    aliases: ["route"],
    metricName: "route",
    eventSource: "route_controller",
    queueName: "Routes",
    serviceAccount: "route-controller",
    objectKind: "Node",
    alsoRetries: ["Route"],
    depth: "network",
    reportsOn: "all",
    speaksFor: ["NodeRoutes", "Route", "RouteTable"],
    actions: { Node: ["adopt"] },
    get whilePaused() {
      return t`Meanwhile, new nodes get no route, and their pods cannot be reached.`;
    },
    enabledByDefault: true,
  },
  "node-ipam-controller": {
    get label() {
      return t`Node IPAM`;
    },
    folder: "node-ipam",
    aliases: ["nodeipam"],
    metricName: "nodeipam",
    eventSource: "cidrAllocator",
    queueName: "cidrallocator_node",
    serviceAccount: "node-controller",
    objectKind: "Node",
    depth: "podRange",
    reportsOn: "all",
    get whilePaused() {
      return t`Meanwhile, new nodes get no pod range, and their pods no address.`;
    },
    enabledByDefault: false,
  },
  /** Our own controller: upstream no longer labels volumes (spec/50 §9). */
  "volume-label-controller": {
    get label() {
      return t`Volume labels and growth`;
    },
    folder: "volume",
    aliases: ["volume", "pvlabel"],
    metricName: "volume-label",
    eventSource: "volume-label-controller",
    queueName: "pvLabels",
    serviceAccount: "volume-controller",
    objectKind: "PersistentVolume",
    depth: "volume",
    reportsOn: "all",
    speaksFor: ["PersistentVolume"],
    actions: { PersistentVolume: ["hold", "release"] },
    get whilePaused() {
      return t`Meanwhile, new volumes get neither zone nor region.`;
    },
    enabledByDefault: false,
  },
} as const satisfies Record<string, ControllerDescription>;

/** By kind of object, the actions that a controller carries out besides those that each does, such as a retry. */
export type ActionsByKind = Readonly<Record<string, readonly string[]>>;

/** The canonical name of any controller: one of ours, one of another release, or a third party's. */
export type ControllerName = string;
/** The canonical name of a controller of this release. */
export type KnownController = keyof typeof CONTROLLERS;
/** A kind that a controller of this release speaks for. */
export type SpokenFor = Extract<
  (typeof CONTROLLERS)[KnownController],
  { readonly speaksFor: readonly string[] }
>["speaksFor"][number];
export type ControllerFolder = (typeof CONTROLLERS)[KnownController]["folder"];

export const CONTROLLER_NAMES = Object.keys(CONTROLLERS) as readonly KnownController[];

/**
 * Returns a controller's description. A controller that this release does not know is described by its name:
 * `namespace-label-controller` is `Namespace label`.
 */
export function controllerOf(name: ControllerName): ControllerDescription {
  return isKnownController(name) ? CONTROLLERS[name] : plainDescription(name);
}

/** Returns the controller of this release that speaks for a kind: the route controller for `Route`. */
export function speakerFor(kind: SpokenFor): KnownController {
  return carrying(kind, ({ speaksFor = [] }) => speaksFor.includes(kind));
}

/** The actions on a kind of object that a controller of this release carries out. */
export type ActionOn<Kind extends string> = Carried<(typeof CONTROLLERS)[KnownController], Kind>;

type Carried<Description, Kind extends string> = Description extends {
  readonly actions: { readonly [Of in Kind]: readonly (infer Action)[] };
}
  ? Action
  : never;

/** Returns the controller of this release that carries an action out on a kind of object. Throws if there is none. */
export function carrierFor(action: string, kind: string): KnownController {
  return carrying(`${action} of a ${kind}`, ({ actions }) => actions?.[kind]?.includes(action));
}

/** Returns the names, each once: controllers of this release in the order in which they start, then the others. */
export function inOrder(names: Iterable<ControllerName>): readonly ControllerName[] {
  const given = new Set(names);
  const known = CONTROLLER_NAMES.filter((name) => given.has(name));
  return [...known, ...[...given].filter((name) => !isKnownController(name))];
}

/** Returns the canonical name for a canonical name or one of upstream's frozen aliases, or undefined. */
export function canonicalControllerName(nameOrAlias: string): KnownController | undefined {
  return CONTROLLER_NAMES.find(
    (name) => name === nameOrAlias || aliasesOf(name).includes(nameOrAlias),
  );
}

export interface ControllerDescription {
  readonly label: string;
  readonly folder: string;
  readonly aliases: readonly string[];
  readonly metricName: string;
  readonly eventSource: string;
  readonly queueName: string;
  readonly serviceAccount: string;
  /** The kind of the objects on which it reports, unless a report names another kind. */
  readonly objectKind: string;
  /** The other kinds that it can be asked to reconcile again, such as a route without a Node. */
  readonly alsoRetries?: readonly string[];
  /** How deep its work lies among the causes of a problem; see `reasons/define.ts`. */
  readonly depth: "machine" | "initialisation" | "identity" | "podRange" | "network" | "volume";
  /** For which objects its report is expected: on a Ready node the lifecycle controller reports nothing. */
  readonly reportsOn: "all" | "silentNodes";
  /**
   * The kinds on which only it reports, or on which its report takes precedence, including parts of objects that are kinds of
   * their own.
   */
  readonly speaksFor?: readonly string[];
  readonly actions?: ActionsByKind;
  /** Set if its period reads every object of its kind again, each in a run. */
  readonly rereadsAll?: true;
  /** A sentence about what users notice while it is paused. */
  readonly whilePaused?: string;
  readonly enabledByDefault: boolean;
}

/** Reports whether a text can name a controller, even one that this release does not know. */
export function isControllerName(text: string): text is ControllerName {
  return isKnownController(text) || /^[a-z0-9-]+-controller$/.test(text);
}

/** Reports whether it is a controller of this release. */
export function isKnownController(name: ControllerName): name is KnownController {
  return Object.hasOwn(CONTROLLERS, name);
}

function plainDescription(name: ControllerName): ControllerDescription {
  const short = name.replace(/-controller$/, "");
  const label = short.replaceAll("-", " ");
  return {
    label: label.charAt(0).toUpperCase() + label.slice(1),
    folder: short,
    aliases: [],
    metricName: short,
    eventSource: name,
    queueName: short,
    serviceAccount: name,
    objectKind: "Object",
    depth: "network",
    reportsOn: "all",
    enabledByDefault: true,
  };
}

function carrying(
  what: string,
  does: (controller: ControllerDescription) => boolean | undefined,
): KnownController {
  const found = CONTROLLER_NAMES.find((name) => does(CONTROLLERS[name]));
  if (found === undefined) throw new Error(`There is no controller for ${what}.`);
  return found;
}

function aliasesOf(name: KnownController): readonly string[] {
  return CONTROLLERS[name].aliases;
}
