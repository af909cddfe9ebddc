import { createHash } from "node:crypto";
import { type Machine, nodeIp } from "./machine.ts";

const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
export const PROVIDED_NODE_IP = "alpha.kubernetes.io/provided-node-ip";

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastHeartbeatTime: string;
  readonly lastTransitionTime: string;
}

export interface Moment {
  readonly now: number;
  /** The version of the cluster, such as `v1.37.1`. */
  readonly kubeletVersion: string;
}

/** Returns the Node that a kubelet with `--cloud-provider=external` and `--node-ip` registers (spec/00 §1). */
export function nodeObject(machine: Machine, { now, kubeletVersion }: Moment) {
  const { name } = machine;
  const ip = nodeIp(machine);
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "beta.kubernetes.io/arch": ARCHITECTURE,
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": ARCHITECTURE,
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
      },
      annotations: {
        ...(ip === undefined ? {} : { [PROVIDED_NODE_IP]: ip }),
        "volumes.kubernetes.io/controller-managed-attach-detach": "true",
      },
    },
    spec: { taints: [{ key: UNINITIALIZED, value: "true", effect: "NoSchedule" }] },
    status: {
      addresses: [
        ...(ip === undefined ? [] : [{ type: "InternalIP", address: ip }]),
        { type: "Hostname", address: name },
      ],
      capacity: resources(machine),
      allocatable: resources(machine),
      conditions: conditionsOf(new Map(), now),
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
      nodeInfo: nodeInfo(machine, kubeletVersion),
    },
  };
}

const ARCHITECTURE = "amd64";

function resources({ cpu, memoryMiB }: Machine) {
  return {
    cpu: String(cpu),
    "ephemeral-storage": "100Gi",
    memory: `${memoryMiB}Mi`,
    pods: "110",
  };
}

/** Machine and boot ids look real and stay the same for the same machine. */
function nodeInfo({ id }: Machine, kubeletVersion: string) {
  const digest = createHash("sha256").update(id).digest("hex");
  const uuid = digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return {
    architecture: ARCHITECTURE,
    bootID: uuid,
    containerRuntimeVersion: "containerd://2.1.4",
    kernelVersion: "6.12.0-sandbox",
    kubeProxyVersion: "",
    kubeletVersion,
    machineID: digest.slice(32),
    operatingSystem: "linux",
    osImage: "Cloudwright Sandbox Linux",
    systemUUID: uuid,
  };
}

const HEALTHY = [
  [
    "MemoryPressure",
    "False",
    "KubeletHasSufficientMemory",
    "kubelet has sufficient memory available",
  ],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
] as const;

/** The Node's current conditions, by type. */
export type KnownConditions = ReadonlyMap<
  string,
  { readonly status: string; readonly lastTransitionTime: string | undefined }
>;

/** Returns the conditions of a healthy kubelet; one whose status does not change keeps the time of its last change. */
export function conditionsOf(known: KnownConditions, now: number): Condition[] {
  const stamp = kubeTime(now);
  return HEALTHY.map(([type, status, reason, message]) => {
    const old = known.get(type);
    const since = old?.status === status ? old.lastTransitionTime : undefined;
    return {
      type,
      status,
      reason,
      message,
      lastHeartbeatTime: stamp,
      lastTransitionTime: since ?? stamp,
    };
  });
}

export function leaseObject(name: string, { nodeUid, now }: { nodeUid: string; now: number }) {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name,
      namespace: LEASE_NAMESPACE,
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid: nodeUid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime(now) },
  };
}

export const LEASE_NAMESPACE = "kube-node-lease";

/** Formats Kubernetes' Time: whole seconds. */
function kubeTime(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Formats Kubernetes' MicroTime. */
export function microTime(now: number): string {
  return new Date(now).toISOString().replace("Z", "000Z");
}
