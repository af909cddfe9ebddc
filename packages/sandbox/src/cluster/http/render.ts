import { asSeen } from "../registry/context.ts";
import type { Page } from "../registry/list.ts";
import { apiVersionOf } from "../resources/catalogue.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import type { ApiObject } from "../resources/metadata.ts";
import type { Revision } from "../state/revision.ts";
import { type IncludeObject, tableOf } from "../tables/table.ts";
import type { Form } from "./negotiate.ts";

/** The form in which a client wants objects. */
export interface Presentation {
  readonly form: Form;
  readonly includeObject: IncludeObject;
  /** Milliseconds since the epoch, for ages. */
  readonly now: number;
}

export function readIncludeObject(query: URLSearchParams): IncludeObject {
  const value = query.get("includeObject");
  return value === "None" || value === "Object" ? value : "Metadata";
}

/** Returns one object as JSON text. */
export function renderObject(
  definition: ResourceDefinition,
  object: ApiObject,
  presentation: Presentation,
): string {
  switch (presentation.form) {
    case "object":
      return withType(definition, JSON.stringify(object));
    case "metadata":
      return JSON.stringify(partial(object));
    case "table":
      return JSON.stringify(
        tableOf(definition, [object], {
          ...presentation,
          metadata: { resourceVersion: object.metadata.resourceVersion ?? "" },
        }),
      );
  }
}

/** Returns a stored object as JSON text; the plain form is the text made when it was written. */
export function renderRevision(
  definition: ResourceDefinition,
  revision: Revision,
  presentation: Presentation,
): string {
  const isPlain = presentation.form === "object" && definition.view === undefined;
  return isPlain
    ? withType(definition, revision.json)
    : renderObject(definition, asSeen(definition, revision.object), presentation);
}

export function renderList(
  definition: ResourceDefinition,
  page: Page,
  presentation: Presentation,
): string {
  const metadata = {
    resourceVersion: String(page.version),
    ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  const objects = () => page.revisions.map(({ object }) => asSeen(definition, object));
  switch (presentation.form) {
    case "object":
      return plainList(definition, page, metadata);
    case "metadata":
      return JSON.stringify({
        kind: "PartialObjectMetadataList",
        apiVersion: "meta.k8s.io/v1",
        metadata,
        items: objects().map(partial),
      });
    case "table":
      return JSON.stringify(
        tableOf(definition, objects(), { ...presentation, metadata, isList: true }),
      );
  }
}

function plainList(definition: ResourceDefinition, page: Page, metadata: object): string {
  const items = page.revisions.map((revision) =>
    definition.view === undefined
      ? revision.json
      : JSON.stringify(asSeen(definition, revision.object)),
  );
  const head = JSON.stringify({
    kind: `${definition.kind}List`,
    apiVersion: apiVersionOf(definition),
    metadata,
  });
  return `${head.slice(0, -1)},"items":[${items.join(",")}]}`;
}

function withType(definition: ResourceDefinition, json: string): string {
  const type = JSON.stringify({ kind: definition.kind, apiVersion: apiVersionOf(definition) });
  return `${type.slice(0, -1)},${json.slice(1)}`;
}

function partial({ metadata }: ApiObject): object {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}
