import { type ApiObject, withVersion } from "../resources/metadata.ts";

/** One object as it was between two writes. Never modified: a write creates a new one. */
export interface Revision {
  /** `name` or `namespace/name`. */
  readonly key: string;
  readonly version: number;
  readonly object: ApiObject;
  /** The object as JSON, made once and shared by all lists and watches that show it. */
  readonly json: string;
}

export type ChangeKind = "added" | "modified" | "deleted";

/** One step of the history that watches follow. */
export interface StoreChange {
  readonly kind: ChangeKind;
  readonly storage: string;
  readonly version: number;
  /** The object after the step; for a deletion, the object before it with the deletion's version. */
  readonly revision: Revision;
  /** The object before the step: absent when added. */
  readonly previous?: Revision;
}

/** Returns the object with its resourceVersion set, serialised. */
export function revisionOf(key: string, object: ApiObject, version: number): Revision {
  const stamped = { ...object, metadata: withVersion(object.metadata, version) };
  return { key, version, object: stamped, json: JSON.stringify(stamped) };
}
