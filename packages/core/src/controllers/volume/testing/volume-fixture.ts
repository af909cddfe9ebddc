import type { VolumeFacts, VolumeLookup } from "@cloudwright/provider-api";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from "../../../kube/client.ts";
import type { VolumeObserved } from "../observed.ts";

type VolumeSpec = NonNullable<PersistentVolume["spec"]>;

export interface VolumeShape {
  readonly name?: string;
  readonly disk?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly terms?: readonly object[];
  readonly capacity?: string;
  readonly spec?: Partial<VolumeSpec>;
}

const DRIVER = "p.example/disk";

/** Returns a volume of the provider `p` like the API server's, bound to the claim `shop/data`. */
export function volume(shape: VolumeShape = {}): PersistentVolume {
  const { name = "pv-1", disk = "vol-1", labels, annotations, terms, capacity = "10Gi" } = shape;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name,
      uid: `uid-${name}`,
      resourceVersion: "1",
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      capacity: { storage: capacity },
      accessModes: ["ReadWriteOnce"],
      volumeMode: "Filesystem",
      storageClassName: "fast",
      claimRef: { namespace: "shop", name: "data", uid: "uid-data" },
      flexVolume: { driver: DRIVER, options: { volumeID: disk } },
      ...(terms === undefined ? {} : { nodeAffinity: affinityOf(terms) }),
      ...shape.spec,
    },
    status: { phase: "Bound" },
  };
}

function affinityOf(terms: readonly object[]): NonNullable<VolumeSpec["nodeAffinity"]> {
  return { required: { nodeSelectorTerms: terms } };
}

export interface ClaimShape {
  /** The requested capacity. */
  readonly asks?: string;
  readonly has?: string;
  readonly volume?: string;
  readonly storageClass?: string;
  readonly phase?: string;
  readonly pending?: boolean;
}

/** Returns the claim `shop/data`, bound to `pv-1`. */
export function claim(shape: ClaimShape = {}): PersistentVolumeClaim {
  const { asks = "10Gi", has = "10Gi", volume: volumeName = "pv-1", phase = "Bound" } = shape;
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace: "shop", name: "data", uid: "uid-data", resourceVersion: "1" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      volumeName,
      storageClassName: shape.storageClass ?? "fast",
      resources: { requests: { storage: asks } },
    },
    status: {
      phase,
      capacity: { storage: has },
      ...(shape.pending === true
        ? { conditions: [{ type: "FileSystemResizePending", status: "True" }] }
        : {}),
    },
  };
}

export function storageClass(allowVolumeExpansion = true, name = "fast"): StorageClass {
  return {
    metadata: { name, uid: `uid-${name}`, resourceVersion: "1" },
    provisioner: "p.example",
    allowVolumeExpansion,
  };
}

export function facts(shape: Partial<VolumeFacts> = {}): VolumeFacts {
  return {
    id: "vol-1",
    zone: "z1",
    region: "r1",
    additionalLabels: {},
    sizeGiB: 10,
    asOf: 0,
    ...shape,
  };
}

export function found(shape: Partial<VolumeFacts> = {}): VolumeLookup {
  return { kind: "found", facts: facts(shape) };
}

/** The provider's `identify`. */
export function identify(source: Readonly<Record<string, unknown>>): string | undefined {
  const flexible = source.flexVolume as VolumeSpec["flexVolume"];
  return flexible?.driver === DRIVER ? flexible.options?.volumeID : undefined;
}

/** Returns the observation of a volume and a claim that need nothing, unless the test says otherwise. */
export function observed(shape: Partial<VolumeObserved> = {}): VolumeObserved {
  const seen = facts();
  return {
    volume: volume({ labels: LABELS, terms: [{ matchExpressions: EXPRESSIONS }] }),
    provider: "p",
    grows: true,
    disk: "vol-1",
    lookup: { kind: "found", facts: seen },
    facts: seen,
    claim: claim(),
    storageClass: storageClass(),
    requested: undefined,
    known: { lookup: { kind: "found", facts: seen }, facts: seen },
    isRequested: true,
    ...shape,
  };
}

export const LABELS: Readonly<Record<string, string>> = {
  "topology.kubernetes.io/zone": "z1",
  "topology.kubernetes.io/region": "r1",
};

export const EXPRESSIONS = [
  { key: "topology.kubernetes.io/zone", operator: "In", values: ["z1"] },
  { key: "topology.kubernetes.io/region", operator: "In", values: ["r1"] },
] as const;
