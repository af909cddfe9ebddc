import { z } from "zod/mini";
import { loadBalancerProofSchema } from "../adoption.ts";
import { cloudText, fieldText, ownerText, progressText } from "../cloud-texts/cloud-texts.ts";
import { partName } from "../language/cloud-words.ts";
import { t, worded } from "../language/text.ts";
import { reasonsOf } from "./define.ts";
import { inWords, phraseSchema } from "./phrases.ts";
import { andMore, few, proofText, start } from "./text.ts";

const defineReason = reasonsOf({ depth: "network", appearsIn: ["service"] });

const UNWANTED = worded({
  deleted: () => t`it is being deleted`,
  type: () => t`it is no longer of type LoadBalancer`,
  class: () => t`its load balancer class belongs to another controller`,
});

/** Whether any node remains behind the load balancer; absent in records of earlier releases. */
const SERVES = z.optional(z.enum(["members", "nothing"]));

/** Without thousands separators, as Events have always had it. */
function nodeCount(count: number): string {
  return count === 1 ? t`1 node` : t`${count} nodes`;
}

interface Served {
  readonly serves?: "members" | "nothing" | undefined;
}

/** Puts before the advice about one node whether the others serve. */
function withRest({ serves }: Served, remedy: string): string {
  if (serves === undefined) return remedy;
  const rest = serves === "members" ? t`The other nodes serve.` : t`No other node is serving.`;
  return `${rest} ${remedy}`;
}

function changedMembers(added: readonly string[], removed: readonly string[]): string {
  const parts = [
    ...(added.length === 0 ? [] : [t`new: ${few(added)}`]),
    ...(removed.length === 0 ? [] : [t`gone: ${few(removed)}`]),
  ];
  return parts.join("; ");
}

