import { z } from "zod/mini";
import { BY_CONSENT_FLAG, loadBalancerProofSchema } from "../adoption.ts";
import { t } from "../language/text.ts";
import { reasonsOf } from "./define.ts";
import { few, named, proofText, start } from "./text.ts";

const defineReason = reasonsOf({ depth: "network", appearsIn: ["service"] });

const UNWANTED = {
  get deleted() {
    return t`it is being deleted`;
  },
  type: "it is no longer of type LoadBalancer",
  get class() {
    return t`its load balancer class belongs to another controller`;
  },
} as const;

/** Whether any node is left behind the load balancer; absent in what an earlier release wrote. */
const SERVES = z.optional(z.enum(["members", "nothing"]));

function restSentence({ serves }: { readonly serves?: "members" | "nothing" | undefined }): string {
  if (serves === undefined) return "";
  return serves === "members" ? t`The other nodes serve. ` : t`No other node serves meanwhile. `;
}

export const LOAD_BALANCER_REASONS = [
  defineReason({
    code: "ServiceInvalid",
    fields: { field: z.string(), value: z.string(), problem: z.string() },
    cause: (r) => t`its ${r.field} "${start(r.value)}" cannot be used: ${r.problem}`,
    advice: () => t`Correct it in the Service; nothing else about it is changed meanwhile.`,
    fault: "user",
    isMistake: true,
  }),
  defineReason({
    code: "ServiceUnsupported",
    fields: { provider: z.string(), field: z.string(), problem: z.string() },
    cause: (r) => t`${r.provider} cannot serve its ${r.field}: ${r.problem}`,
    advice: () => t`Change the Service, or use a provider that offers it.`,
    fault: "user",
    isMistake: true,
  }),
  defineReason({
    code: "ServiceUnwanted",
    fields: { why: z.enum(["deleted", "type", "class"]) },
    cause: (r) => UNWANTED[r.why],
    // A Service that has no load balancer and is to have none is nothing of ours any more.
    state: "gone",
  }),
  defineReason({
    code: "ServedElsewhere",
    fields: { provider: z.string() },
    cause: (r) => t`${r.provider} leaves this Service to another controller`,
  }),
  defineReason({
    code: "FinalizerMissing",
    fields: {
      /** The finalizer is there, and nothing beside it says under which class we serve it. */
      isWithoutClass: z.optional(z.boolean()),
    },
    cause: (r) =>
      r.isWithoutClass === true
        ? t`its finalizer does not say under which load balancer class it is served`
        : t`it lacks the finalizer that keeps it until its load balancer is gone`,
  }),
  defineReason({
    code: "BalancerMissing",
    fields: { provider: z.string() },
    cause: (r) => t`${r.provider} has no load balancer for it`,
  }),
  defineReason({
    code: "BalancerDiffers",
    fields: { aspects: z.array(z.string()) },
    cause: (r) => t`its load balancer is not in sync: ${few(r.aspects)}`,
    replaces: true,
  }),
  defineReason({
    code: "BalancerReensured",
    fields: { by: z.string(), why: z.string() },
    cause: (r) => t`${r.by} asked for its whole load balancer to be written again: ${r.why}`,
  }),
  defineReason({
    code: "MembersDiffer",
    fields: { added: z.array(z.string()), removed: z.array(z.string()) },
    cause: (r) =>
      t`the nodes behind its load balancer changed (${[named("new", r.added), named("gone", r.removed)].filter((text) => text !== "").join("; ")})`,
  }),
  defineReason({
    code: "BalancerProvisioning",
    fields: { provider: z.string(), id: z.string(), what: z.string() },
    cause: (r) => t`${r.provider} is still working on ${r.id}: ${r.what}`,
    advice: () => t`It continues by itself.`,
    isCloudAtWork: true,
  }),
  defineReason({
    code: "BalancerInStep",
    fields: { members: z.number(), address: z.optional(z.string()) },
    cause: (r) =>
      t`its load balancer${r.address === undefined ? "" : ` ${r.address}`} is in sync, with ${r.members === 1 ? "1 node" : t`${r.members} nodes`}`,
    serves: "members",
  }),
  defineReason({
    code: "BalancerWithoutMembers",
    fields: {},
    cause: () => t`no node is available for its load balancer`,
    advice: () => t`Add a node, or remove the exclude label or the autoscaler's taint from one.`,
    serves: "nothing",
  }),
  defineReason({
    code: "BalancerMemberRefused",
    fields: { node: z.string(), message: z.string(), others: z.number(), serves: SERVES },
    cause: (r) =>
      t`the cloud refuses to put node ${r.node}${r.others === 0 ? "" : t` and ${r.others} more`} behind its load balancer: ${r.message}`,
    advice: (r) => t`${restSentence(r)}Correct that node's provider ID or its instance.`,
    fault: "user",
    serves: "members",
  }),
  /** It follows from the missing machine that the cloud refuses it: nothing of the load balancer has to be fixed. */
  defineReason({
    code: "BalancerMemberGone",
    fields: { provider: z.string(), node: z.string(), others: z.number(), serves: SERVES },
    cause: (r) =>
      t`node ${r.node}${r.others === 0 ? "" : t` and ${r.others} more`} cannot be behind its load balancer, because the machine does not exist in ${r.provider}`,
    advice: (r) =>
      t`${restSentence(r)}This follows from the missing machine and ends when its node is removed.`,
    severity: "warning",
    state: "waiting",
    serves: "members",
  }),
  defineReason({
    code: "BalancerAddressMissing",
    fields: { provider: z.string() },
    cause: (r) => t`${r.provider} reports no address for its load balancer`,
    advice: () => t`Check it in the cloud; it is retried automatically.`,
    fault: "passing",
  }),
  defineReason({
    code: "BalancerAddressChanged",
    fields: { from: z.string(), to: z.string() },
    cause: (r) => {
      if (r.from === r.to) return t`its annotations do not name its load balancer and the address`;
      return r.from === ""
        ? t`its load balancer has the address ${r.to}`
        : t`its load balancer moved from ${r.from} to ${r.to || t`no address`}`;
    },
  }),
  defineReason({
    code: "BalancerForeign",
    fields: { provider: z.string(), id: z.string(), owner: z.string() },
    cause: (r) => t`the load balancer ${r.id} in ${r.provider} belongs to ${r.owner}`,
    advice: () => t`Rename or remove that load balancer in the cloud, or find the other owner.`,
    fault: "user",
  }),
  defineReason({
    code: "BalancerUnowned",
    fields: {
      provider: z.string(),
      id: z.string(),
      name: z.string(),
      /** What is on it that the Service does not ask for; absent when there is nothing. */
      others: z.optional(z.array(z.string())),
      /** Which of the two proofs speak for its being the Service's own. */
      proofs: z.optional(z.array(loadBalancerProofSchema)),
    },
    cause: (r) =>
      t`the load balancer ${r.id} named ${r.name} in ${r.provider} has no owner${proofText(r.proofs)}${r.others === undefined ? "" : t`; it has what the Service does not ask for: ${few(r.others)}`}`,
    advice: (r) =>
      r.others === undefined
        ? t`Adopt it on its page or with cloudwright adopt, or remove or rename it in the cloud.`
        : t`Adopting it would remove that: remove it in the cloud first, or rename the load balancer.`,
    fault: "user",
    offers: "adopt",
  }),
  defineReason({
    code: "BalancerAdopted",
    fields: {
      provider: z.string(),
      id: z.string(),
      name: z.string(),
      address: z.string(),
      /** It had not both proofs, and somebody allowed it. */
      isByConsent: z.optional(z.boolean()),
    },
    cause: (r) =>
      r.isByConsent === true
        ? t`the load balancer ${r.id} named ${r.name} in ${r.provider} is adopted, ${BY_CONSENT_FLAG}`
        : t`the load balancer ${r.id} in ${r.provider} is the Service's own: it has the name ${r.name}, which the earlier manager gave it, and the published address ${r.address}`,
  }),
  /** What the Service leaves behind if it goes, and is not ours to delete: the finalizer stays. */
  defineReason({
    code: "BalancerStands",
    fields: {
      provider: z.string(),
      id: z.string(),
      name: z.string(),
      proofs: z.array(loadBalancerProofSchema),
      /** Whose mark it carries; absent: it carries none. */
      owner: z.optional(z.string()),
    },
    cause: (r) =>
      t`the load balancer ${r.id} named ${r.name} still exists in ${r.provider}${r.proofs.includes("address") ? t`, at the address that the Service publishes,` : ""} and ${r.owner === undefined ? t`has no owner${proofText(r.proofs)}` : t`belongs to ${r.owner}`}, so the Service keeps its finalizer`,
    advice: (r) =>
      r.owner === undefined
        ? t`Adopt it, and it is deleted with its Service; or delete it in the cloud, and the Service goes by itself.`
        : t`Delete it in the cloud; if it serves somebody else, let the Service go without it, or remove the finalizer service.kubernetes.io/load-balancer-cleanup from the Service.`,
    fault: "user",
    offers: "adopt",
  }),
  defineReason({
    code: "BalancerBroken",
    fields: { provider: z.string(), id: z.string(), message: z.string() },
    cause: (r) => t`${r.provider} reports that the load balancer ${r.id} is broken: ${r.message}`,
    advice: () => t`Check it in the cloud; it is checked again automatically.`,
    fault: "passing",
    replaces: true,
  }),
  defineReason({
    code: "BalancerOrphaned",
    fields: {
      provider: z.string(),
      id: z.string(),
      service: z.string(),
      /** When it is removed by itself; absent when only an admin removes it. */
      untilMs: z.optional(z.number()),
    },
    cause: (r, time) =>
      t`the load balancer ${r.id} in ${r.provider} is ours, but its Service ${r.service} is not in the cluster${r.untilMs === undefined ? "" : t`; it will be removed at ${time(r.untilMs)}`}`,
    advice: () => t`Check that nothing uses it, then remove it as an admin.`,
  }),
] as const;
