import { z } from "zod";
import { NAMED } from "./answers/named.ts";
import type { ApiRoute } from "./api-route.ts";
import { BASE } from "./base.ts";
import { PARAMETER_NOTES, PATH_NOTES } from "./notes.ts";
import { type JsonSchema, MOMENT_FORMAT, type Parameter, parametersOf } from "./parameters.ts";
import { PROBLEM_TYPE, problemSchema } from "./problem.ts";
import { ROUTES } from "./routes.ts";

/**
 * Builds the OpenAPI 3.1 description of the API from the table of addresses and the schemas of inputs and answers. Clients should ignore
 * unknown members, as later releases may add some. With `isClosed` the schemas allow only the described members, which holds for the
 * answers of this release.
 */
export function openApiDocument({ isClosed = false } = {}) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Cloudwright",
      version: "v1",
      description:
        "What the dashboard shows, for scripts. It only reads. Times are milliseconds since 1970-01-01T00:00:00Z. Members that are not known are absent. Ignore members that you do not know: a later release may add some.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: BASE }],
    security: [{ token: [] }],
    tags: [...new Set(ROUTES.map(({ group }) => group))].map((name) => ({ name })),
    paths: Object.fromEntries(ROUTES.map((route) => [route.path, { get: operationOf(route) }])),
    components: {
      schemas: schemasOf(isClosed),
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "An API token from Settings → API tokens: `cwt_` and 49 letters.",
        },
      },
      responses: {
        Problem: {
          description: "Why there is no answer.",
          content: { [PROBLEM_TYPE]: { schema: reference("Problem") } },
        },
      },
    },
  };
}

let text: string | undefined;

export function openApiText(): string {
  text ??= JSON.stringify(openApiDocument());
  return text;
}

const PROBLEMS = ["400", "401", "403", "404", "429", "500", "503"];

function operationOf(route: ApiRoute) {
  const problem = { $ref: "#/components/responses/Problem" };
  return {
    operationId: operationId(route),
    tags: [route.group],
    summary: route.summary,
    parameters: parametersOf(route).map(parameterOf),
    responses: {
      "200": {
        description: "The answer.",
        headers: { "X-Request-Id": { schema: { type: "string" } } },
        content: { "application/json": { schema: answerOf(route) } },
      },
      ...Object.fromEntries(PROBLEMS.map((status) => [status, problem])),
    },
  };
}

/** Derives a name for generated clients: `listNodes` for `/clusters/{cluster}/nodes`. */
function operationId({ path }: ApiRoute): string {
  const words = path
    .split("/")
    .filter((part) => part !== "" && part !== "{cluster}")
    .flatMap((part) => part.replaceAll(/[{}]/g, "").split("-"));
  const of = path.endsWith("{cluster}") ? ["clusters", "cluster"] : words;
  return ["get", ...of.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}

function parameterOf({ name, in: place, required, schema }: Parameter) {
  return {
    ...{ name, in: place, required },
    description: noteOf(name, place),
    schema: schema.format === MOMENT_FORMAT ? MOMENT : plain(schema),
    ...(schema.type === "array" ? { style: "form", explode: true } : {}),
  };
}

/** Describes a parameter in a sentence. */
export function noteOf(name: string, place: Parameter["in"]): string {
  if (place === "path") return PATH_NOTES[name] ?? "";
  const [, excluded] = /^not\.(.+)$/.exec(name) ?? [];
  if (excluded === undefined) return PARAMETER_NOTES[name] ?? "";
  return `Leaves out what \`${excluded}\` would select.`;
}

const MOMENT = {
  anyOf: [
    { type: "string", format: "date-time" },
    { type: "integer", minimum: 0 },
  ],
};

/** Unnamed schemas are put in a registry of their own, and refer to the named ones. */
function answerOf(route: ApiRoute): JsonSchema {
  const id = NAMED.get(route.answer)?.id;
  return reference(id ?? answerId(route));
}

function answerId(route: ApiRoute): string {
  return `${operationId(route).replace(/^get/, "")}Answer`;
}

function reference(id: string): JsonSchema {
  return { $ref: `#/components/schemas/${id}` };
}

function schemasOf(isClosed: boolean): Readonly<Record<string, JsonSchema>> {
  if (!NAMED.has(problemSchema)) throw new Error("The schema of problems has no name.");
  for (const route of ROUTES) {
    if (!NAMED.has(route.answer)) NAMED.add(route.answer, { id: answerId(route) });
  }
  const { schemas } = z.toJSONSchema(NAMED, {
    io: "output",
    unrepresentable: "any",
    uri: (id) => `#/components/schemas/${id}`,
  });
  const entries = Object.entries(schemas as Readonly<Record<string, JsonSchema>>);
  return Object.fromEntries(entries.map(([id, schema]) => [id, plain(schema, isClosed)]));
}

/** Removes what adds nothing to a description, and leaves objects open to members of later releases unless it is closed. */
function plain(value: unknown, isClosed = false): JsonSchema {
  return cleaned(value, isClosed) as JsonSchema;
}

function cleaned(value: unknown, isClosed: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => cleaned(each, isClosed));
  if (typeof value !== "object" || value === null) return value;
  const { $schema: _schema, $id: _id, readOnly: _readOnly, ...members } = value as JsonSchema;
  const kept = Object.entries(members).filter(
    ([name, member]) => isClosed || name !== "additionalProperties" || member !== false,
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, cleaned(member, isClosed)]));
}
