import { qualifiedNameProblems } from "../../rules/names.ts";
import { invalidValue, type Problem, required, unsupportedValue } from "../../rules/problem.ts";
import {
  always,
  boolean,
  type Infer,
  list,
  mapOf,
  nullable,
  struct,
  text,
} from "../../schema/schema.ts";
import { ageColumn, nameColumn } from "../../tables/common-columns.ts";
import { defineResource } from "../define-resource.ts";
import { objectMeta } from "../metadata.ts";
import { IMMUTABLE, immutableProblems } from "./access-modes.ts";

const topology = struct(
  "TopologySelectorTerm",
  {
    matchLabelExpressions: list(
      struct(
        "TopologySelectorLabelRequirement",
        { key: always(text), values: always(list(text)) },
        "key values",
      ),
    ),
  },
  "matchLabelExpressions",
);

const storageClassSchema = struct(
  "StorageClass",
  {
    metadata: always(objectMeta),
    provisioner: always(text),
    parameters: mapOf(text),
    reclaimPolicy: nullable(text),
    mountOptions: list(text),
    allowVolumeExpansion: nullable(boolean),
    volumeBindingMode: nullable(text),
    allowedTopologies: list(topology),
  },
  "metadata provisioner parameters reclaimPolicy mountOptions allowVolumeExpansion volumeBindingMode allowedTopologies",
);

export type StorageClass = Infer<typeof storageClassSchema>;

const POLICIES = ["Delete", "Retain"];
const BINDINGS = ["Immediate", "WaitForFirstConsumer"];

export const storageClasses = defineResource(
  {
    group: "storage.k8s.io",
    version: "v1",
    kind: "StorageClass",
    plural: "storageclasses",
    shortNames: ["sc"],
    namespaced: false,
    returnsDeleted: true,
  },
  {
    schema: storageClassSchema,
    rules: {
      defaults: (item) => ({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate", ...item }),
      problems,
      columns: [
        {
          ...nameColumn,
          cell: (item, _now, peers) =>
            defaultClass(peers) === item
              ? `${item.metadata.name ?? ""} (default)`
              : (item.metadata.name ?? ""),
        },
        {
          name: "Provisioner",
          description: "Who makes the volumes.",
          cell: ({ provisioner }) => provisioner,
        },
        {
          name: "ReclaimPolicy",
          description: "What becomes of volumes without their claims.",
          cell: ({ reclaimPolicy }) => reclaimPolicy ?? "Delete",
        },
        {
          name: "VolumeBindingMode",
          description: "When volumes are made.",
          cell: ({ volumeBindingMode }) => volumeBindingMode ?? "Immediate",
        },
        {
          name: "AllowVolumeExpansion",
          description: "Whether claims may grow.",
          cell: ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
        },
        ageColumn,
      ],
    },
  },
);

function problems(item: StorageClass, before?: StorageClass): readonly Problem[] {
  const { provisioner, reclaimPolicy = "", volumeBindingMode = "" } = item;
  return [
    ...(provisioner === ""
      ? [required("provisioner")]
      : qualifiedNameProblems(provisioner.toLowerCase()).map((why) =>
          invalidValue("provisioner", provisioner.toLowerCase(), why),
        )),
    ...(POLICIES.includes(reclaimPolicy)
      ? []
      : [unsupportedValue("reclaimPolicy", reclaimPolicy, POLICIES)]),
    ...(BINDINGS.includes(volumeBindingMode)
      ? []
      : [unsupportedValue("volumeBindingMode", volumeBindingMode, BINDINGS)]),
    ...(before === undefined ? [] : changeProblems(item, before)),
  ];
}

const FIXED = ["provisioner", "reclaimPolicy", "volumeBindingMode"] as const;

function changeProblems(item: StorageClass, before: StorageClass): readonly Problem[] {
  const isSame = JSON.stringify(item.parameters) === JSON.stringify(before.parameters);
  return [
    // Upstream's refusal shows null, whatever was written.
    ...(isSame ? [] : [invalidValue("parameters", null, IMMUTABLE)]),
    ...FIXED.flatMap((field) => immutableProblems(field, item[field], before[field])),
  ];
}

/** The class that claims without one get: the newest of those that say so. */
export function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  const marked = classes.filter(
    ({ metadata }) =>
      metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true" ||
      metadata.annotations?.["storageclass.beta.kubernetes.io/is-default-class"] === "true",
  );
  const newest = [...marked].sort((left, right) =>
    (right.metadata.creationTimestamp ?? "").localeCompare(left.metadata.creationTimestamp ?? ""),
  );
  return newest[0];
}
