import type { Json } from "@cloudwright/core/model/values/json";
import {
  ApiError,
  badRequest,
  invalid,
  notFound,
  unsupportedMediaType,
} from "../http/api-error.ts";
import type { WriteOptions } from "../http/query.ts";
import { jsonPatch } from "../patch/json-patch.ts";
import { isList, isObject, mergePatch } from "../patch/merge-patch.ts";
import { strategicMergePatch } from "../patch/strategic-merge-patch.ts";
import { apiVersionOf } from "../resources/catalogue.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import type { ApiObject } from "../resources/metadata.ts";
import { invalidValue } from "../rules/problem.ts";
import { asSeen, keyOf, type Registry, resourceSubject } from "./context.ts";
import { type DecodedObject, decodeValue } from "./decode-object.ts";
import { checkName, type NamedTarget, updateObject } from "./update.ts";

export interface PatchRequest extends WriteOptions {
  readonly contentType: string;
  readonly body: string;
}

export interface Patched {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

type Applier = (definition: ResourceDefinition, target: Json, patch: Json) => Json;

const APPLIERS: Readonly<Record<string, Applier>> = {
  "application/json-patch+json": (_definition, target, patch) => jsonPatch(target, patch),
  "application/merge-patch+json": (_definition, target, patch) =>
    mergePatch(target, expectMap(patch)),
  "application/strategic-merge-patch+json": (definition, target, patch) =>
    strategicMergePatch(definition.schema, target, expectMap(patch)),
};

/** Patches an object, in one step with reading it. Throws ApiError. */
export function patchObject(
  registry: Registry,
  target: NamedTarget,
  request: PatchRequest,
): Patched {
  const { definition, name, namespace } = target;
  const apply = applierOf(request.contentType);
  const before = registry.store.get(definition.storage, keyOf(namespace, name));
  if (before === undefined) throw notFound(resourceSubject(definition, name));
  const shown = shownAs(definition, asSeen(definition, before.object));
  const result = apply(definition, shown, parsePatch(request.body));
  const { object, warnings } = decodeResult(definition, result, request);
  checkName(target, object.metadata);
  return { object: updateObject(registry, target, { ...request, object, before }), warnings };
}

function applierOf(type: string): Applier {
  if (type === "application/apply-patch+yaml") {
    throw unsupportedMediaType(
      "415: Unsupported Media Type: the sandbox cluster has no server-side apply; use a strategic merge, merge or JSON patch",
    );
  }
  const apply = APPLIERS[type];
  if (apply === undefined) throw unsupportedMediaType();
  return apply;
}

/** Returns the object with its kind, as a patch may refer to it. Patches do not modify their input. */
function shownAs(definition: ResourceDefinition, object: ApiObject): Json {
  const { kind } = definition;
  const shown = { kind, apiVersion: apiVersionOf(definition), ...object };
  // Decoded from JSON by a schema, so it is JSON.
  return shown as unknown as Json;
}

function parsePatch(body: string): Json {
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest("invalid JSON patch");
  }
}

function expectMap(patch: Json): Json {
  if (isObject(patch)) return patch;
  const got = isList(patch) ? "array" : typeof patch;
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${got} into Go value of type map[string]interface {}`,
  );
}

/** An invalid result is the patch's fault: 422, about the field `patch`. */
function decodeResult(
  definition: ResourceDefinition,
  result: Json,
  request: PatchRequest,
): DecodedObject {
  if (!isObject(result)) throw badRequest("the patch leaves no object");
  try {
    return decodeValue(definition, { ...result }, request.fieldValidation);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw invalid({ group: "", kind: "", name: "" }, [
      invalidValue("patch", JSON.stringify(result), error.message),
    ]);
  }
}
