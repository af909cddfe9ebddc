import { z } from "zod/mini";
import { t } from "../language/text.ts";
import { reasonsOf } from "./define.ts";
import { inWords, phraseSchema } from "./phrases.ts";
import { few, start } from "./text.ts";

const defineReason = reasonsOf({ depth: "podRange", appearsIn: ["node-ipam"] });

export const IPAM_REASONS = [
  defineReason({
    code: "PodCIDRsMissing",
    fields: {},
    cause: () => t`it has no pod range`,
    appearsIn: ["route", "node-ipam"],
  }),
  defineReason({
    code: "PodCIDRsInStep",
    fields: { cidrs: z.array(z.string()) },
    cause: (r) =>
      r.cidrs.length === 1
        ? t`it has the pod range ${few(r.cidrs)}`
        : t`it has the pod ranges ${few(r.cidrs)}`,
  }),
  /** A Node that already has pod ranges gets no others. */
  defineReason({
    code: "PodCIDRsFixed",
    fields: { cidrs: z.array(z.string()) },
    cause: (r) => t`it has ${few(r.cidrs)} already, and the pod ranges of a node cannot be changed`,
    advice: () => t`Register the node again if it should have others.`,
  }),
  defineReason({
    code: "NodeLeaving",
    fields: {},
    cause: () => t`it is being deleted`,
  }),
  defineReason({
    code: "PodCIDRInvalid",
    fields: { cidr: z.string(), problem: z.string(), phrase: z.optional(phraseSchema) },
    cause: (r) => t`its pod range ${start(r.cidr)} is not usable: ${inWords(r.phrase, r.problem)}`,
    advice: () => t`Register the node again with a correct range; the field cannot be changed.`,
    fault: "user",
    appearsIn: ["route", "node-ipam"],
  }),
  defineReason({
    code: "PodCIDRDuplicate",
    fields: { cidr: z.string(), other: z.string() },
    cause: (r) => t`node ${r.other} has the same pod range ${r.cidr}`,
    advice: () => t`Delete one of the two nodes and register it again.`,
    fault: "user",
    appearsIn: ["route", "node-ipam"],
  }),
  defineReason({
    code: "PodCIDROverlap",
    fields: { cidr: z.string(), other: z.string(), otherCIDR: z.string() },
    cause: (r) =>
      t`its pod range ${r.cidr} overlaps ${r.otherCIDR}, which belongs to the older node ${r.other}`,
    advice: () => t`Register the younger node again; the older one keeps its range.`,
    fault: "user",
    appearsIn: ["route"],
  }),
  defineReason({
    code: "PodCIDROutside",
    fields: { cidr: z.string(), ranges: z.array(z.string()) },
    cause: (r) => t`its pod range ${r.cidr} is not within ${few(r.ranges)}`,
    advice: () => t`Correct --cluster-cidr, or register the node again with a range inside it.`,
    fault: "user",
    appearsIn: ["route", "node-ipam"],
  }),
  defineReason({
    code: "PodCIDRsExhausted",
    fields: { range: z.string(), capacity: z.number() },
    cause: (r) =>
      t`all ${r.capacity} pod ranges of ${r.range} are assigned to nodes or kept out of use`,
    advice: () => t`Delete nodes that are not needed, or give the cluster a larger range.`,
    fault: "user",
  }),
] as const;
