import { t } from "./language/text.ts";

/** What each control loop is called, everywhere: rows, URLs, metrics, Events, flags (spec/00 §3). */
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
  /** Ours: upstream's volume labels are history (spec/50 §9). */
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

/** By the kind of object what a controller carries out there besides what each does, such as a retry. */
export type ActionsByKind = Readonly<Record<string, readonly string[]>>;

/** The canonical name of any controller: ours, that of another release, or one of somebody's own. */
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
 * What a controller is called. One that this release does not know, of another release or of somebody's own, goes by its name:
 * `namespace-label-controller` is `Namespace label`.
 */
export function controllerOf(name: ControllerName): ControllerDescription {
  return isKnownController(name) ? CONTROLLERS[name] : plainDescription(name);
}

/** The controller of this release whose word counts for a kind: that of routes for `Route`. */
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

/** The controller of this release that carries an action out on a kind of object. Throws where none does. */
export function carrierFor(action: string, kind: string): KnownController {
  return carrying(`${action} of a ${kind}`, ({ actions }) => actions?.[kind]?.includes(action));
}

/** The names, each once: controllers of this release in the order they start in, then the others. */
export function inOrder(names: Iterable<ControllerName>): readonly ControllerName[] {
  const given = new Set(names);
  const known = CONTROLLER_NAMES.filter((name) => given.has(name));
  return [...known, ...[...given].filter((name) => !isKnownController(name))];
}

/** The canonical name behind a canonical name or one of upstream's frozen aliases, or undefined. */
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
  /** The kind that its reports are of unless they name another. */
  readonly objectKind: string;
  /** The other kinds that it can be asked to look at again: a route that no Node asks for has none. */
  readonly alsoRetries?: readonly string[];
  /** How deep what it does lies among the causes of a trouble; see `reasons/define.ts`. */
  readonly depth: "machine" | "initialisation" | "identity" | "podRange" | "network" | "volume";
  /** Of which objects its report is waited for: of a Ready node the lifecycle has nothing to say. */
  readonly reportsOn: "all" | "silentNodes";
  /** The kinds that it alone reports on, or of which its word counts first; and parts of others that are kinds of their own. */
  readonly speaksFor?: readonly string[];
  readonly actions?: ActionsByKind;
  /** Its period reads every object of its kind anew, each in a run. */
  readonly rereadsAll?: true;
  /** What users notice while it is paused, a sentence. */
  readonly whilePaused?: string;
  readonly enabledByDefault: boolean;
}

/** Whether a text names a controller, also one that this release does not know. */
export function isControllerName(text: string): text is ControllerName {
  return isKnownController(text) || /^[a-z0-9-]+-controller$/.test(text);
}

/** Whether it is a controller of this release. */
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
