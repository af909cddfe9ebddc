import { ACTION_KINDS } from "@cloudwright/core/model/actions/action";
import { actorSchema } from "@cloudwright/core/model/audit/audit";
import type {
  ColumnType,
  ObjectKind,
  StateColumn,
} from "@cloudwright/core/model/kinds/define-kind";
import { reasonSchema } from "@cloudwright/core/model/reason";
import { outcomeSchema } from "@cloudwright/core/model/run";
import { driftSchema, STATES, stateSchema } from "@cloudwright/core/model/state";
import { jsonSchema } from "@cloudwright/core/model/values/json";
import { z } from "zod";
import { named } from "./named.ts";

/** Building blocks of several answers, matching packages/store/src/views. A member that is undefined there is absent here. */

export const time = named(
  "Time",
  z.number().meta({ description: "Milliseconds since 1970-01-01T00:00:00Z." }),
);

export const actor = named("Actor", actorSchema);

/** An object as named by rows. */
export const object = named(
  "Object",
  z.object({
    kind: z.string(),
    namespace: z.string().optional(),
    name: z.string(),
    uid: z.string().optional(),
  }),
);

const total = named(
  "Total",
  z.object({ kind: z.enum(["exact", "atLeast"]), count: z.number() }).meta({
    description: "How many rows the filter selects: a long list is counted up to a limit.",
  }),
);

export function pageOf<Row extends z.core.$ZodType>(row: Row, more: z.core.$ZodShape = {}) {
  return z.object({
    rows: z.array(row),
    nextCursor: z
      .string()
      .optional()
      .meta({ description: "The `cursor` of the next page; absent on the last one." }),
    total,
    ...more,
  });
}

/** For an answer that may lack these parts. */
export function unreadOf<Part extends string>(parts: readonly [Part, ...Part[]]) {
  return z.array(z.enum(parts)).optional().meta({
    description: "Parts that could not be read and are empty for that; absent if there are none.",
  });
}

/** An answer that is a list without pages. */
export function rowsOf<Row extends z.core.$ZodType>(row: Row) {
  return z.object({ rows: z.array(row) });
}

export const objectCounts = named(
  "ObjectCounts",
  z.object({ states: z.record(z.enum(STATES), z.number()), drifted: z.number() }),
);

export const facets = z.record(z.string(), z.array(z.string()));

const SUMMARY = {
  name: z.string().meta({ description: "With its namespace, where it has one: `shop/web`." }),
  uid: z.string(),
  state: stateSchema,
  reason: reasonSchema,
  controller: z.string(),
  since: time,
  nextAt: time.optional(),
  failures: z.number(),
  drift: driftSchema,
  providerID: z.string().optional(),
  lastRun: z.object({ id: z.string(), outcome: outcomeSchema, at: time }),
  updatedAt: time,
};
export const objectSummary = named("ObjectSummary", z.object(SUMMARY));

/** A row of an object kind's list, from the kind's definition. */
export function rowOf(kind: ObjectKind) {
  const listed = Object.entries(kind.columns).filter(([, column]) => column.inLists !== false);
  const own = listed.map(([name, column]) => [name, columnSchema(column)] as const);
  const detail = kind.detail === undefined ? {} : { detail: z.optional(kind.detail.schema) };
  return z.object({ ...SUMMARY, ...Object.fromEntries(own), ...detail });
}

function columnSchema(column: StateColumn): z.core.$ZodType {
  const schema = column.schema ?? OF_TYPE[column.type];
  return "fallback" in column && column.fallback !== undefined ? schema : z.optional(schema);
}

const OF_TYPE: Readonly<Record<ColumnType, z.core.$ZodType>> = {
  text: z.string(),
  "text[]": z.array(z.string()),
  uuid: z.string(),
  int: z.number(),
  smallint: z.number(),
  bigint: z.number(),
  float8: z.number(),
  boolean: z.boolean(),
  jsonb: jsonSchema,
  time,
};

export const actionOfEntry = z.object({ kind: z.enum(ACTION_KINDS), isPreview: z.boolean() });
