import {
  always,
  anything,
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

const claimSpec = struct("PersistentVolumeClaimSpec", {
  accessModes: list(text),
  selector: struct("LabelSelector", {
    matchLabels: mapOf(text),
    matchExpressions: list(
      struct("LabelSelectorRequirement", {
        key: always(text),
        operator: always(text),
        values: list(text),
      }),
    ),
  }),
  resources: always(
    struct("VolumeResourceRequirements", {
      limits: mapOf(quantity),
      requests: mapOf(quantity),
    }),
  ),
  volumeName: text,
  storageClassName: nullable(text),
  volumeMode: nullable(text),
  dataSource: anything,
  dataSourceRef: anything,
  volumeAttributesClassName: nullable(text),
});

export const claimSchema = struct("PersistentVolumeClaim", {
  metadata: always(objectMeta),
  spec: always(claimSpec),
  status: always(
    struct("PersistentVolumeClaimStatus", {
      phase: text,
      accessModes: list(text),
      capacity: mapOf(quantity),
      conditions: list(
        struct("PersistentVolumeClaimCondition", {
          type: always(text),
          status: always(text),
          lastProbeTime: always(time),
          lastTransitionTime: always(time),
          reason: text,
          message: text,
        }),
        { key: "type" },
      ),
      allocatedResources: mapOf(quantity),
      allocatedResourceStatuses: mapOf(text),
      currentVolumeAttributesClassName: nullable(text),
      modifyVolumeStatus: anything,
    }),
  ),
});

export type PersistentVolumeClaim = Infer<typeof claimSchema>;
