import { z } from "zod";
import { badRequest, conflict, forbidden, notFound } from "../http/api-error.ts";
import type { ResourceTarget } from "../http/request-info.ts";
import { timestamp } from "../resources/cluster-state.ts";
import type { ApiObject } from "../resources/metadata.ts";
import { namespaces } from "../resources/namespace.ts";
import type { Revision } from "../state/revision.ts";
import { asSeen, keyOf, type Registry, resourceSubject } from "./context.ts";
import type { NamedTarget } from "./update.ts";

const optionsSchema = z.looseObject({
  gracePeriodSeconds: z.number().int().nullish(),
  propagationPolicy: z.enum(["Orphan", "Background", "Foreground"]).nullish(),
  orphanDependents: z.boolean().nullish(),
  preconditions: z
    .looseObject({ uid: z.string().nullish(), resourceVersion: z.string().nullish() })
    .nullish(),
  dryRun: z.array(z.string()).nullish(),
});
export type DeleteOptions = z.infer<typeof optionsSchema>;

export interface Deleted {
  /** The object as its clients see it: deleted, or marked for deletion when finalizers hold it back. */
  readonly object: ApiObject;
  readonly isGone: boolean;
}

/** Reads the body of a DELETE and its query. Throws ApiError 400. */
export function readDeleteOptions(body: string, query: URLSearchParams): DeleteOptions {
  const parsed = optionsSchema.safeParse(parseOptions(body));
  if (!parsed.success) {
    throw badRequest(
      `the DeleteOptions in the body cannot be read: ${z.prettifyError(parsed.error)}`,
    );
  }
  const fromQuery = optionsSchema.safeParse({
    propagationPolicy: query.get("propagationPolicy"),
    ...(query.has("dryRun") ? { dryRun: query.getAll("dryRun") } : {}),
  });
  if (!fromQuery.success) throw badRequest("propagationPolicy is Orphan, Background or Foreground");
  const given = Object.entries(fromQuery.data).filter(([, value]) => value !== null);
  return { ...parsed.data, ...Object.fromEntries(given) };
}

function parseOptions(body: string): unknown {
  if (body === "") return {};
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest("the DeleteOptions in the body are not JSON");
  }
}

/** Deletes one object. Throws ApiError. */
export function deleteObject(
  registry: Registry,
  target: NamedTarget,
  options: DeleteOptions,
): Deleted {
  const { definition, name, namespace } = target;
  const key = keyOf(namespace, name);
  const before = registry.store.get(definition.storage, key);
  refuseLastingNamespace(target);
  if (before === undefined) throw notFound(resourceSubject(definition, name));
  checkPreconditions(target, before, options);
  const marked = markDeleted(registry, target, { before, options });
  const isDryRun = (options.dryRun ?? []).includes("All");
  if (marked !== undefined) {
    const object = isDryRun ? marked : writeMark(registry, target, { before, marked });
    return { object: asSeen(definition, object), isGone: false };
  }
  const gone = isDryRun ? before : registry.store.remove(definition.storage, key);
  return { object: asSeen(definition, (gone ?? before).object), isGone: true };
}

/** Namespaces that upstream's admission refuses to delete. */
const LASTING = ["default", "kube-system", "kube-public"];

function refuseLastingNamespace({ definition, name }: ResourceTarget & { name: string }): void {
  if (definition === namespaces && LASTING.includes(name)) {
    throw forbidden(resourceSubject(definition, name), "this namespace may not be deleted");
  }
}

function checkPreconditions(
  { definition, name }: NamedTarget,
  before: Revision,
  { preconditions }: DeleteOptions,
): void {
  const subject = { group: definition.group, kind: definition.kind, name };
  const uid = before.object.metadata.uid ?? "";
  if (preconditions?.uid && preconditions.uid !== uid) {
    throw conflict(
      subject,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). ` +
        "The object might have been deleted and then recreated",
    );
  }
  const wanted = preconditions?.resourceVersion;
  if (wanted && wanted !== String(before.version)) {
    throw conflict(
      subject,
      `the ResourceVersion in the precondition (${wanted}) does not match the ResourceVersion in record ` +
        `(${before.version}). The object might have been modified`,
    );
  }
}

interface Marking {
  readonly before: Revision;
  readonly options: DeleteOptions;
}

/** Returns the object marked for deletion, or undefined when nothing holds it back. */
function markDeleted(
  registry: Registry,
  target: NamedTarget,
  { before, options }: Marking,
): ApiObject | undefined {
  if (target.definition === namespaces) return markNamespace(registry, before.object);
  const { metadata } = before.object;
  const finalizers = withPropagation(metadata.finalizers ?? [], options);
  if (finalizers.length === 0) return undefined;
  if (metadata.deletionTimestamp !== undefined) return before.object;
  const marks = { deletionTimestamp: timestamp(registry), deletionGracePeriodSeconds: 0 };
  return { ...before.object, metadata: { ...metadata, ...marks, finalizers } };
}

/** A namespace stays, Terminating, until it has been emptied and its own finalizer removed. */
function markNamespace(registry: Registry, object: ApiObject): ApiObject {
  if (object.metadata.deletionTimestamp !== undefined) return object;
  const metadata = { ...object.metadata, deletionTimestamp: timestamp(registry) };
  return { ...object, metadata, ...{ status: { phase: "Terminating" } } };
}

function withPropagation(
  finalizers: readonly string[],
  { propagationPolicy, orphanDependents }: DeleteOptions,
): readonly string[] {
  if (propagationPolicy === "Foreground")
    return [...new Set([...finalizers, "foregroundDeletion"])];
  const orphans = propagationPolicy === "Orphan" || orphanDependents === true;
  return orphans ? [...new Set([...finalizers, "orphan"])] : finalizers;
}

function writeMark(
  registry: Registry,
  { definition, name, namespace }: NamedTarget,
  { before, marked }: { readonly before: Revision; readonly marked: ApiObject },
): ApiObject {
  if (marked === before.object) return marked;
  return registry.store.put(definition.storage, keyOf(namespace, name), marked).object;
}
