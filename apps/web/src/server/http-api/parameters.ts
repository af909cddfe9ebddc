import { z } from "zod";
import { type ApiRoute, namesIn } from "./api-route.ts";
import { issueText } from "./issue-text.ts";

/** The part of a JSON schema that this code reads. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly format?: string;
  readonly [member: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** The path of its value within the input. */
  readonly at: readonly string[];
}

/** Marks numbers that are points in time; an address may also give them in RFC 3339. */
export const MOMENT_FORMAT = "epoch-milliseconds";
const LIMIT_USUAL = 50;

const known = new WeakMap<ApiRoute, readonly Parameter[]>();

/** Returns every parameter of an address, derived from its procedure's input. */
export function parametersOf(route: ApiRoute): readonly Parameter[] {
  const found = known.get(route) ?? readParameters(route);
  known.set(route, found);
  return found;
}

function readParameters(route: ApiRoute): readonly Parameter[] {
  if (route.input === undefined) return [];
  const { properties = {}, required = [] } = inputSchemaOf(route.input);
  const fixed = Object.keys(route.fixed ?? {});
  const members = Object.entries(properties).filter(([name]) => !fixed.includes(name));
  return members.flatMap(([name, schema]) =>
    ofMember(route, { name, schema, isRequired: required.includes(name) }),
  );
}

interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

function ofMember(route: ApiRoute, { name, schema, isRequired }: Member): readonly Parameter[] {
  if (namesIn(route.path).includes(name)) {
    return [{ name, in: "path", required: true, schema, at: [name] }];
  }
  if (name === "filter") return membersOf(schema, ["filter"], "");
  if (name === "sort") return [sortOf(schema, route.sort)];
  // Only for the dashboard's lists, which load more by themselves.
  if (name === "first") return [];
  if (name === "limit") return [query(name, { ...schema, default: LIMIT_USUAL }, [name])];
  return [query(name, schema, [name], isRequired)];
}

function inputSchemaOf(input: z.ZodType): JsonSchema {
  return z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

function query(
  name: string,
  schema: JsonSchema,
  ...[at, required = false]: [at: readonly string[], required?: boolean]
): Parameter {
  return { name, in: "query", required, schema, at };
}

/** Members of an object within the filter are named with a dot: `object.kind`. */
function membersOf(schema: JsonSchema, at: readonly string[], prefix: string): Parameter[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    member.type === "object"
      ? membersOf(member, [...at, name], `${prefix}${name}.`)
      : [query(`${prefix}${name}`, member, [...at, name])],
  );
}

/** One word for column and direction: `-since` is descending. */
function sortOf({ properties }: JsonSchema, usual: string | undefined): Parameter {
  const columns = properties?.by?.enum ?? [];
  const schema = {
    type: "string",
    enum: columns.flatMap((column) => [column, `-${column}`]),
    ...(usual === undefined ? {} : { default: usual }),
  };
  return query("sort", schema, ["sort"]);
}

export type ReadInput =
  | { readonly kind: "input"; readonly input: unknown }
  | { readonly kind: "problem"; readonly parameter: string; readonly sentence: string };

/** Reads the procedure's input from an address, or says which parameter is wrong and why. */
export function readInput(
  route: ApiRoute,
  path: Readonly<Partial<Record<string, string>>>,
  search: URLSearchParams,
): ReadInput {
  const parameters = parametersOf(route);
  const input = startOf(route);
  for (const [name, value] of Object.entries(path)) put(input, [name], value);
  for (const name of new Set(search.keys())) {
    const parameter = parameters.find((each) => each.in === "query" && each.name === name);
    if (parameter === undefined) return wrong(name, `There is no parameter named ${name} here.`);
    const read = valueIn(parameter, search.getAll(name));
    if ("problem" in read) return wrong(name, `The parameter ${name} ${read.problem}.`);
    put(input, parameter.at, read.value);
  }
  return checked(route, parameters, input);
}

type Input = Record<string, unknown>;

