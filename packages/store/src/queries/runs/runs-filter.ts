import { OUTCOMES, triggerSchema } from "@cloudwright/core/model/run";
import { hasRequest } from "../../ledger/request-keys.ts";
import type { SqlConditions } from "../../sql/keyset.ts";
import type { RunsFilter } from "../../views/views.ts";

type Selection = Omit<RunsFilter, "not" | "from" | "to">;

/** Adds a filter of runs to a WHERE. What `not` selects is left out, one member at a time. */
export function addRunsFilter(where: SqlConditions, filter: RunsFilter): void {
  if (filter.from !== undefined) where.texts.push(`started_at >= ${time(where, filter.from)}`);
  if (filter.to !== undefined) where.texts.push(`started_at < ${time(where, filter.to)}`);
  where.texts.push(...selections(where, filter));
  const { outcomes, triggers, ...not } = filter.not ?? {};
  where.texts.push(
    ...selections(where, { outcomes: without(ALL_OUTCOMES, outcomes) }),
    ...selections(where, { triggers: without(TRIGGERS, triggers) }),
  );
  for (const text of selections(where, not)) where.texts.push(`(${text}) IS NOT TRUE`);
}

const ALL_OUTCOMES: NonNullable<RunsFilter["outcomes"]> = [...OUTCOMES, "running"];
const TRIGGERS: NonNullable<RunsFilter["triggers"]> = triggerSchema.options.map(
  (option) => option.unwrap().shape.kind.value,
);

/** What remains of a closed set is selected, as an index answers that and not what is excluded. */
function without<Value>(
  all: readonly Value[],
  excluded: readonly Value[] | undefined,
): readonly Value[] | undefined {
  return excluded === undefined ? undefined : all.filter((value) => !excluded.includes(value));
}

function selections(where: SqlConditions, filter: Selection): readonly string[] {
  return [
    filter.controller === undefined ? undefined : `controller = ${where.bind(filter.controller)}`,
    filter.reason === undefined ? undefined : `reason_code = ${where.bind(filter.reason)}`,
    anyOf(where, "outcome", filter.outcomes),
    anyOf(where, "trigger_kind", filter.triggers),
    filter.key === undefined ? undefined : keyMatches(where, filter.key),
    filter.kind === undefined ? undefined : `object_kind = ${where.bind(filter.kind)}`,
    filter.minCalls === undefined
      ? undefined
      : `cloud_calls + kube_calls >= ${where.bind(filter.minCalls)}::int`,
    filter.operation === undefined
      ? undefined
      : `steps @> ${where.bind(JSON.stringify([{ operation: filter.operation }]))}::jsonb`,
    filter.requestId === undefined ? undefined : hasRequest(where, filter.requestId),
  ].filter((text) => text !== undefined);
}

/** One value is compared by `=`, so that the index also gives the order. */
function anyOf(
  where: SqlConditions,
  column: string,
  values: readonly string[] | undefined,
): string | undefined {
  if (values === undefined) return undefined;
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return `${column} = ${where.bind(only)}`;
  return `${column} = ANY(${where.bind(values)}::text[])`;
}

/** `w-9`, `w-*`, or with a namespace `shop/web`. */
export function keyMatches(where: SqlConditions, key: string): string {
  const slash = key.indexOf("/");
  const name = globMatches(where, "object_name", key.slice(slash + 1));
  if (slash < 0) return name;
  return `${name} AND ${globMatches(where, "object_namespace", key.slice(0, slash))}`;
}

/** `*` stands for anything, all else for itself. */
export function globMatches(where: SqlConditions, column: string, glob: string): string {
  if (!glob.includes("*")) return `${column} = ${where.bind(glob)}`;
  const pattern = glob.replaceAll(/[\\%_]/g, "\\$&").replaceAll("*", "%");
  return `${column} LIKE ${where.bind(pattern)}`;
}

function time(where: SqlConditions, ms: number): string {
  return `to_timestamp(${where.bind(ms)}::float8 / 1000)`;
}
