import { randomInt, randomUUID } from "node:crypto";
import {
  alreadyExists,
  badRequest,
  forbidden,
  internalError,
  invalid,
  notFound,
} from "../http/api-error.ts";
import type { ResourceTarget } from "../http/request-info.ts";
import { timestamp } from "../resources/cluster-state.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import type { ApiObject, ObjectMeta } from "../resources/metadata.ts";
import { namespaces } from "../resources/namespace.ts";
import { metadataProblems, metadataUpdateProblems } from "../rules/metadata-rules.ts";
import { asSeen, asStored, keyOf, kindSubject, type Registry, resourceSubject } from "./context.ts";
import { canonical } from "./decode-object.ts";

export interface CreateOptions {
  readonly dryRun: boolean;
}

/** Creates the object: defaults, admission, validation, write. Throws ApiError. Returns the object as its clients see it. */
export function createObject(
  registry: Registry,
  target: Pick<ResourceTarget, "definition" | "namespace">,
  request: { readonly object: ApiObject } & CreateOptions,
): ApiObject {
  const { definition, namespace } = target;
  const { metadata } = request.object;
  checkNamespaceField(target, metadata);
  const named = withIdentity(registry, target, request.object);
  const name = named.metadata.name ?? "";
  checkNamespace(registry, target, name);
  const { onCreate, admit } = definition.rules;
  const admitted = admit?.(named, undefined, { ...registry, dryRun: request.dryRun }) ?? named;
  const complete = canonical(definition, onCreate?.(admitted, registry) ?? admitted);
  refuseInvalid(definition, complete);
  const ready = definition.rules.settle?.(complete) ?? complete;
  if (metadata.resourceVersion !== undefined) {
    throw internalError("resourceVersion should not be set on objects to be created");
  }
  const key = keyOf(namespace, name);
  const existing = registry.store.get(definition.storage, key);
  if (existing !== undefined) {
    const isGoing = existing.object.metadata.deletionTimestamp !== undefined;
    throw alreadyExists(resourceSubject(definition, name), isGoing);
  }
  if (request.dryRun) return ready;
  const revision = registry.store.put(definition.storage, key, asStored(definition, ready));
  return asSeen(definition, revision.object);
}

/** Throws ApiError 422 with all problems of a new object or, given its earlier version, of a changed one. */
export function refuseInvalid(
  definition: ResourceDefinition,
  object: ApiObject,
  before?: ApiObject,
): void {
  const { problems, updateProblems } = definition.rules;
  const { metadata } = object;
  const found = [
    ...metadataProblems(definition, metadata),
    ...(before === undefined ? [] : metadataUpdateProblems(metadata, before.metadata)),
    ...(problems?.(object, before) ?? []),
    ...(before === undefined ? [] : (updateProblems?.(object, before) ?? [])),
  ];
  if (found.length > 0) throw invalid(kindSubject(definition, metadata.name ?? ""), found);
}

function checkNamespaceField(
  { namespace }: Pick<ResourceTarget, "namespace">,
  metadata: ObjectMeta,
): void {
  if (metadata.namespace !== undefined && metadata.namespace !== (namespace ?? "")) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}

function withIdentity(
  registry: Registry,
  target: Pick<ResourceTarget, "namespace">,
  object: ApiObject,
): ApiObject {
  const {
    name,
    generateName,
    namespace: _namespace,
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _created,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    selfLink: _link,
    ...others
  } = object.metadata;
  const chosen = name ?? (generateName === undefined ? undefined : generated(generateName));
  const metadata: ObjectMeta = {
    ...(chosen === undefined ? {} : { name: chosen }),
    ...(generateName === undefined ? {} : { generateName }),
    ...(target.namespace === undefined ? {} : { namespace: target.namespace }),
    uid: randomUUID(),
    creationTimestamp: timestamp(registry),
    ...others,
  };
  return { ...object, metadata };
}

/** Upstream's alphabet: no vowels and no look-alikes, so that no words appear. */
const SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;
const LONGEST_GENERATED = 63;

function generated(prefix: string): string {
  const suffix = Array.from(
    { length: SUFFIX_LENGTH },
    () => SUFFIX_ALPHABET[randomInt(SUFFIX_ALPHABET.length)],
  );
  return prefix.slice(0, LONGEST_GENERATED - SUFFIX_LENGTH) + suffix.join("");
}

function checkNamespace(
  registry: Registry,
  { definition, namespace }: Pick<ResourceTarget, "definition" | "namespace">,
  name: string,
): void {
  if (namespace === undefined) return;
  const home = registry.store.get(namespaces.storage, namespace);
  if (home === undefined) throw notFound(resourceSubject(namespaces, namespace));
  if (home.object.metadata.deletionTimestamp === undefined) return;
  throw forbidden(
    resourceSubject(definition, name),
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: "NamespaceTerminating",
        message: `namespace ${namespace} is being terminated`,
        field: "metadata.namespace",
      },
    ],
  );
}