function startOf({ input, fixed = {}, sort }: ApiRoute): Input {
  const filter = input?.shape.filter === undefined ? {} : { filter: {} };
  const order = sort === undefined ? {} : { sort: sortValue(sort), limit: LIMIT_USUAL };
  return { ...fixed, ...filter, ...order };
}

function sortValue(text: string) {
  return { by: text.replace(/^-/, ""), descending: text.startsWith("-") };
}

/** The names come from the schema, never from the request. */
function put(input: Input, at: readonly string[], value: unknown): void {
  const [name = "", ...more] = at;
  if (more.length === 0) input[name] = value;
  else {
    const inner = (input[name] ?? {}) as Input;
    input[name] = inner;
    put(inner, more, value);
  }
}

type Value = { readonly value: unknown } | { readonly problem: string };

function valueIn({ name, schema }: Parameter, texts: readonly string[]): Value {
  if (schema.type === "array") return listOf(schema.items ?? {}, texts);
  const [text = "", ...others] = texts;
  if (others.length > 0) return { problem: "may be given once" };
  if (name !== "sort") return single(schema, text);
  return schema.enum?.includes(text) === true
    ? { value: sortValue(text) }
    : { problem: `must be one of ${schema.enum?.join(", ")}` };
}

function listOf(items: JsonSchema, texts: readonly string[]): Value {
  const values = texts.map((text) => single(items, text));
  const problem = values.find((each) => "problem" in each);
  return problem ?? { value: values.map((each) => ("value" in each ? each.value : undefined)) };
}

function single(schema: JsonSchema, text: string): Value {
  if (schema.enum !== undefined && !schema.enum.includes(text)) {
    return { problem: `must be one of ${schema.enum.join(", ")}` };
  }
  if (schema.format === MOMENT_FORMAT) return momentOf(text);
  if (schema.type === "boolean") return booleanOf(text);
  if (schema.type === "number" || schema.type === "integer") return numberOf(text);
  return { value: text };
}

function booleanOf(text: string): Value {
  if (text === "true" || text === "false") return { value: text === "true" };
  return { problem: "must be true or false" };
}

function numberOf(text: string): Value {
  return /^-?\d{1,16}$/.test(text)
    ? { value: Number(text) }
    : { problem: "must be a whole number" };
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

function momentOf(text: string): Value {
  const value = RFC_3339.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(value)) return { value };
  const number = numberOf(text);
  return "value" in number
    ? number
    : { problem: "must be a time such as 2026-01-31T12:00:00Z, or milliseconds since 1970" };
}

/** A parser would take 30 February for 2 March, and answer for another time than was asked for. */
function isDay(date: string): boolean {
  const [, month = 0, day = 0] = date.split("-").map(Number);
  const at = new Date(`${date}T00:00:00Z`);
  return at.getUTCMonth() + 1 === month && at.getUTCDate() === day;
}

function checked(route: ApiRoute, parameters: readonly Parameter[], input: Input): ReadInput {
  if (route.input === undefined) return { kind: "input", input: undefined };
  const parsed = route.input.safeParse(input);
  if (parsed.success) return { kind: "input", input: route.named?.(input as never) ?? parsed.data };
  const [issue] = parsed.error.issues;
  const at = (issue?.path ?? []).map(String);
  const parameter = parameters.find((each) => each.at.every((part, index) => at[index] === part));
  const name = parameter?.name ?? at.at(-1) ?? "";
  const isMissing =
    at.reduce<unknown>((value, part) => (value as Input | undefined)?.[part], input) === undefined;
  return wrong(
    name,
    isMissing ? `The parameter ${name} is missing.` : `The parameter ${name} ${issueText(issue)}.`,
  );
}

function wrong(parameter: string, sentence: string): ReadInput {
  // The value may be of any length; repeating its start is enough to find it.
  const most = 100;
  const short = parameter.length > most ? `${parameter.slice(0, most)}…` : parameter;
  return { kind: "problem", parameter: short, sentence: sentence.replace(parameter, short) };
}
