import type { Volumes } from "@cloudwright/provider-api";
import type { PersistentVolume, PersistentVolumeClaim } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import { annotationOf, nameOf, uidOf } from "../objects/object-meta.ts";

/** Set by provisioners, whose volumes have labels that are trusted (spec/50 §3). */
export const PROVISIONED_BY_ANNOTATION = "pv.kubernetes.io/provisioned-by";
/** The disk of a volume that is still being created: it must not be looked up (spec/50 §3). */
export const PLACEHOLDER_ID = "placeholder-for-provisioning";

/**
 * Where claims named their class before there was a field; API servers still respect it, in preference to the field.
 */
export const BETA_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** Returns the storage class that a claim names; empty if it names none. */
export function classNameOf(claim: PersistentVolumeClaim): string {
  return annotationOf(claim, BETA_CLASS_ANNOTATION) ?? claim.spec?.storageClassName ?? "";
}

export function refOf(volume: PersistentVolume): ObjectRef {
  return { kind: "PersistentVolume", name: nameOf(volume), uid: uidOf(volume) };
}

/**
 * Returns the id of the disk behind a volume; undefined if its source is not of this cloud, and always for CSI
 * volumes.
 */
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

/** Returns the informer's key of the claim to which a volume is bound. */
export function claimKeyOf({ spec }: PersistentVolume): string | undefined {
  const { namespace, name } = spec?.claimRef ?? {};
  return namespace === undefined || name === undefined ? undefined : `${namespace}/${name}`;
}

/** Returns the claim if it and the volume refer to each other and neither is being deleted. */
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
