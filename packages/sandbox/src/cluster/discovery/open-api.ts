import { createHash } from "node:crypto";
import type { Call } from "../http/call.ts";
import { jsonReply, type Reply } from "../http/reply.ts";
import { CATALOGUE } from "../resources/catalogue.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import { componentsOf, refTo } from "./open-api-schemas.ts";

/**
 * Answers `/openapi/v3` and its documents, which kubectl reads before `create`, `apply` and `explain`. Returns undefined for other paths.
 */
export function answerOpenApi(call: Call): Reply | undefined {
  const path = call.url.pathname;
  if (path === "/openapi/v3") return jsonReply(200, index());
  const served = groupVersions().find((root) => path === `/openapi/v3/${root}`);
  return served === undefined ? undefined : jsonReply(200, documentOf(served));
}

function index(): object {
  const entries = groupVersions().map((root) => {
    const hash = createHash("sha256")
      .update(JSON.stringify(documentOf(root)))
      .digest("hex");
    return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hash}` }] as const;
  });
  return { paths: Object.fromEntries(entries) };
}

function groupVersions(): readonly string[] {
  return [...new Set(CATALOGUE.map(rootOf))];
}

function rootOf({ group, version }: ResourceDefinition): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

function documentOf(root: string): object {
  const definitions = CATALOGUE.filter((definition) => rootOf(definition) === root);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "v1.32.0" },
    paths: Object.fromEntries(definitions.flatMap((definition) => pathsOf(root, definition))),
    components: { schemas: componentsOf(definitions) },
  };
}

function pathsOf(
  root: string,
  definition: ResourceDefinition,
): readonly (readonly [string, object])[] {
  const scope = definition.namespaced ? "/namespaces/{namespace}" : "";
  const collection = `/${root}${scope}/${definition.plural}`;
  const methods = (verbs: readonly string[]) =>
    Object.fromEntries(verbs.map((verb) => [verb, operation(definition, verb)]));
  return [
    [collection, methods(["get", "post", "delete"])],
    [`${collection}/{name}`, methods(["get", "put", "patch", "delete"])],
  ];
}

const ACTIONS: Readonly<Record<string, string>> = {
  get: "get",
  post: "post",
  put: "put",
  patch: "patch",
  delete: "delete",
};
const WRITES = ["post", "put", "patch"];
const WRITE_PARAMETERS = ["dryRun", "fieldManager", "fieldValidation"];
const PATCH_TYPES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
];

function operation(definition: ResourceDefinition, method: string): object {
  const { group, version, kind } = definition;
  const isWrite = WRITES.includes(method);
  const types = method === "patch" ? PATCH_TYPES : ["application/json"];
  const parameters = isWrite ? WRITE_PARAMETERS : ["dryRun"];
  return {
    operationId: `${method}${kind}`,
    parameters: parameters.map((name) => ({ name, in: "query", schema: { type: "string" } })),
    ...(isWrite ? { requestBody: { content: contentOf(types, definition) } } : {}),
    responses: { 200: { description: "OK", content: contentOf(["application/json"], definition) } },
    "x-kubernetes-action": ACTIONS[method],
    "x-kubernetes-group-version-kind": { group, version, kind },
  };
}

function contentOf(types: readonly string[], definition: ResourceDefinition): object {
  return Object.fromEntries(types.map((type) => [type, { schema: refTo(definition) }]));
}
