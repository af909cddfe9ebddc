import { badRequest } from "../http/api-error.ts";
import type { FieldValidation } from "../http/query.ts";
import { apiVersionOf } from "../resources/catalogue.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import type { ApiObject } from "../resources/metadata.ts";
import { decode } from "../schema/decode.ts";
import { DecodeError } from "../schema/decode-error.ts";
import type { Schema } from "../schema/schema.ts";

export interface DecodedObject {
  readonly object: ApiObject;
  /** Sentences for the Warning header. */
  readonly warnings: readonly string[];
}

/** Reads a body of the resource's kind. Throws ApiError 400, with upstream's words. */
export function decodeObject(
  definition: ResourceDefinition,
  body: string,
  validation: FieldValidation,
): DecodedObject {
  const value = parseBody(definition, body);
  checkType(definition, value);
  return decodeValue(definition, value, validation);
}

/** Does the same as decodeObject, for a value that is already parsed and known to be of the kind. Throws DecodeError and ApiError 400. */
export function decodeValue(
  definition: ResourceDefinition,
  value: Record<string, unknown>,
  validation: FieldValidation,
): DecodedObject {
  const { apiVersion: _version, kind: _kind, ...fields } = value;
  const decoded = decodeFields(definition, fields);
  const object = definition.rules.defaults?.(decoded) ?? decoded;
  if (validation === "Ignore") return { object, warnings: [] };
  const unknown = unknownFields(definition.schema, fields);
  const sentences = unknown.map((path) => `unknown field "${path}"`);
  if (validation === "Strict" && sentences.length > 0) {
    throw badRequest(`${prefix(definition)}strict decoding error: ${sentences.join(", ")}`);
  }
  return { object, warnings: sentences };
}

/** Returns the object in its schema's canonical form, after a rule has changed it. */
export function canonical(definition: ResourceDefinition, object: ApiObject): ApiObject {
  return decodeFields(definition, { ...object });
}

function decodeFields(definition: ResourceDefinition, fields: Record<string, unknown>): ApiObject {
  try {
    // Every schema of the catalogue begins with `metadata: always(objectMeta)`.
    return decode(definition.schema, fields) as ApiObject;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`${prefix(definition)}${error.message}`);
  }
}

function prefix(definition: ResourceDefinition): string {
  return `${definition.kind} in version "${definition.version}" cannot be handled as a ${definition.kind}: `;
}

function parseBody(definition: ResourceDefinition, body: string): Record<string, unknown> {
  const unrecognised = `the object provided is unrecognized (must be of type ${definition.kind}): couldn't get version/kind; json parse error: `;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    const shown = body === "" ? "<empty>" : body.slice(0, 100);
    throw badRequest(`${unrecognised}unexpected end of JSON input (${shown})`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest(`${unrecognised}json: cannot unmarshal into Go value (${body.slice(0, 100)})`);
  }
  return { ...value };
}

function checkType(definition: ResourceDefinition, value: Record<string, unknown>): void {
  const { kind = definition.kind, apiVersion = apiVersionOf(definition) } = value;
  if (kind === definition.kind && apiVersion === apiVersionOf(definition)) return;
  throw badRequest(
    `${String(kind)} in version "${String(apiVersion)}" cannot be handled as a ${definition.kind}: ` +
      `no kind "${String(kind)}" is registered for version "${String(apiVersion)}"`,
  );
}

/** Returns the paths of the fields that the schema does not know, in the document's order. */
export function unknownFields(schema: Schema, input: unknown, path = ""): readonly string[] {
  if (typeof input !== "object" || input === null) return [];
  switch (schema.kind) {
    case "scalar":
      return [];
    case "list":
      return Object.values(input).flatMap((item, index) =>
        unknownFields(schema.item, item, `${path}[${index}]`),
      );
    case "map":
      return Object.entries(input).flatMap(([key, item]) =>
        unknownFields(schema.item, item, below(path, key)),
      );
    case "struct":
      return Object.entries(input).flatMap(([key, item]) => {
        const field = schema.fields[key];
        const here = below(path, key);
        return field === undefined ? [here] : unknownFields(field.schema, item, here);
      });
  }
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
