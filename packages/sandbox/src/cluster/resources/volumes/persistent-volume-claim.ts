import { ageOf } from "../../tables/age.ts";
import { nameColumn } from "../../tables/common-columns.ts";
import { defineResource } from "../define-resource.ts";
import type { Column } from "../definition.ts";
import { accessModesText } from "./access-modes.ts";
import { admitClaim, claimProblems } from "./claim-rules.ts";
import { withFinalizer } from "./persistent-volume.ts";
import { claimSchema, type PersistentVolumeClaim } from "./persistent-volume-claim-schema.ts";

/** The finalizer that upstream's admission StorageObjectInUseProtection adds. */
export const CLAIM_FINALIZER = "kubernetes.io/pvc-protection";

export const persistentVolumeClaims = defineResource(
  {
    group: "",
    version: "v1",
    kind: "PersistentVolumeClaim",
    plural: "persistentvolumeclaims",
    shortNames: ["pvc"],
    namespaced: true,
    hasStatus: true,
    returnsDeleted: true,
  },
  {
    schema: claimSchema,
    rules: {
      defaults: claimDefaults,
      admit: admitClaim,
      onCreate: (claim) => ({
        ...claim,
        metadata: withFinalizer(claim.metadata, CLAIM_FINALIZER),
        status: { phase: "Pending" },
      }),
      problems: claimProblems,
      columns: claimColumns(),
    },
  },
);

function claimDefaults(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const { spec, status } = claim;
  return {
    ...claim,
    spec: { ...spec, volumeMode: spec.volumeMode ?? "Filesystem" },
    status: { ...status, phase: status.phase ?? "Pending" },
  };
}

function claimColumns(): readonly Column<PersistentVolumeClaim>[] {
  const isBound = ({ spec }: PersistentVolumeClaim) => spec.volumeName !== undefined;
  return [
    nameColumn,
    [
      "Status",
      "The claim's phase.",
      ({ metadata, status }) =>
        metadata.deletionTimestamp === undefined ? (status.phase ?? "") : "Terminating",
    ],
    ["Volume", "The volume that the claim has.", ({ spec }) => spec.volumeName ?? ""],
    [
      "Capacity",
      "How much the volume holds.",
      (claim) => (isBound(claim) ? (claim.status.capacity?.storage ?? "0") : ""),
    ],
    [
      "Access Modes",
      "How nodes may use the volume.",
      (claim) => (isBound(claim) ? accessModesText(claim.status.accessModes) : ""),
    ],
    ["StorageClass", "The claim's storage class.", ({ spec }) => spec.storageClassName ?? ""],
    [
      "VolumeAttributesClass",
      "The claim's class of attributes.",
      ({ spec }) => spec.volumeAttributesClassName ?? "<unset>",
    ],
    [
      "Age",
      "How long ago the server created the claim.",
      ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
    ],
    ["VolumeMode", "Block or Filesystem.", ({ spec }) => spec.volumeMode ?? "<unset>", "wide"],
  ];
}
