import { apiVersionOf } from "../resources/catalogue.ts";
import type { Column, ResourceDefinition } from "../resources/definition.ts";
import type { ApiObject } from "../resources/metadata.ts";
import { ageColumn, nameColumn } from "./common-columns.ts";

/** How much of the object a row carries. */
export type IncludeObject = "None" | "Metadata" | "Object";

export interface TableOptions {
  readonly includeObject: IncludeObject;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly metadata: object;
  /** Whether the objects are those of a list. */
  readonly isList?: boolean;
  /** A watch shows the columns only with its first event. */
  readonly withoutColumns?: boolean;
}

/** Returns the server-side table of `kubectl get`. */
export function tableOf(
  definition: ResourceDefinition,
  objects: readonly ApiObject[],
  options: TableOptions,
): object {
  const peers = options.isList === true ? objects : [];
  const columns = definition.rules.columns ?? [nameColumn, ageColumn];
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: options.metadata,
    columnDefinitions: options.withoutColumns === true ? null : columns.map(describe),
    rows: objects.map((object) => ({
      cells: columns.map(([, , cell]) => cell(object, options.now, peers)),
      object: embedded(definition, object, options.includeObject),
    })),
  };
}

function describe([name, description, , wide]: Column<ApiObject>): object {
  const format = name === "Name" ? "name" : "";
  const priority = wide === undefined ? 0 : 1;
  return { name, type: "string", format, description, priority };
}

function embedded(
  definition: ResourceDefinition,
  object: ApiObject,
  include: IncludeObject,
): object | undefined {
  const { metadata } = object;
  switch (include) {
    case "None":
      return undefined;
    case "Metadata":
      return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
    case "Object":
      return { kind: definition.kind, apiVersion: apiVersionOf(definition), ...object };
  }
}
