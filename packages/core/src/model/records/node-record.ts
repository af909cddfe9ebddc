import { z } from "zod/mini";
import { reasonSchema } from "../reason.ts";
import { controllerNameSchema, outcomeSchema } from "../run.ts";
import { driftSchema, stateSchema } from "../state.ts";
import { jsonSchema } from "../values/json.ts";

/** An address as the Node shows it; the API has no closed list of types. */
export const addressSchema = z.readonly(z.object({ type: z.string(), address: z.string() }));
export type AddressRecord = z.infer<typeof addressSchema>;

/** The steps of a node's initialisation, in the order in which the page explains them. */
export const TIMELINE_STEPS = [
  "registered",
  "found",
  "checked",
  "addresses",
  "initialised",
] as const;

export const timelineStepSchema = z.readonly(
  z.object({
    step: z.enum(TIMELINE_STEPS),
    state: z.enum(["done", "failed", "pending"]),
    startedAt: z.optional(z.number()),
    endedAt: z.optional(z.number()),
    tries: z._default(z.number(), 0),
    reason: z.optional(reasonSchema),
    runId: z.optional(z.string()),
  }),
);
export type TimelineStep = z.infer<typeof timelineStepSchema>;

export const nodeFactsSchema = z.readonly(
  z.object({
    providerID: z.optional(z.string()),
    addresses: z.readonly(z.array(addressSchema)),
    instanceType: z.optional(z.string()),
    zone: z.optional(z.string()),
    region: z.optional(z.string()),
    labels: z.readonly(z.record(z.string(), z.string())),
    power: z.optional(z.enum(["running", "stopped", "pending"])),
    /** The time of the facts, in milliseconds since the epoch. */
    asOf: z.number(),
    requestId: z.optional(z.string()),
    /** The rule by which the cloud's instance was found, and its state in the cloud's own words. */
    explained: z.optional(z.string()),
  }),
);
export type NodeFacts = z.infer<typeof nodeFactsSchema>;

export const objectStateSchema = z.readonly(
  z.object({
    type: z.literal("state"),
    cluster: z.string(),
    controller: controllerNameSchema,
    /** The controller's kind by default: an orphan's is LoadBalancer. */
    kind: z.optional(z.string()),
    /** `w-9`, or `shop/web` for an object with a namespace. */
    name: z.string(),
    uid: z.string(),
    at: z.number(),
    state: stateSchema,
    reason: reasonSchema,
    /**
     * Since when it has been in this state for this reason; for a failing or blocked object, since the first such run of the
     * streak.
     */
    since: z.number(),
    nextAt: z.optional(z.number()),
    failures: z.number(),
    drift: driftSchema,
    runId: z.string(),
    outcome: outcomeSchema,
    node: z.optional(
      z.object({
        createdAt: z.number(),
        /**
         * The API server's version: of two observations at almost the same time, the one with the higher version is
         * newer.
         */
        resourceVersion: z.optional(z.string()),
        ready: z.enum(["True", "False", "Unknown", "Missing"]),
        readySince: z.optional(z.number()),
        kubeletVersion: z.optional(z.string()),
        taints: z.array(
          z.object({ key: z.string(), effect: z.string(), value: z.optional(z.string()) }),
        ),
        facts: nodeFactsSchema,
      }),
    ),
    /** The cloud's facts. Absent if this run did not ask or got no answer; the known facts stay. */
    cloud: z.optional(nodeFactsSchema),
    /** What the node should have. */
    wanted: z.optional(nodeFactsSchema),
    timeline: z.optional(z.readonly(z.array(timelineStepSchema))),
    initialisedAt: z.optional(z.number()),
    /** When the object was created in the cluster; for a Node, `node` has it. */
    createdAt: z.optional(z.number()),
    detail: z.optional(jsonSchema),
    /** Set for a dry run's observation, which never replaces the report of an active controller. */
    dryRun: z.optional(z.literal(true)),
  }),
);
/** The current state of one object as one controller sees it; the newest by `at` wins, per controller. */
export type ObjectState = z.infer<typeof objectStateSchema>;
