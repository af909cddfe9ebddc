/** What each control loop is called, everywhere: rows, URLs, metrics, Events, flags (spec/00 §3). */
export const CONTROLLERS = {
  "cloud-node-controller": {
    label: "Node initialisation",
    folder: "node",
    aliases: ["cloud-node"],
    metricName: "cloud-node",
    eventSource: "cloud-node-controller",
    queueName: "Nodes",
    serviceAccount: "node-controller",
    objectKind: "Node",
    depth: "initialisation",
    reportsOn: "all",
    enabledByDefault: true,
  },
  "cloud-node-lifecycle-controller": {
    label: "Node lifecycle",
    folder: "node-lifecycle",
    aliases: ["cloud-node-lifecycle"],
    metricName: "cloud-node-lifecycle",
    eventSource: "cloud-node-lifecycle-controller",
    queueName: "NodeLifecycle",
    serviceAccount: "node-controller",
    objectKind: "Node",
    depth: "machine",
    reportsOn: "silentNodes",
    enabledByDefault: true,
  },
  "service-lb-controller": {
    label: "Load balancers",
    folder: "service",
    aliases: ["service"],
    metricName: "service",
    eventSource: "service-controller",
    queueName: "service",
    serviceAccount: "service-controller",
    objectKind: "Service",
    depth: "network",
    reportsOn: "all",
    enabledByDefault: true,
  },
  "node-route-controller": {
    label: "Routes",
    folder: "route",
    aliases: ["route"],
    metricName: "route",
    eventSource: "route_controller",
    queueName: "Routes",
    serviceAccount: "route-controller",
    objectKind: "Node",
    depth: "network",
    reportsOn: "all",
    enabledByDefault: true,
  },
  "node-ipam-controller": {
    label: "Node IPAM",
    folder: "node-ipam",
    aliases: ["nodeipam"],
    metricName: "nodeipam",
    eventSource: "cidrAllocator",
    queueName: "cidrallocator_node",
    serviceAccount: "node-controller",
    objectKind: "Node",
    depth: "podRange",
    reportsOn: "all",
    enabledByDefault: false,
  },
  /** Ours: upstream's volume labels are history (spec/50 §9). */
  "volume-label-controller": {
    label: "Volume labels and growth",
    folder: "volume",
    aliases: ["volume", "pvlabel"],
    metricName: "volume-label",
    eventSource: "volume-label-controller",
    queueName: "pvLabels",
    serviceAccount: "volume-controller",
    objectKind: "PersistentVolume",
    depth: "volume",
    reportsOn: "all",
    enabledByDefault: false,
  },
} as const satisfies Record<string, ControllerDescription>;

export type ControllerName = keyof typeof CONTROLLERS;
export type ControllerFolder = (typeof CONTROLLERS)[ControllerName]["folder"];

export const CONTROLLER_NAMES = Object.keys(CONTROLLERS) as readonly ControllerName[];

/** The canonical name behind a canonical name or one of upstream's frozen aliases, or undefined. */
export function canonicalControllerName(nameOrAlias: string): ControllerName | undefined {
  return CONTROLLER_NAMES.find(
    (name) => name === nameOrAlias || aliasesOf(name).includes(nameOrAlias),
  );
}

interface ControllerDescription {
  readonly label: string;
  readonly folder: string;
  readonly aliases: readonly string[];
  readonly metricName: string;
  readonly eventSource: string;
  readonly queueName: string;
  readonly serviceAccount: string;
  readonly objectKind: "Node" | "Service" | "PersistentVolume";
  /** How deep what it does lies among the causes of a trouble; see `reasons/define.ts`. */
  readonly depth: "machine" | "initialisation" | "identity" | "podRange" | "network" | "volume";
  /** Of which objects its report is waited for: of a Ready node the lifecycle has nothing to say. */
  readonly reportsOn: "all" | "silentNodes";
  readonly enabledByDefault: boolean;
}

function aliasesOf(name: ControllerName): readonly string[] {
  return CONTROLLERS[name].aliases;
}
