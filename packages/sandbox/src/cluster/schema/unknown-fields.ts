import type { Schema } from "./schema.ts";

/** Paths of the fields that the schema does not know, in the order in which the document has them. */
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
