import { ageOf } from "../../tables/age.ts";
import { nameColumn } from "../../tables/common-columns.ts";
import { type ClusterState, timestamp } from "../cluster-state.ts";
import { defineResource } from "../define-resource.ts";
import type { Column } from "../definition.ts";
import { accessModesText } from "./access-modes.ts";
import { persistentVolumeProblems } from "./persistent-volume-problems.ts";
import { type PersistentVolume, persistentVolumeSchema } from "./persistent-volume-schema.ts";

/** The finalizer that upstream's admission StorageObjectInUseProtection adds. */
export const VOLUME_FINALIZER = "kubernetes.io/pv-protection";

export const persistentVolumes = defineResource(
  {
    group: "",
    version: "v1",
    kind: "PersistentVolume",
    plural: "persistentvolumes",
    shortNames: ["pv"],
    namespaced: false,
    hasStatus: true,
    returnsDeleted: true,
  },
  {
    schema: persistentVolumeSchema,
    rules: {
      defaults: volumeDefaults,
      onCreate: (volume, state) => ({
        ...volume,
        metadata: withFinalizer(volume.metadata, VOLUME_FINALIZER),
        status: { phase: "Pending", lastPhaseTransitionTime: timestamp(state) },
      }),
      onUpdate: withTransition,
      problems: persistentVolumeProblems,
      columns: volumeColumns(),
    },
  },
);

/** Returns the metadata with the finalizer appended, unless it is already there. */
export function withFinalizer<Meta extends { readonly finalizers?: readonly string[] }>(
  metadata: Meta,
  finalizer: string,
): Meta {
  const { finalizers = [] } = metadata;
  return finalizers.includes(finalizer)
    ? metadata
    : { ...metadata, finalizers: [...finalizers, finalizer] };
}

function volumeDefaults(volume: PersistentVolume): PersistentVolume {
  const { spec, status } = volume;
  const { hostPath, persistentVolumeReclaimPolicy = "Retain", volumeMode = "Filesystem" } = spec;
  return {
    ...volume,
    spec: {
      ...spec,
      persistentVolumeReclaimPolicy,
      volumeMode,
      ...(hostPath === undefined ? {} : { hostPath: { ...hostPath, type: hostPath.type ?? "" } }),
    },
    status: { ...status, phase: status.phase ?? "Pending" },
  };
}

/** Sets the server's time for a change of phase, unless the writer gives one. */
function withTransition(
  volume: PersistentVolume,
  before: PersistentVolume,
  state: ClusterState,
): PersistentVolume {
  const { phase, lastPhaseTransitionTime: time } = volume.status;
  const { lastPhaseTransitionTime: past = null } = before.status;
  const isSame = phase === before.status.phase;
  const isReported = time !== undefined && time !== null && (isSame || time !== past);
  if (isReported) return volume;
  const moment = isSame ? past : timestamp(state);
  return { ...volume, status: { ...volume.status, lastPhaseTransitionTime: moment } };
}

function volumeColumns(): readonly Column<PersistentVolume>[] {
  return [
    nameColumn,
    ["Capacity", "How much the volume holds.", ({ spec }) => spec.capacity?.storage ?? "0"],
    [
      "Access Modes",
      "How nodes may use the volume.",
      ({ spec }) => accessModesText(spec.accessModes),
    ],
    [
      "Reclaim Policy",
      "What becomes of the volume without its claim.",
      ({ spec }) => spec.persistentVolumeReclaimPolicy ?? "",
    ],
    ["Status", "The volume's phase.", phaseText],
    ["Claim", "Which claim has the volume.", claimText],
    ["StorageClass", "The volume's storage class.", ({ spec }) => spec.storageClassName ?? ""],
    [
      "VolumeAttributesClass",
      "The volume's class of attributes.",
      ({ spec }) => spec.volumeAttributesClassName ?? "<unset>",
    ],
    ["Reason", "Why the volume failed.", ({ status }) => status.reason ?? ""],
    [
      "Age",
      "How long ago the server created the volume.",
      ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
    ],
    ["VolumeMode", "Block or Filesystem.", ({ spec }) => spec.volumeMode ?? "<unset>", "wide"],
  ];
}

function phaseText({ metadata, status }: PersistentVolume): string {
  return metadata.deletionTimestamp === undefined ? (status.phase ?? "") : "Terminating";
}

function claimText({ spec: { claimRef } }: PersistentVolume): string {
  return claimRef === undefined ? "" : `${claimRef.namespace ?? ""}/${claimRef.name ?? ""}`;
}
