import type { ResourceDefinition } from "../resources/definition.ts";
import type { ListSchema, ScalarType, Schema, StructSchema } from "../schema/schema.ts";

const PREFIX = "io.cloudwright.sandbox";

export function refTo(definition: ResourceDefinition): object {
  return { $ref: `#/components/schemas/${nameOf(definition)}` };
}

/** Returns the schemas of the resources and of all structs in them. */
export function componentsOf(definitions: readonly ResourceDefinition[]): object {
  const components: Record<string, object> = {};
  for (const definition of definitions) {
    const { group, version, kind } = definition;
    const scope = nameOf(definition);
    components[scope] = {
      ...structOf(definition.schema, scope, components),
      "x-kubernetes-group-version-kind": [{ group, version, kind }],
    };
  }
  return components;
}

function nameOf({ group, version, kind }: ResourceDefinition): string {
  return `${PREFIX}.${group === "" ? "core" : group}.${version}.${kind}`;
}

function structOf(struct: StructSchema, scope: string, components: Record<string, object>): object {
  const isRoot = scope.endsWith(`.${struct.name}`);
  const fields = Object.entries(struct.fields).map(
    ([key, { schema }]) => [key, schemaOf(schema, scope, components)] as const,
  );
  const type = isRoot ? { apiVersion: { type: "string" }, kind: { type: "string" } } : {};
  return { type: "object", properties: { ...type, ...Object.fromEntries(fields) } };
}

function schemaOf(schema: Schema, scope: string, components: Record<string, object>): object {
  switch (schema.kind) {
    case "scalar":
      return SCALARS[schema.type];
    case "list":
      return listOf(schema, scope, components);
    case "map":
      return { type: "object", additionalProperties: schemaOf(schema.item, scope, components) };
    case "struct": {
      const name = `${scope}_${schema.name}`;
      components[name] ??= structOf(schema, `${scope}_`, components);
      return { $ref: `#/components/schemas/${name}` };
    }
  }
}

function listOf(schema: ListSchema, scope: string, components: Record<string, object>): object {
  const list = { type: "array", items: schemaOf(schema.item, scope, components) };
  if (schema.merge === "replace") return { ...list, "x-kubernetes-list-type": "atomic" };
  if (schema.merge === "set") {
    return { ...list, "x-kubernetes-list-type": "set", "x-kubernetes-patch-strategy": "merge" };
  }
  const { key } = schema.merge;
  return {
    ...list,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": [key],
    "x-kubernetes-patch-merge-key": key,
    "x-kubernetes-patch-strategy": "merge",
  };
}

const SCALARS: Readonly<Record<ScalarType, object>> = {
  text: { type: "string" },
  integer: { type: "integer", format: "int64" },
  boolean: { type: "boolean" },
  time: { type: "string", format: "date-time" },
  microTime: { type: "string", format: "date-time" },
  quantity: { type: "string" },
  bytes: { type: "string", format: "byte" },
  intOrString: { type: "string", format: "int-or-string" },
  anything: { type: "object" },
};
