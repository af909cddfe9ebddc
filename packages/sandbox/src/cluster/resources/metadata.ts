import {
  always,
  anything,
  boolean,
  type Infer,
  integer,
  list,
  mapOf,
  nullable,
  struct,
  text,
  time,
} from "../schema/schema.ts";

const ownerReference = struct(
  "OwnerReference",
  {
    apiVersion: always(text),
    kind: always(text),
    name: always(text),
    uid: always(text),
    controller: nullable(boolean),
    blockOwnerDeletion: nullable(boolean),
  },
  "kind - name uid apiVersion controller blockOwnerDeletion",
);

/** ObjectMeta; managedFields are accepted and stored unchanged. */
export const objectMeta = struct(
  "ObjectMeta",
  {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: integer,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: nullable(integer),
    labels: mapOf(text),
    annotations: mapOf(text),
    ownerReferences: list(ownerReference, { key: "uid" }),
    finalizers: list(text, "set"),
    managedFields: list(anything),
  },
  "name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations ownerReferences finalizers",
);

export type ObjectMeta = Infer<typeof objectMeta>;
export type OwnerReference = Infer<typeof ownerReference>;

/** An object as the store keeps it: without kind and apiVersion, which its resource defines. */
export interface ApiObject {
  readonly metadata: ObjectMeta;
}

const ORDER = Object.keys(objectMeta.fields);

/** Returns the metadata with the version set, in the schema's order, so that equal objects are equal text. */
export function withVersion(metadata: ObjectMeta, version: number): ObjectMeta {
  const members = new Map<string, unknown>(Object.entries(metadata));
  members.set("resourceVersion", String(version));
  const ordered = ORDER.flatMap((key) => {
    const value = members.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  // The argument's own members, one of them replaced by a text.
  return Object.fromEntries(ordered) as ObjectMeta;
}
