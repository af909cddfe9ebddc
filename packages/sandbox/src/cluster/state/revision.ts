import { type ApiObject, withVersion } from "../resources/metadata.ts";

/** One object as it was from one write to the next. Never changed: a write makes a new one. */
export interface Revision {
  /** `name` or `namespace/name`. */
  readonly key: string;
  readonly version: number;
  readonly object: ApiObject;
  /** The object as JSON, made once and shared by every list and watch that shows it. */
  readonly json: string;
}

export type ChangeKind = "added" | "modified" | "deleted";

/** One step of the history that watches follow. */
export interface StoreChange {
  readonly kind: ChangeKind;
  readonly storage: string;
  readonly version: number;
  /** The object after the step; for a deletion as it was before, with the deletion's version. */
  readonly revision: Revision;
  /** What stood there before: absent when added. */
  readonly previous?: Revision;
}

/** The object with its resourceVersion set, serialised. */
export function revisionOf(key: string, object: ApiObject, version: number): Revision {
  const stamped = { ...object, metadata: withVersion(object.metadata, version) };
  return { key, version, object: stamped, json: JSON.stringify(stamped) };
}
