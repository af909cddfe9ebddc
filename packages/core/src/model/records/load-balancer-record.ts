import { z } from "zod";

/** Whether a node is behind a load balancer, and why or why not (UX.md section 6). */
export const memberVerdictSchema = z
  .object({
    node: z.string(),
    providerID: z.string().optional(),
    /** `soon`: asked for, and not seen in the cloud yet. `leaving`: the cloud still has it. */
    verdict: z.enum(["in", "out", "soon", "leaving"]),
    /** Why it is out, or what is remarkable about one that is in. */
    why: z
      .enum([
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
      ])
      .default("eligible"),
    /** Evidence: the label with its value, the cloud's refusal. */
    evidence: z.string().optional(),
    /** As the cloud reports it, in its own words. */
    health: z.string().optional(),
  })
  .readonly();
export type MemberVerdict = z.infer<typeof memberVerdictSchema>;

export const loadBalancerFactsSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    addresses: z.array(z.string()).readonly(),
    state: z.string(),
    createdAt: z.number().optional(),
    /** Of the Service that it was made for. */
    loadBalancerClass: z.string().optional(),
    parts: z.array(z.object({ kind: z.string(), id: z.string() }).readonly()).readonly(),
  })
  .readonly();

export const loadBalancerDetailSchema = z
  .object({
    kind: z.literal("balancer"),
    /** Absent while there is none. */
    actual: loadBalancerFactsSchema.optional(),
    /** Desired beside actual; differing ones have different texts. */
    aspects: z
      .array(
        z
          .object({
            name: z.string(),
            desired: z.string().optional(),
            actual: z.string().optional(),
          })
          .readonly(),
      )
      .readonly(),
    /** Fields of the cloud's that are not compared. */
    ignored: z.array(z.string()).readonly(),
    /** What nobody learns through this provider, as one sentence. Absent: nothing is missing. */
    unseen: z.string().optional(),
    members: z.array(memberVerdictSchema).readonly(),
    /** Those of the verdicts `in`, and all that should be. */
    membersIn: z.number(),
    membersWanted: z.number(),
    /** What the Service publishes. */
    published: z
      .array(z.object({ ip: z.string().optional(), hostname: z.string().optional() }).readonly())
      .readonly(),
    ports: z
      .array(
        z
          .object({
            name: z.string(),
            protocol: z.string(),
            port: z.number(),
            nodePort: z.number(),
          })
          .readonly(),
      )
      .readonly(),
    /** When the cloud was last looked at, and when something of it was last changed by us; milliseconds since the epoch. */
    asOf: z.number().optional(),
    changedAt: z.number().optional(),
  })
  .readonly();
/** What the pages show of a Service's load balancer: the `detail` of its state. */
export type LoadBalancerDetail = z.infer<typeof loadBalancerDetailSchema>;

export const orphanDetailSchema = z
  .object({
    kind: z.literal("orphan"),
    actual: loadBalancerFactsSchema,
    /** The Service UID in the mark, and its name if the mark has it. */
    serviceUid: z.string(),
    service: z.string().optional(),
    costHint: z.string().optional(),
    firstSeenAt: z.number(),
    /** When it is removed by itself. */
    removeAt: z.number().optional(),
  })
  .readonly();
/** A load balancer of this cluster without a Service: the `detail` of its state, whose object is a LoadBalancer named by its id. */
export type OrphanDetail = z.infer<typeof orphanDetailSchema>;
