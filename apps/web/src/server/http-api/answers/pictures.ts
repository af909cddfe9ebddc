import { reasonSchema } from "@cloudwright/core/model/reason";
import {
  loadBalancerDetailSchema,
  memberVerdictSchema,
} from "@cloudwright/core/model/records/load-balancer-record";
import { TIMELINE_STEPS } from "@cloudwright/core/model/records/node-record";
import { ROUTE_VERDICTS } from "@cloudwright/core/model/records/route-record";
import { driftSchema, stateSchema } from "@cloudwright/core/model/state";
import type { InitialisationView } from "@cloudwright/store/views/initialisation";
import { z } from "zod";
import { named } from "./named.ts";
import { time } from "./shared.ts";

/* The data behind the pages' charts. */

const isCut = z.boolean().meta({ description: "Whether there are more, which are left out." });

export const topologyNodes = named(
  "TopologyNodes",
  z.object({
    nodes: z.array(
      z.object({
        name: z.string(),
        state: stateSchema,
        since: time,
        zone: z.string().optional(),
        type: z.string().optional(),
        reason: z.optional(reasonSchema).meta({ description: "Absent of a node that is well." }),
      }),
    ),
    isCut,
  }),
);

const VERDICT = memberVerdictSchema.def.innerType.shape.verdict;
const PORT = loadBalancerDetailSchema.def.innerType.shape.ports.def.innerType.def.element;

const topologyService = named(
  "TopologyService",
  z.object({
    name: z.string(),
    state: stateSchema,
    since: time,
    drift: driftSchema,
    reason: z.optional(reasonSchema),
    loadBalancer: z
      .object({
        id: z.string(),
        type: z.string(),
        state: z.string(),
        addresses: z.array(z.string()),
      })
      .optional()
      .meta({ description: "Absent while there is none in the cloud." }),
    listeners: z.array(z.object({ ...PORT.def.innerType.shape, differs: z.boolean() })),
    members: z
      .record(VERDICT, z.number())
      .meta({ description: "How many nodes have which verdict." }),
    others: z
      .array(memberVerdictSchema)
      .meta({ description: "At most 60 of those that are not simply `in`." }),
  }),
);

export const topologyServices = named(
  "TopologyServices",
  z.object({
    services: z.array(topologyService),
    total: z.number().meta({ description: "How many the text selects." }),
  }),
);

export const histogram = named(
  "Histogram",
  z.object({
    from: time,
    to: time,
    counts: z
      .array(z.number())
      .meta({ description: "Of equal parts of the time from `from` to `to`, the oldest first." }),
  }),
);

export const initialisation = named(
  "Initialisation",
  z.object({
    from: time,
    to: time,
    parts: z
      .array(
        z.object({
          ...{ at: time, until: time },
          ...{ nodes: z.number(), p50Ms: z.number(), p95Ms: z.number() },
          slowestStep: z.object({ step: z.enum(TIMELINE_STEPS), p50Ms: z.number() }).optional(),
          slowest: z.object({ name: z.string(), ms: z.number() }),
        }),
      )
      .meta({ description: "Parts in which a node was initialised, the oldest first." }),
  }),
);

/** Gives each part its time, and leaves out the parts in which nothing happened. */
export function initialisationParts(answer: unknown): z.input<typeof initialisation> {
  const { from, to, parts } = answer as InitialisationView;
  const startOf = (index: number) => from + ((to - from) / Math.max(1, parts.length)) * index;
  const initialised = parts.flatMap((part, index) =>
    part === undefined ? [] : [{ at: startOf(index), until: startOf(index + 1), ...part }],
  );
  return { from, to, parts: initialised };
}

export const routeMap = named(
  "RouteMap",
  z.object({
    nodes: z.array(
      z.object({
        name: z.string(),
        cells: z.array(
          z.object({
            cidr: z.string(),
            verdict: z.enum(ROUTE_VERDICTS),
            table: z.string().optional(),
          }),
        ),
      }),
    ),
    isCut,
  }),
);
