import { keyOf, resourceSubject } from "../registry/context.ts";
import { createObject } from "../registry/create.ts";
import { decodeObject } from "../registry/decode-object.ts";
import { deleteObject, readDeleteOptions } from "../registry/delete.ts";
import { listPage, matcherOf, rangeOf } from "../registry/list.ts";
import { patchObject } from "../registry/patch.ts";
import { type NamedTarget, replaceObject } from "../registry/update.ts";
import { Watch } from "../registry/watch.ts";
import { watchLines } from "../registry/watch-lines.ts";
import { planWatch } from "../registry/watch-plan.ts";
import type { ApiObject } from "../resources/metadata.ts";
import { methodNotAllowed, notFound, unsupportedMediaType } from "./api-error.ts";
import type { Call } from "./call.ts";
import { negotiateForm } from "./negotiate.ts";
import { writeOptions } from "./query.ts";
import {
  type Presentation,
  readIncludeObject,
  renderList,
  renderObject,
  renderRevision,
} from "./render.ts";
import type { Answer, Reply } from "./reply.ts";
import type { ResourceTarget } from "./request-info.ts";

type Handler = (call: Call, target: ResourceTarget) => Answer;

/** The handlers of the catalogue's resources, by verb. They throw ApiError. */
export const RESOURCE_HANDLERS: Readonly<Record<string, Handler>> = {
  get: (call, target) => {
    const { definition, namespace } = target;
    const { name } = named(target);
    const found = call.services.registry.store.get(definition.storage, keyOf(namespace, name));
    if (found === undefined) throw notFound(resourceSubject(definition, name));
    return { status: 200, body: renderRevision(definition, found, presentationOf(call)) };
  },
  list: (call, target) => {
    const presentation = presentationOf(call);
    const page = listPage(call.services.registry, target, call.url.searchParams);
    return { status: 200, body: renderList(target.definition, page, presentation) };
  },
  watch: (call, target) => {
    const query = call.url.searchParams;
    const lines = watchLines(target.definition, presentationOf(call));
    const request = { target, query, plan: planWatch(query), lines };
    // Selectors are parsed before the stream begins, so that a bad one still gets a 400.
    matcherOf(target, query);
    return { start: (response) => new Watch(call.services.registry, request, response).start() };
  },
  create: (call, target) => {
    const { definition } = target;
    if (target.name !== undefined || definition.namespaced !== (target.namespace !== undefined)) {
      throw methodNotAllowed();
    }
    const options = writeOptions("create", call.url.searchParams);
    const { object, warnings } = decodeObject(definition, jsonBody(call), options.fieldValidation);
    const created = createObject(call.services.registry, target, { ...options, object });
    return written(call, target, {
      object: created,
      created: true,
      warnings: [...warnings, ...warningsOf(target, created)],
    });
  },
  update: (call, target) => {
    const options = writeOptions("update", call.url.searchParams);
    const { object, warnings } = decodeObject(
      target.definition,
      jsonBody(call),
      options.fieldValidation,
    );
    const result = replaceObject(call.services.registry, named(target), { ...options, object });
    return written(call, target, {
      ...result,
      warnings: [...warnings, ...warningsOf(target, result.object)],
    });
  },
  patch: (call, target) => {
    const options = writeOptions("patch", call.url.searchParams);
    const request = { ...options, contentType: call.contentType, body: call.body };
    const { object, warnings } = patchObject(call.services.registry, named(target), request);
    return written(call, target, {
      object,
      created: false,
      warnings: [...warnings, ...warningsOf(target, object)],
    });
  },
  delete: (call, target) => {
    if (target.subresource !== undefined) throw methodNotAllowed();
    writeOptions("delete", call.url.searchParams);
    const options = readDeleteOptions(call.body, call.url.searchParams);
    const { object, isGone } = deleteObject(call.services.registry, named(target), options);
    return isGone && !target.definition.returnsDeleted
      ? success(target, object)
      : written(call, target, { object, created: false, warnings: [] });
  },
  deletecollection: (call, target) => {
    if (target.definition.noDeleteCollection) throw methodNotAllowed();
    return deleteCollection(call, target);
  },
};

function deleteCollection(call: Call, target: ResourceTarget): Reply {
  const { registry } = call.services;
  const { searchParams } = call.url;
  const options = readDeleteOptions(call.body, searchParams);
  const matches = matcherOf(target, searchParams);
  const revisions = registry.store.list(rangeOf(target)).revisions.filter(matches);
  for (const { object } of revisions) {
    const { name = "", namespace } = object.metadata;
    const one = { ...target, name, ...(namespace === undefined ? {} : { namespace }) };
    deleteObject(registry, one, options);
  }
  const page = { version: registry.store.version, revisions };
  return { status: 200, body: renderList(target.definition, page, presentationOf(call)) };
}

export function presentationOf(call: Call): Presentation {
  return {
    form: negotiateForm(call.headers.accept),
    includeObject: readIncludeObject(call.url.searchParams),
    now: call.services.registry.now(),
  };
}

/** Returns the body of a POST or PUT. Throws ApiError 415 for a type other than JSON. */
export function jsonBody(call: Call): string {
  const { contentType: type } = call;
  if (type !== "" && type !== "application/json") {
    throw unsupportedMediaType(
      "the body of the request was in an unknown format - accepted media types include: application/json",
    );
  }
  return call.body;
}

interface Result {
  readonly object: ApiObject;
  readonly created: boolean;
  readonly warnings: readonly string[];
}

function written(call: Call, target: ResourceTarget, result: Result): Reply {
  return {
    status: result.created ? 201 : 200,
    warnings: result.warnings,
    body: renderObject(target.definition, result.object, presentationOf(call)),
  };
}

function warningsOf({ definition, subresource }: ResourceTarget, object: ApiObject) {
  return subresource === undefined ? (definition.rules.warnings?.(object) ?? []) : [];
}

function success({ definition }: ResourceTarget, { metadata }: ApiObject): Reply {
  const { group, plural: kind } = definition;
  const details = {
    name: metadata.name,
    ...(group === "" ? {} : { group }),
    kind,
    uid: metadata.uid,
  };
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
  return { status: 200, body: JSON.stringify(status) };
}

function named(target: ResourceTarget): NamedTarget {
  const { name } = target;
  if (name === undefined) throw methodNotAllowed();
  return { ...target, name };
}
