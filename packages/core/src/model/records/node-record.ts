import { z } from "zod";
import { reasonSchema } from "../reason.ts";
import { controllerNameSchema, outcomeSchema } from "../run.ts";
import { driftSchema, stateSchema } from "../state.ts";
import { jsonSchema } from "../values/json.ts";

/** An address as the Node shows it; the API knows no closed list of types. */
export const addressSchema = z.object({ type: z.string(), address: z.string() }).readonly();
export type AddressRecord = z.infer<typeof addressSchema>;

/** The steps of a node's initialisation, in the order that the page explains them. */
export const TIMELINE_STEPS = [
  "registered",
  "found",
  "checked",
  "addresses",
  "initialised",
] as const;

export const timelineStepSchema = z
  .object({
    step: z.enum(TIMELINE_STEPS),
    state: z.enum(["done", "failed", "pending"]),
    startedAt: z.number().optional(),
    endedAt: z.number().optional(),
    tries: z.number().default(0),
    reason: reasonSchema.optional(),
    runId: z.string().optional(),
  })
  .readonly();
export type TimelineStep = z.infer<typeof timelineStepSchema>;

export const nodeFactsSchema = z
  .object({
    providerID: z.string().optional(),
    addresses: z.array(addressSchema).readonly(),
    instanceType: z.string().optional(),
    zone: z.string().optional(),
    region: z.string().optional(),
    labels: z.record(z.string(), z.string()).readonly(),
    power: z.enum(["running", "stopped", "pending"]).optional(),
    /** When it was true, milliseconds since the epoch. */
    asOf: z.number(),
    requestId: z.string().optional(),
    /** By which rule the cloud's instance was found, and its state in the cloud's own words. */
    explained: z.string().optional(),
  })
  .readonly();
export type NodeFacts = z.infer<typeof nodeFactsSchema>;

export const objectStateSchema = z
  .object({
    type: z.literal("state"),
    cluster: z.string(),
    controller: controllerNameSchema,
    /** Its controller's kind unless given: an orphan's is LoadBalancer. */
    kind: z.string().optional(),
    /** `w-9`, or `shop/web` for what has a namespace. */
    name: z.string(),
    uid: z.string(),
    at: z.number(),
    state: stateSchema,
    reason: reasonSchema,
    /** Since when it is in this state for this reason; of one that fails or is blocked, since the first such run of the row. */
    since: z.number(),
    nextAt: z.number().optional(),
    failures: z.number(),
    drift: driftSchema,
    runId: z.string(),
    outcome: outcomeSchema,
    node: z
      .object({
        createdAt: z.number(),
        /** The API server's version of it: of two that were seen at almost the same time the higher one is the newer. */
        resourceVersion: z.string().optional(),
        ready: z.enum(["True", "False", "Unknown", "Missing"]),
        readySince: z.number().optional(),
        kubeletVersion: z.string().optional(),
        taints: z.array(
          z.object({ key: z.string(), effect: z.string(), value: z.string().optional() }),
        ),
        facts: nodeFactsSchema,
      })
      .optional(),
    /** What the cloud says. Absent: this run did not ask or got no answer; what was known stays. */
    cloud: nodeFactsSchema.optional(),
    /** What we want the node to have. */
    wanted: nodeFactsSchema.optional(),
    timeline: z.array(timelineStepSchema).readonly().optional(),
    initialisedAt: z.number().optional(),
    /** When the object was made in the cluster; of a Node, `node` has it. */
    createdAt: z.number().optional(),
    detail: jsonSchema.optional(),
    /** What a dry run saw: it never takes the place of what a controller that acts has said. */
    dryRun: z.literal(true).optional(),
  })
  .readonly();
/** The current state of one object as one controller sees it; the newest by `at` wins, per controller. */
export type ObjectState = z.infer<typeof objectStateSchema>;
