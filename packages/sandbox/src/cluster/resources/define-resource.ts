import { subdomainProblems } from "../rules/names.ts";
import type { Infer, StructSchema } from "../schema/schema.ts";
import type {
  ResourceDefinition,
  ResourceRules,
  ResourceShape,
  ResourceView,
} from "./definition.ts";
import type { ApiObject } from "./metadata.ts";

interface Parts<S extends StructSchema> {
  readonly schema: S;
  readonly rules?: ResourceRules<Infer<S>>;
  readonly view?: ResourceView;
}

/** Defines one entry of the catalogue from what is special about the resource; the rest are upstream's usual defaults. */
export function defineResource<S extends StructSchema>(
  shape: ResourceShape,
  parts: Parts<S>,
): ResourceDefinition {
  const { schema, rules, view } = parts;
  return {
    shortNames: [],
    categories: [],
    hasStatus: false,
    createOnUpdate: false,
    versionRequired: false,
    returnsDeleted: false,
    noDeleteCollection: false,
    nameRule: subdomainProblems,
    ...shape,
    storage: shape.storage ?? shape.plural,
    singular: shape.kind.toLowerCase(),
    schema,
    // The registry passes these rules only objects that this schema decoded.
    rules: (rules ?? {}) as unknown as ResourceRules<ApiObject>,
    ...(view === undefined ? {} : { view }),
  };
}