export const LOAD_BALANCER_REASONS = [
  defineReason({
    code: "ServiceInvalid",
    fields: {
      ...{ field: z.string(), value: z.string(), problem: z.string() },
      phrase: z.optional(phraseSchema),
    },
    cause: (r) =>
      t`its ${fieldText(r.field)} "${start(r.value)}" cannot be used: ${inWords(r.phrase, r.problem)}`,
    advice: () => t`Correct it in the Service; until then, nothing else about it is changed.`,
    fault: "user",
    isMistake: true,
  }),
  defineReason({
    code: "ServiceUnsupported",
    fields: { provider: z.string(), field: z.string(), problem: z.string() },
    cause: (r) => t`${r.provider} cannot serve its ${fieldText(r.field)}: ${cloudText(r.problem)}`,
    advice: () => t`Change the Service, or use a provider that offers it.`,
    fault: "user",
    isMistake: true,
  }),
  defineReason({
    code: "ServiceUnwanted",
    fields: { why: z.enum(["deleted", "type", "class"]) },
    cause: (r) => UNWANTED[r.why],
    // A Service that has no load balancer and must have none no longer concerns us.
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
      /** The finalizer exists, but no annotation beside it names the class under which we serve the Service. */
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
    cause: (r) => t`its load balancer is not in sync: ${few(r.aspects.map(partName))}`,
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
      t`the nodes behind its load balancer changed (${changedMembers(r.added, r.removed)})`,
  }),
  defineReason({
    code: "BalancerProvisioning",
    fields: { provider: z.string(), id: z.string(), what: z.string() },
    cause: (r) => t`${r.provider} is still working on ${r.id}: ${progressText(r.what)}`,
    advice: () => t`It continues by itself.`,
    isCloudAtWork: true,
  }),
  defineReason({
    code: "BalancerInStep",
    fields: { members: z.number(), address: z.optional(z.string()) },
    cause: (r) =>
      r.address === undefined
        ? t`its load balancer is in sync, with ${nodeCount(r.members)}`
        : t`its load balancer ${r.address} is in sync, with ${nodeCount(r.members)}`,
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
      t`the cloud refuses to put node ${andMore(r.node, r.others)} behind its load balancer: ${r.message}`,
    advice: (r) => withRest(r, t`Correct that node's provider ID or its instance.`),
    fault: "user",
    serves: "members",
  }),
  /** The cloud refuses the member because its machine is missing: nothing about the load balancer has to be fixed. */
  defineReason({
    code: "BalancerMemberGone",
    fields: { provider: z.string(), node: z.string(), others: z.number(), serves: SERVES },
    cause: (r) =>
      t`node ${andMore(r.node, r.others)} cannot be behind its load balancer, because the machine does not exist in ${r.provider}`,
    advice: (r) =>
      withRest(r, t`This follows from the missing machine and ends when its node is removed.`),
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
      if (r.from === "") return t`its load balancer has the address ${r.to}`;
      return r.to === ""
        ? t`its load balancer moved from ${r.from} to no address`
        : t`its load balancer moved from ${r.from} to ${r.to}`;
    },
  }),
  defineReason({
    code: "BalancerForeign",
    fields: { provider: z.string(), id: z.string(), owner: z.string() },
    cause: (r) => t`the load balancer ${r.id} in ${r.provider} belongs to ${ownerText(r.owner)}`,
    advice: () => t`Rename or remove that load balancer in the cloud, or find the other owner.`,
    fault: "user",
  }),
  defineReason({
    code: "BalancerUnowned",
    fields: {
      provider: z.string(),
      id: z.string(),
      name: z.string(),
      /** What is on it that the Service does not ask for; absent if there is nothing. */
      others: z.optional(z.array(z.string())),
      /** Which of the two proofs show that it is the Service's own. */
      proofs: z.optional(z.array(loadBalancerProofSchema)),
    },
    cause: (r) =>
      r.others === undefined
        ? t`the load balancer ${r.id} named ${r.name} in ${r.provider} has no owner${proofText(r.proofs)}`
        : t`the load balancer ${r.id} named ${r.name} in ${r.provider} has no owner${proofText(r.proofs)}; it has settings that the Service does not request: ${few(r.others.map(partName))}`,
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
      /** Set if it lacked one of the proofs, and somebody allowed the adoption. */
      isByConsent: z.optional(z.boolean()),
    },
    cause: (r) =>
      r.isByConsent === true
        ? t`the load balancer ${r.id} named ${r.name} in ${r.provider} is adopted, as --adopt-consent allows`
        : t`the load balancer ${r.id} in ${r.provider} is the Service's own: it has the name ${r.name}, which the earlier manager gave it, and the published address ${r.address}`,
  }),
  /** What the Service would leave behind if it were gone, and is not ours to delete: the finalizer stays. */
  defineReason({
    code: "BalancerStands",
    fields: {
      provider: z.string(),
      id: z.string(),
      name: z.string(),
      proofs: z.array(loadBalancerProofSchema),
      /** The owner in its mark; absent if it has no mark. */
      owner: z.optional(z.string()),
    },
    cause: (r) => {
      const isAtAddress = r.proofs.includes("address");
      if (r.owner === undefined)
        return isAtAddress
          ? t`the load balancer ${r.id} named ${r.name} still exists in ${r.provider}, at the address that the Service publishes, and has no owner${proofText(r.proofs)}, so the Service keeps its finalizer`
          : t`the load balancer ${r.id} named ${r.name} still exists in ${r.provider} and has no owner${proofText(r.proofs)}, so the Service keeps its finalizer`;
      return isAtAddress
        ? t`the load balancer ${r.id} named ${r.name} still exists in ${r.provider}, at the address that the Service publishes, and belongs to ${ownerText(r.owner)}, so the Service keeps its finalizer`
        : t`the load balancer ${r.id} named ${r.name} still exists in ${r.provider} and belongs to ${ownerText(r.owner)}, so the Service keeps its finalizer`;
    },
    advice: (r) =>
      r.owner === undefined
        ? t`Adopt it, and it is deleted with its Service; or delete it in the cloud, and the Service is then removed automatically.`
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
      /** When it is removed automatically; absent if only an admin removes it. */
      untilMs: z.optional(z.number()),
    },
    cause: (r, time) =>
      r.untilMs === undefined
        ? t`the load balancer ${r.id} in ${r.provider} is ours, but its Service ${r.service} is not in the cluster`
        : t`the load balancer ${r.id} in ${r.provider} is ours, but its Service ${r.service} is not in the cluster; it will be removed at ${time(r.untilMs)}`,
    advice: () => t`Check that nothing uses it, then remove it as an admin.`,
  }),
] as const;
