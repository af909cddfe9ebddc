import type { Volumes } from "@cloudwright/provider-api";
import type { PersistentVolume, PersistentVolumeClaim } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import { annotationOf, nameOf, uidOf } from "../objects/object-meta.ts";

/** Set by provisioners; of their volumes the labels are trusted (spec/50 §3). */
export const PROVISIONED_BY_ANNOTATION = "pv.kubernetes.io/provisioned-by";
/** The disk of a volume that is only being made: it is not to be looked up (spec/50 §3). */
export const PLACEHOLDER_ID = "placeholder-for-provisioning";

/** Where claims named their class before there was a field for it; API servers still heed it, and before the field. */
export const BETA_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** The storage class that a claim names; empty where it names none. */
export function classNameOf(claim: PersistentVolumeClaim): string {
  return annotationOf(claim, BETA_CLASS_ANNOTATION) ?? claim.spec?.storageClassName ?? "";
}

export function refOf(volume: PersistentVolume): ObjectRef {
  return { kind: "PersistentVolume", name: nameOf(volume), uid: uidOf(volume) };
}

/** The id of the disk behind a volume; undefined when its source is not of this cloud, and always of CSI volumes. */
export function diskOf(
  { spec }: PersistentVolume,
  { identify }: Pick<Volumes, "identify">,
): string | undefined {
  const {
    accessModes: _accessModes,
    capacity: _capacity,
    claimRef: _claimRef,
    mountOptions: _mountOptions,
    nodeAffinity: _nodeAffinity,
    persistentVolumeReclaimPolicy: _policy,
    storageClassName: _class,
    volumeAttributesClassName: _attributes,
    volumeMode: _mode,
    ...source
  } = spec ?? {};
  return "csi" in source ? undefined : identify(source);
}

/** The claims informer's key of the claim that a volume is bound to. */
export function claimKeyOf({ spec }: PersistentVolume): string | undefined {
  const { namespace, name } = spec?.claimRef ?? {};
  return namespace === undefined || name === undefined ? undefined : `${namespace}/${name}`;
}

/** The claim that a volume and it agree on, while neither is being deleted. */
export function boundClaim(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim | undefined,
): PersistentVolumeClaim | undefined {
  const isBound =
    claim?.status?.phase === "Bound" &&
    claim.spec?.volumeName === nameOf(volume) &&
    volume.spec?.claimRef?.uid === uidOf(claim);
  const isGoing = [volume, claim].some((one) => one?.metadata?.deletionTimestamp !== undefined);
  return isBound && !isGoing ? claim : undefined;
}
