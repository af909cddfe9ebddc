import {
  always,
  boolean,
  type Infer,
  integer,
  list,
  mapOf,
  nullable,
  quantity,
  struct,
  text,
  time,
} from "../schema/schema.ts";
import { objectMeta } from "./metadata.ts";

const taint = struct(
  "Taint",
  {
    key: always(text),
    value: text,
    effect: always(text),
    timeAdded: time,
  },
  "key value effect timeAdded",
);

const configMapSource = struct(
  "ConfigMapNodeConfigSource",
  {
    namespace: always(text),
    name: always(text),
    uid: text,
    resourceVersion: text,
    kubeletConfigKey: always(text),
  },
  "namespace name uid resourceVersion kubeletConfigKey",
);
const configSource = struct("NodeConfigSource", { configMap: configMapSource }, "- configMap");

const nodeSpec = struct(
  "NodeSpec",
  {
    podCIDR: text,
    podCIDRs: list(text, "set"),
    providerID: text,
    unschedulable: boolean,
    taints: list(taint),
    configSource,
    externalID: text,
  },
  "podCIDR externalID providerID unschedulable taints configSource podCIDRs",
);

const nodeCondition = struct(
  "NodeCondition",
  {
    type: always(text),
    status: always(text),
    lastHeartbeatTime: always(time),
    lastTransitionTime: always(time),
    reason: text,
    message: text,
  },
  "type status lastHeartbeatTime lastTransitionTime reason message",
);

const nodeAddress = struct(
  "NodeAddress",
  { type: always(text), address: always(text) },
  "type address",
);

const nodeInfo = struct(
  "NodeSystemInfo",
  {
    machineID: always(text),
    systemUUID: always(text),
    bootID: always(text),
    kernelVersion: always(text),
    osImage: always(text),
    containerRuntimeVersion: always(text),
    kubeletVersion: always(text),
    kubeProxyVersion: always(text),
    operatingSystem: always(text),
    architecture: always(text),
    swap: struct("NodeSwapStatus", { capacity: nullable(integer) }, "capacity"),
    runningInUserNamespace: nullable(boolean),
  },
  "machineID systemUUID bootID kernelVersion osImage containerRuntimeVersion kubeletVersion kubeProxyVersion operatingSystem architecture swap runningInUserNamespace",
);

const runtimeHandler = struct(
  "NodeRuntimeHandler",
  {
    name: always(text),
    features: struct(
      "NodeRuntimeHandlerFeatures",
      {
        recursiveReadOnlyMounts: nullable(boolean),
        userNamespaces: nullable(boolean),
      },
      "recursiveReadOnlyMounts userNamespaces",
    ),
  },
  "name features",
);

const nodeStatus = struct(
  "NodeStatus",
  {
    capacity: mapOf(quantity),
    allocatable: mapOf(quantity),
    phase: text,
    conditions: list(nodeCondition, { key: "type" }),
    addresses: list(nodeAddress, { key: "type" }),
    daemonEndpoints: always(
      struct(
        "NodeDaemonEndpoints",
        {
          kubeletEndpoint: always(struct("DaemonEndpoint", { Port: always(integer) }, "Port")),
        },
        "kubeletEndpoint",
      ),
    ),
    nodeInfo: always(nodeInfo),
    images: list(
      struct("ContainerImage", { names: list(text), sizeBytes: integer }, "names sizeBytes"),
    ),
    volumesInUse: list(text),
    volumesAttached: list(
      struct("AttachedVolume", { name: always(text), devicePath: always(text) }, "name devicePath"),
    ),
    config: struct(
      "NodeConfigStatus",
      {
        assigned: configSource,
        active: configSource,
        lastKnownGood: configSource,
        error: text,
      },
      "assigned active lastKnownGood error",
    ),
    runtimeHandlers: list(runtimeHandler),
    features: struct(
      "NodeFeatures",
      { supplementalGroupsPolicy: nullable(boolean) },
      "supplementalGroupsPolicy",
    ),
    declaredFeatures: list(text),
  },
  "capacity allocatable phase conditions addresses daemonEndpoints nodeInfo images volumesInUse volumesAttached config runtimeHandlers features declaredFeatures",
);

export const nodeSchema = struct(
  "Node",
  {
    metadata: always(objectMeta),
    spec: always(nodeSpec),
    status: always(nodeStatus),
  },
  "metadata spec status",
);

export type Node = Infer<typeof nodeSchema>;
export type Taint = Infer<typeof taint>;
export type NodeCondition = Infer<typeof nodeCondition>;
