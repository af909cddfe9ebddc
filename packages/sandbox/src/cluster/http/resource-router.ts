import { CATALOGUE, findResource } from "../resources/catalogue.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import { createReview, findReview, REVIEW_VERSIONS } from "../reviews/reviews.ts";
import { methodNotAllowed, noSuchResource } from "./api-error.ts";
import type { Call } from "./call.ts";
import type { Answer } from "./reply.ts";
import type { RequestInfo, ResourcePath, ResourceTarget } from "./request-info.ts";
import { RESOURCE_HANDLERS } from "./resource-handlers.ts";
import { findSubresource } from "./subresources.ts";

/** Answers a request for a resource; returns undefined when its group and version are not served. Throws ApiError. */
export function routeResource(
  call: Call,
  info: RequestInfo,
  path: ResourcePath,
): Answer | undefined {
  const review = findReview(path);
  if (review !== undefined) {
    if (info.verb !== "create") throw methodNotAllowed();
    return createReview(call, review, path);
  }
  const definition = findResource(path.group, path.version, path.plural);
  if (definition !== undefined) return routeDefinition(call, info.verb, targetOf(definition, path));
  if (path.group === "" || isServed(path)) throw noSuchResource();
  return undefined;
}

/** Returns upstream's warnings with every answer about a deprecated kind; kubectl shows them. */
export function deprecationsOf({ resource }: RequestInfo): readonly string[] {
  if (resource === undefined) return [];
  const { group, version, plural } = resource;
  const deprecation = findResource(group, version, plural)?.deprecation;
  return deprecation === undefined ? [] : [deprecation];
}

function routeDefinition(call: Call, verb: string, target: ResourceTarget): Answer {
  checkScope(target);
  if (call.method === "HEAD") throw methodNotAllowed();
  const { subresource } = target;
  if (subresource !== undefined) {
    const handler = findSubresource(target.definition, subresource);
    if (handler === undefined) throw noSuchResource();
    const handle = handler[verb];
    if (handle === undefined) throw methodNotAllowed();
    return handle(call, target);
  }
  const handle = RESOURCE_HANDLERS[verb];
  if (handle === undefined) throw methodNotAllowed();
  return handle(call, target);
}

function targetOf(definition: ResourceDefinition, path: ResourcePath): ResourceTarget {
  const { namespace, name, subresource } = path;
  return {
    definition,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

/** Checks that a cluster-scoped resource has no namespace in its path, and that a named object of a namespaced one has one. */
function checkScope({ definition, namespace, name }: ResourceTarget): void {
  const fits = definition.namespaced
    ? name === undefined || namespace !== undefined
    : namespace === undefined;
  if (!fits) throw noSuchResource();
}

function isServed({ group, version }: ResourcePath): boolean {
  return (
    CATALOGUE.some((definition) => definition.group === group && definition.version === version) ||
    REVIEW_VERSIONS.some((served) => served.group === group && served.version === version)
  );
}
