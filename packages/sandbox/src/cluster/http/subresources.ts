import { keyOf, resourceSubject } from "../registry/context.ts";
import { decodeObject } from "../registry/decode-object.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import { type Namespace, namespaces } from "../resources/namespace.ts";
import { serviceAccounts } from "../resources/service-account.ts";
import { createToken } from "../reviews/token-request.ts";
import { notFound } from "./api-error.ts";
import type { Call } from "./call.ts";
import { renderObject } from "./render.ts";
import type { Answer } from "./reply.ts";
import type { ResourceTarget } from "./request-info.ts";
import { jsonBody, presentationOf, RESOURCE_HANDLERS } from "./resource-handlers.ts";

type Handlers = Readonly<Record<string, (call: Call, target: ResourceTarget) => Answer>>;

export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

const statusHandlers: Handlers = Object.fromEntries(
  Object.entries(RESOURCE_HANDLERS).filter(([verb]) => ["get", "update", "patch"].includes(verb)),
);

/** Returns the handlers of a subresource, by verb; undefined when the resource does not have it. */
export function findSubresource(
  definition: ResourceDefinition,
  name: string,
): Handlers | undefined {
  if (name === "status") return definition.hasStatus ? statusHandlers : undefined;
  if (name === "finalize" && definition === namespaces) return { update: finalizeNamespace };
  if (name === "token" && definition === serviceAccounts) return { create: createToken };
  return undefined;
}

/** For discovery. */
export function subresourcesOf(definition: ResourceDefinition): readonly Subresource[] {
  const status = { name: "status", kind: definition.kind, verbs: ["get", "patch", "update"] };
  return [
    ...(definition === namespaces
      ? [{ name: "finalize", kind: definition.kind, verbs: ["update"] }]
      : []),
    ...(definition.hasStatus ? [status] : []),
    ...(definition === serviceAccounts
      ? [{ name: "token", kind: "TokenRequest", verbs: ["create"] }]
      : []),
  ];
}

/** Sets a namespace's own finalizers; without any left, a namespace that is being deleted is removed. */
function finalizeNamespace(call: Call, target: ResourceTarget): Answer {
  const { store } = call.services.registry;
  const name = target.name ?? "";
  const before = store.get(namespaces.storage, keyOf(undefined, name));
  if (before === undefined) throw notFound(resourceSubject(namespaces, name));
  const { object } = decodeObject(namespaces, jsonBody(call), "Warn");
  // Decoded by this resource's schema.
  const { spec } = object as Namespace;
  const after = { ...before.object, spec };
  const isOver =
    before.object.metadata.deletionTimestamp !== undefined && (spec.finalizers ?? []).length === 0;
  const written = isOver
    ? store.remove(namespaces.storage, before.key)
    : store.put(namespaces.storage, before.key, after);
  const shown = written?.object ?? after;
  return { status: 200, body: renderObject(namespaces, shown, presentationOf(call)) };
}
