import type { ResourceDefinition } from "../resources/definition.ts";
import type { ObjectMeta } from "../resources/metadata.ts";
import { labelValueProblems, qualifiedNameProblems } from "./names.ts";
import {
  forbiddenValue,
  invalidValue,
  type Problem,
  required,
  ruleProblems,
  tooLong,
} from "./problem.ts";

/** Upstream's limit for all annotations of an object together, in bytes. */
const MOST_ANNOTATION_BYTES = 256 * 1_024;

/** Returns the problems of an object's metadata, whatever its kind. */
export function metadataProblems(
  definition: ResourceDefinition,
  metadata: ObjectMeta,
): readonly Problem[] {
  return [
    ...nameProblems(definition, metadata),
    ...labelProblems(metadata.labels ?? {}, "metadata.labels"),
    ...annotationProblems(metadata.annotations ?? {}),
    ...ownerProblems(metadata.ownerReferences ?? []),
    ...finalizerProblems(metadata.finalizers ?? []),
  ];
}

/** Returns the changes that no update may make. */
export function metadataUpdateProblems(
  metadata: ObjectMeta,
  before: ObjectMeta,
): readonly Problem[] {
  return [
    ...(metadata.uid === before.uid
      ? []
      : [invalidValue("metadata.uid", metadata.uid, "field is immutable")]),
    ...newFinalizerProblems(metadata, before),
  ];
}

function nameProblems(definition: ResourceDefinition, { name }: ObjectMeta): readonly Problem[] {
  if (name === undefined) {
    return [required("metadata.name", "name or generateName is required")];
  }
  return definition.nameRule(name).map((why) => invalidValue("metadata.name", name, why));
}

/** Checks labels, and selectors that have the same form. */
export function labelProblems(
  labels: Readonly<Record<string, string>>,
  field: string,
): readonly Problem[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...ruleProblems(qualifiedNameProblems, field, key),
    ...ruleProblems(labelValueProblems, field, value),
  ]);
}

function annotationProblems(annotations: Readonly<Record<string, string>>): readonly Problem[] {
  const entries = Object.entries(annotations);
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...entries.flatMap(([key]) =>
      qualifiedNameProblems(key.toLowerCase()).map((why) =>
        invalidValue("metadata.annotations", key, why),
      ),
    ),
    ...(size > MOST_ANNOTATION_BYTES
      ? [tooLong("metadata.annotations", MOST_ANNOTATION_BYTES)]
      : []),
  ];
}

function ownerProblems(owners: NonNullable<ObjectMeta["ownerReferences"]>): readonly Problem[] {
  const controllers = owners.filter(({ controller }) => controller === true);
  const missing = owners.flatMap((owner, index) =>
    (["apiVersion", "kind", "name", "uid"] as const)
      .filter((field) => owner[field] === "")
      .map((field) => {
        const path = `metadata.ownerReferences[${index}].${field}`;
        return invalidValue(
          path,
          "",
          field === "apiVersion" ? "version must not be empty" : "must not be empty",
        );
      }),
  );
  return [
    ...missing,
    ...(controllers.length > 1
      ? [
          invalidValue(
            "metadata.ownerReferences",
            owners,
            "Only one reference can have Controller set to true",
          ),
        ]
      : []),
  ];
}

const STANDARD_FINALIZERS = ["kubernetes", "orphan", "foregroundDeletion"];

function finalizerProblems(finalizers: readonly string[]): readonly Problem[] {
  return finalizers.flatMap((name, index) => {
    const field = `metadata.finalizers[${index}]`;
    const problems = ruleProblems(qualifiedNameProblems, field, name);
    const known = name.includes("/") || STANDARD_FINALIZERS.includes(name);
    return problems.length > 0 || known
      ? problems
      : [
          invalidValue(
            field,
            name,
            "name is neither a standard finalizer name nor is it fully qualified",
          ),
        ];
  });
}

function newFinalizerProblems(metadata: ObjectMeta, before: ObjectMeta): readonly Problem[] {
  if (before.deletionTimestamp === undefined) return [];
  const known = before.finalizers ?? [];
  const added = (metadata.finalizers ?? []).filter((name) => !known.includes(name));
  if (added.length === 0) return [];
  const shown = added.map((name) => JSON.stringify(name)).join(", ");
  return [
    forbiddenValue(
      "metadata.finalizers",
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown}}`,
    ),
  ];
}
