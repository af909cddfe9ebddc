import { z } from "zod/mini";

/** Whether a node is behind a load balancer, and why or why not (UX.md section 6). */
export const memberVerdictSchema = z.readonly(
  z.object({
    node: z.string(),
    providerID: z.optional(z.string()),
    /** `soon`: requested, and not yet seen in the cloud. `leaving`: the cloud still has it. */
    verdict: z.enum(["in", "out", "soon", "leaving"]),
    /** Why it is out, or what is notable about one that is in. */
    why: z._default(
      z.enum([
        "eligible",
        "notReady",
        "cordoned",
        "excludedByLabel",
        "autoscalerRemoves",
        "beingDeleted",
        "withoutProviderID",
        "foreign",
        "refused",
        "machineGone",
      ]),
      "eligible",
    ),
    /** Evidence: the label with its value, the cloud's refusal. */
    evidence: z.optional(z.string()),
    /** The cloud's report, in its own words. */
    health: z.optional(z.string()),
  }),
);
export type MemberVerdict = z.infer<typeof memberVerdictSchema>;

const loadBalancerFactsSchema = z.readonly(
  z.object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    addresses: z.readonly(z.array(z.string())),
    state: z.string(),
    createdAt: z.optional(z.number()),
    /** The class of the Service for which it was created. */
    loadBalancerClass: z.optional(z.string()),
    parts: z.readonly(z.array(z.readonly(z.object({ kind: z.string(), id: z.string() })))),
  }),
);

export const loadBalancerDetailSchema = z.readonly(
  z.object({
    kind: z.literal("balancer"),
    /** Absent if there is none. */
    actual: z.optional(loadBalancerFactsSchema),
    /** Desired and actual values; those that differ have different texts. */
    aspects: z.readonly(
      z.array(
        z.readonly(
          z.object({
            name: z.string(),
            desired: z.optional(z.string()),
            actual: z.optional(z.string()),
          }),
        ),
      ),
    ),
    /** The cloud's fields that are not compared. */
    ignored: z.readonly(z.array(z.string())),
    /** What this provider cannot show, as one sentence. Absent: nothing is missing. */
    unseen: z.optional(z.string()),
    members: z.readonly(z.array(memberVerdictSchema)),
    /** How many verdicts are `in`, and how many should be. */
    membersIn: z.number(),
    membersWanted: z.number(),
    /** What the Service publishes. */
    published: z.readonly(
      z.array(
        z.readonly(z.object({ ip: z.optional(z.string()), hostname: z.optional(z.string()) })),
      ),
    ),
    ports: z.readonly(
      z.array(
        z.readonly(
          z.object({
            name: z.string(),
            protocol: z.string(),
            port: z.number(),
            nodePort: z.number(),
          }),
        ),
      ),
    ),
    /** When the cloud was last observed, and when we last changed something; milliseconds since the epoch. */
    asOf: z.optional(z.number()),
    changedAt: z.optional(z.number()),
  }),
);
/** What the pages show of a Service's load balancer: the `detail` of its state. */
export type LoadBalancerDetail = z.infer<typeof loadBalancerDetailSchema>;

export const orphanDetailSchema = z.readonly(
  z.object({
    kind: z.literal("orphan"),
    actual: loadBalancerFactsSchema,
    /** The Service UID in the mark, and its name if the mark has it. */
    serviceUid: z.string(),
    service: z.optional(z.string()),
    costHint: z.optional(z.string()),
    firstSeenAt: z.number(),
    /** When it is removed automatically. */
    removeAt: z.optional(z.number()),
  }),
);
/** A load balancer of this cluster without a Service: the `detail` of its state, whose object is a LoadBalancer named by its id. */
export type OrphanDetail = z.infer<typeof orphanDetailSchema>;
