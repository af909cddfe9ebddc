import { qualifiedNameProblems } from "../../rules/names.ts";
import {
  invalidValue,
  type Problem,
  required,
  ruleProblems,
  unsupportedValue,
} from "../../rules/problem.ts";
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

const [NAME, NAME_DESCRIPTION] = nameColumn;
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
        [
          NAME,
          NAME_DESCRIPTION,
          (item, _now, peers) =>
            `${item.metadata.name ?? ""}${defaultClass(peers) === item ? " (default)" : ""}`,
        ],
        ["Provisioner", "Who makes the volumes.", ({ provisioner }) => provisioner],
        [
          "ReclaimPolicy",
          "What becomes of volumes without their claims.",
          ({ reclaimPolicy }) => reclaimPolicy ?? "Delete",
        ],
        [
          "VolumeBindingMode",
          "When volumes are made.",
          ({ volumeBindingMode }) => volumeBindingMode ?? "Immediate",
        ],
        [
          "AllowVolumeExpansion",
          "Whether claims may grow.",
          ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
        ],
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
      : ruleProblems(qualifiedNameProblems, "provisioner", provisioner.toLowerCase())),
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

/** Returns the class for claims without one: the newest of those marked as default. */
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
