import {
  badRequest,
  conflict,
  internalError,
  invalid,
  notFound,
  OBJECT_MODIFIED,
} from "../http/api-error.ts";
import type { ResourceTarget } from "../http/request-info.ts";
import type { Admission } from "../resources/cluster-state.ts";
import type { ApiObject, ObjectMeta } from "../resources/metadata.ts";
import { invalidValue } from "../rules/problem.ts";
import { type Revision, revisionOf } from "../state/revision.ts";
import {
  asSeen,
  asStored,
  keyOf,
  type Registry,
  resourceSubject,
  type Written,
} from "./context.ts";
import { createObject, refuseInvalid } from "./create.ts";
import { canonical } from "./decode-object.ts";

export interface NamedTarget extends ResourceTarget {
  readonly name: string;
}

export interface UpdateRequest {
  readonly object: ApiObject;
  readonly dryRun: boolean;
}

/** Replaces an object, or creates it where the resource allows that. Throws ApiError. */
export function replaceObject(
  registry: Registry,
  target: NamedTarget,
  request: UpdateRequest,
): Written {
  const { definition, name } = target;
  checkName(target, request.object.metadata);
  const before = registry.store.get(definition.storage, keyOf(target.namespace, name));
  if (before === undefined) {
    if (!definition.createOnUpdate) throw notFound(resourceSubject(definition, name));
    const { resourceVersion: _version, ...metadata } = request.object.metadata;
    const object = createObject(registry, target, {
      ...request,
      object: { ...request.object, metadata },
    });
    return { object, created: true };
  }
  checkPreconditions(target, request.object.metadata, before);
  return { object: updateObject(registry, target, { ...request, before }), created: false };
}

/** Does the part of an update that PUT and PATCH share: restores the immutable fields, validates, writes. Throws ApiError. */
export function updateObject(
  registry: Registry,
  target: NamedTarget,
  request: UpdateRequest & { readonly before: Revision },
): ApiObject {
  const { definition, name, namespace } = target;
  const before = asSeen(definition, request.before.object);
  checkVersion(target, request.object.metadata, request.before);
  const merged = mergeForUpdate(target, request.object, before);
  const { onUpdate } = definition.rules;
  const admission = { ...registry, dryRun: request.dryRun };
  const admitted = admit(admission, target, { after: merged, before });
  const complete = canonical(definition, onUpdate?.(admitted, before, registry) ?? admitted);
  refuseInvalid(definition, complete, before);
  const after = definition.rules.settle?.(complete) ?? complete;
  if (request.dryRun) return after;
  const stored = asStored(definition, after);
  if (isFinished(stored)) return finish(registry, target, stored);
  const key = keyOf(namespace, name);
  if (isUnchanged(stored, request.before)) return before;
  const written = registry.store.put(definition.storage, key, stored);
  return asSeen(definition, written.object);
}

/** Throws ApiError 400 when the body names another object than the path. */
export function checkName(target: NamedTarget, metadata: ObjectMeta): void {
  const { name, namespace } = target;
  if (metadata.name === undefined) {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name !== name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  }
  if (metadata.namespace !== undefined && metadata.namespace !== (namespace ?? "")) {
    throw badRequest(
      `the namespace of the object (${metadata.namespace}) does not match the namespace on the URL (${namespace ?? ""})`,
    );
  }
}

function checkPreconditions(target: NamedTarget, metadata: ObjectMeta, before: Revision): void {
  const { definition, name } = target;
  const uid = before.object.metadata.uid ?? "";
  if (metadata.uid !== undefined && metadata.uid !== uid) {
    throw conflict(
      resourceSubject(definition, name),
      `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`,
    );
  }
  if (definition.versionRequired && metadata.resourceVersion === undefined) {
    throw invalid(resourceSubject(definition, name), [
      invalidValue("metadata.resourceVersion", 0, "must be specified for an update"),
    ]);
  }
}

function checkVersion(target: NamedTarget, metadata: ObjectMeta, before: Revision): void {
  const wanted = metadata.resourceVersion;
  if (wanted !== undefined && !/^\d+$/.test(wanted)) {
    throw internalError(`strconv.ParseUint: parsing ${JSON.stringify(wanted)}: invalid syntax`);
  }
  if (wanted !== undefined && wanted !== "0" && wanted !== String(before.version)) {
    throw conflict(resourceSubject(target.definition, target.name), OBJECT_MODIFIED);
  }
}

/** Keeps the server's own metadata; a status write does not change the spec, and any other write does not change the status. */
function mergeForUpdate(target: NamedTarget, object: ApiObject, before: ApiObject): ApiObject {
  const metadata = mergedMetadata(object.metadata, before.metadata);
  if (target.subresource === "status") {
    return { ...before, metadata, ...pick(object, "status") };
  }
  return target.definition.hasStatus
    ? { ...object, metadata, ...pick(before, "status") }
    : { ...object, metadata };
}

/** Skips admission for a status write, which changes nothing that other objects depend on. */
function admit(
  admission: Admission,
  { definition, subresource }: NamedTarget,
  { after, before }: { readonly after: ApiObject; readonly before: ApiObject },
): ApiObject {
  if (subresource !== undefined) return after;
  return definition.rules.admit?.(after, before, admission) ?? after;
}

function pick(object: ApiObject, field: string): object {
  const found = Object.entries(object).filter(([key]) => key === field);
  return Object.fromEntries(found);
}

const SERVER_FIELDS = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

function mergedMetadata(metadata: ObjectMeta, before: ObjectMeta): ObjectMeta {
  const { name, namespace, generateName } = before;
  const {
    uid: wantedUid,
    labels,
    annotations,
    ownerReferences,
    finalizers,
    managedFields,
  } = metadata;
  const merged: Record<string, unknown> = { name, generateName, namespace };
  for (const field of SERVER_FIELDS) merged[field] = before[field];
  if (wantedUid !== undefined) merged.uid = wantedUid;
  Object.assign(merged, { labels, annotations, ownerReferences, finalizers, managedFields });
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** As upstream: a write that changes nothing creates no new version and no watch event. */
function isUnchanged(stored: ApiObject, before: Revision): boolean {
  return revisionOf(before.key, stored, before.version).json === before.json;
}

/** Reports whether the object is marked for deletion and nothing holds it back any longer. */
function isFinished({ metadata }: ApiObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    metadata.deletionGracePeriodSeconds !== undefined
  );
}

function finish(registry: Registry, target: NamedTarget, stored: ApiObject): ApiObject {
  const { definition, name, namespace } = target;
  registry.store.remove(definition.storage, keyOf(namespace, name));
  return asSeen(definition, stored);
}
