import {
  always,
  anything,
  boolean,
  type Infer,
  list,
  mapOf,
  nullable,
  quantity,
  struct,
  text,
  time,
} from "../../schema/schema.ts";
import { objectMeta } from "../metadata.ts";
import { objectReference } from "../object-reference.ts";

const requirement = struct(
  "NodeSelectorRequirement",
  { key: always(text), operator: always(text), values: list(text) },
  "key operator values",
);
const term = struct(
  "NodeSelectorTerm",
  { matchExpressions: list(requirement), matchFields: list(requirement) },
  "matchExpressions matchFields",
);
const nodeAffinity = struct(
  "VolumeNodeAffinity",
  {
    required: struct(
      "NodeSelector",
      { nodeSelectorTerms: always(list(term)) },
      "nodeSelectorTerms",
    ),
  },
  "required",
);

const secret = struct("SecretReference", { name: text, namespace: text }, "name namespace");

/** The kinds of volumes that a cloud's controllers encounter are spelled out; others are stored as written. */
const source = {
  gcePersistentDisk: anything,
  awsElasticBlockStore: anything,
  hostPath: struct("HostPathVolumeSource", { path: always(text), type: nullable(text) }),
  glusterfs: anything,
  nfs: struct("NFSVolumeSource", { server: always(text), path: always(text), readOnly: boolean }),
  rbd: anything,
  iscsi: anything,
  cinder: anything,
  cephfs: anything,
  fc: anything,
  flocker: anything,
  flexVolume: anything,
  azureFile: anything,
  vsphereVolume: anything,
  quobyte: anything,
  azureDisk: anything,
  photonPersistentDisk: anything,
  portworxVolume: anything,
  scaleIO: anything,
  local: struct("LocalVolumeSource", { path: always(text), fsType: nullable(text) }),
  storageos: anything,
  csi: struct("CSIPersistentVolumeSource", {
    driver: always(text),
    volumeHandle: always(text),
    readOnly: boolean,
    fsType: text,
    volumeAttributes: mapOf(text),
    controllerPublishSecretRef: secret,
    nodeStageSecretRef: secret,
    nodePublishSecretRef: secret,
    controllerExpandSecretRef: secret,
    nodeExpandSecretRef: secret,
  }),
};

/** The members of the spec that define the volume; exactly one of them is set. */
export const SOURCES = Object.keys(source).filter((key): key is SourceKey => key in source);
type SourceKey = keyof typeof source;

export const persistentVolumeSchema = struct("PersistentVolume", {
  metadata: always(objectMeta),
  spec: always(
    struct("PersistentVolumeSpec", {
      capacity: mapOf(quantity),
      ...source,
      accessModes: list(text),
      claimRef: objectReference,
      persistentVolumeReclaimPolicy: text,
      storageClassName: text,
      mountOptions: list(text),
      volumeMode: nullable(text),
      nodeAffinity,
      volumeAttributesClassName: nullable(text),
    }),
  ),
  status: always(
    struct("PersistentVolumeStatus", {
      phase: text,
      message: text,
      reason: text,
      lastPhaseTransitionTime: time,
    }),
  ),
});

export type PersistentVolume = Infer<typeof persistentVolumeSchema>;
export type NodeSelectorTerm = Infer<typeof term>;
export type NodeSelectorRequirement = Infer<typeof requirement>;
