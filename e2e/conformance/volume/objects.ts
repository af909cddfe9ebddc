import type { Kube, KubeObject } from "../../harness/kube.ts";
import { demand, eventually } from "../../harness/wait.ts";
import type { Environment } from "../environment/scenario.ts";

export const VOLUMES = "/api/v1/persistentvolumes";
const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";

export const ZONE = "topology.kubernetes.io/zone";
export const REGION = "topology.kubernetes.io/region";
export const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

export interface Term {
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface Volume extends KubeObject {
  spec: {
    capacity: { storage: string };
    nodeAffinity?: { required: { nodeSelectorTerms: Term[] } };
  };
}

export interface Claim extends KubeObject {
  spec: { resources: { requests: { storage: string } } };
  status: {
    capacity?: { storage: string };
    conditions?: { type: string; status: string }[];
  };
}

export interface Disk {
  readonly id: string;
  readonly zone: string;
  readonly region: string;
  readonly sizeGiB: number;
}

export function createDisk({ cloud }: Environment, name: string, more: object = {}): Promise<Disk> {
  return cloud.v1("POST", "/v1/volumes", { name, zone: "z1", region: "r1", sizeGiB: 1, ...more });
}

export function diskNow({ cloud }: Environment, { id }: Pick<Disk, "id">): Promise<Disk> {
  return cloud.v1("GET", `/v1/volumes/${id}`);
}

export interface VolumeOptions {
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly terms?: readonly Term[];
  /** Replaces the sandbox's own source. */
  readonly source?: object;
  readonly spec?: object;
}

/** Creates a PersistentVolume for a disk of the sandbox, as a user would; returns it as created. */
export function createVolume(
  { kube }: Environment,
  name: string,
  { disk = "", ...options }: VolumeOptions & { readonly disk?: string },
): Promise<Volume> {
  return kube.create(VOLUMES, volumeBody(name, { disk, ...options }));
}

export function volumeBody(
  name: string,
  options: VolumeOptions & { readonly disk: string },
): object {
  const { labels, annotations, terms, source, spec, disk } = options;
  const flexVolume = { driver: "sandbox.cloudwright.io/disk", options: { volumeID: disk } };
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name, labels, annotations },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      ...(source ?? { flexVolume }),
      ...(terms === undefined ? {} : { nodeAffinity: { required: { nodeSelectorTerms: terms } } }),
      ...spec,
    },
  };
}

/** Returns the requirement for one label in a term. */
export function within(key: string, ...values: string[]) {
  return { key, operator: "In", values };
}

export function termsOf({ spec }: Volume): Term[] | undefined {
  return spec.nodeAffinity?.required.nodeSelectorTerms;
}

export function placeOf({ metadata }: Volume): (string | undefined)[] {
  return [metadata.labels?.[ZONE], metadata.labels?.[REGION]];
}

export function volumeNow({ kube }: Environment, name: string): Promise<Volume> {
  return kube.get(`${VOLUMES}/${name}`);
}

/** Waits until the volume passes the check; returns it. */
export function untilVolume(
  env: Environment,
  name: string,
  check: (volume: Volume) => void,
): Promise<Volume> {
  return eventually(async () => {
    const volume = await volumeNow(env, name);
    check(volume);
    return volume;
  });
}

export function claimNow({ kube }: Environment, name: string): Promise<Claim> {
  return kube.get(`${CLAIMS}/${name}`);
}

export interface BoundOptions {
  readonly disk: Disk;
  readonly grows: boolean;
  readonly spec?: object;
  /** The requested size; by default 1Gi, which it has. */
  readonly asks?: string;
}

/** Creates a claim with its volume and class of the same name, bound as by a cluster's binder. */
export async function bound(env: Environment, name: string, options: BoundOptions): Promise<void> {
  const { kube } = env;
  const { disk, grows, spec = {}, asks = "1Gi" } = options;
  await kube.create(CLASSES, {
    metadata: { name },
    provisioner: "sandbox.cloudwright.io/disk",
    allowVolumeExpansion: grows,
  });
  const claim = await kube.create<Claim>(CLAIMS, {
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: name,
      volumeName: name,
      resources: { requests: { storage: asks } },
      ...spec,
    },
  });
  const claimRef = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    namespace: "default",
    name,
    uid: claim.metadata.uid,
  };
  await createVolume(env, name, {
    disk: disk.id,
    spec: { storageClassName: name, claimRef, ...spec },
  });
  await kube.patch(`${CLAIMS}/${name}/status`, "merge", {
    status: { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } },
  });
}

/** Requests another size, as a user would with kubectl. */
export function ask({ kube }: Environment, name: string, storage: string): Promise<Claim> {
  return kube.patch(`${CLAIMS}/${name}`, "merge", {
    spec: { resources: { requests: { storage } } },
  });
}

export function conditionsOf({ status }: Claim): string[] {
  return (status.conditions ?? []).map((condition) => `${condition.type} ${condition.status}`);
}

/** Waits for an Event with this reason on the object. */
export async function reportedOn(
  { events }: Environment,
  { kind, name }: { readonly kind: string; readonly name: string },
  reason: string,
): Promise<void> {
  await eventually(
    () => {
      const about = events
        .all()
        .filter(({ involvedObject: of }) => of.kind === kind && of.name === name);
      const said = about.map((event) => `${event.type} ${event.reason}: ${event.message}`);
      demand(
        about.some((event) => event.reason === reason),
        `no ${reason} about ${kind} ${name} in: ${said.join("; ")}`,
      );
    },
    { on: events },
  );
}

/** Removes the rows' volumes and their finalizers, which no controller is left to remove. */
export async function dropVolumes(kube: Kube): Promise<void> {
  for (const path of [CLAIMS, VOLUMES, CLASSES]) {
    const { items } = await kube.list(path);
    for (const { metadata } of items.filter((item) => /^[vhp]-\d\d/.test(item.metadata.name))) {
      const one = `${path}/${metadata.name}`;
      await kube.delete(one).catch(() => undefined);
      const free = { metadata: { finalizers: null } };
      await kube.patch(one, "merge", free).catch(() => undefined);
    }
  }
}
