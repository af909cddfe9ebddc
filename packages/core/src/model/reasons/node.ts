import { z } from "zod/mini";
import { t } from "../language/text.ts";
import { reasonsOf } from "./define.ts";
import { inWords, phraseSchema } from "./phrases.ts";
import { few, start } from "./text.ts";

const defineReason = reasonsOf({ depth: "initialisation", appearsIn: ["node"] });

export const NODE_REASONS = [
  defineReason({
    code: "ProviderIDMissing",
    fields: { provider: z.string() },
    cause: (r) => t`${r.provider} reports no provider ID for this instance`,
    advice: () => t`Set the node's provider ID, or let the cloud report one.`,
    depth: "identity",
    fault: "user",
  }),
  defineReason({
    code: "ProviderIDMalformed",
    fields: { providerID: z.string(), expected: z.string() },
    cause: (r) => t`the provider ID ${r.providerID} does not have the form ${r.expected}`,
    advice: () =>
      t`Register the node again with a correct provider ID; the field cannot be changed.`,
    depth: "identity",
    fault: "user",
    appearsIn: ["node", "node-lifecycle", "route"],
  }),
  defineReason({
    code: "ProviderIDDuplicate",
    fields: { providerID: z.string(), other: z.string() },
    cause: (r) => t`node ${r.other} has the same provider ID ${r.providerID}`,
    advice: () => t`Delete whichever of the two nodes is stale.`,
    depth: "identity",
    fault: "user",
  }),
  defineReason({
    code: "ForeignNode",
    fields: { providerID: z.string(), provider: z.string() },
    cause: (r) => t`its provider ID ${r.providerID} belongs to a cloud other than ${r.provider}`,
    advice: () => t`It is left alone; no action is needed.`,
    depth: "identity",
    isNoted: true,
    appearsIn: ["node", "node-lifecycle", "route"],
  }),
  defineReason({
    code: "ProvidedNodeIPInvalid",
    fields: { annotation: z.string(), problem: z.string(), phrase: z.optional(phraseSchema) },
    cause: (r) =>
      t`the annotation alpha.kubernetes.io/provided-node-ip is "${r.annotation}": ${inWords(r.phrase, r.problem)}`,
    advice: () =>
      t`Correct the kubelet's --node-ip: one IP address, or one IPv4 and one IPv6 address separated by a comma.`,
    fault: "user",
    isMistake: true,
  }),
  defineReason({
    code: "ProvidedNodeIPUnknown",
    fields: { wanted: z.string(), cloudHas: z.array(z.string()) },
    cause: (r) =>
      t`the kubelet's node IP ${r.wanted} is not among the addresses that the cloud knows (${few(r.cloudHas) || t`none`})`,
    advice: () => t`Correct the kubelet's --node-ip, or give the instance that address.`,
    fault: "user",
  }),
  defineReason({
    code: "AddressesMissing",
    fields: { provider: z.string() },
    cause: (r) => t`${r.provider} lists no address for this instance`,
    advice: () => t`Give the instance an address; the node keeps the addresses that it has.`,
    severity: "warning",
  }),
  defineReason({
    code: "AddressDuplicate",
    fields: { type: z.string(), address: z.string() },
    cause: (r) => t`the cloud lists the address ${r.type} ${r.address} twice; the node has it once`,
    advice: () => t`Remove one of the two entries in the cloud.`,
    severity: "warning",
    isReportedOnce: true,
    isNoted: true,
  }),
  /** What differs from the cloud, and is not ours to set. */
  defineReason({
    code: "IdentityLeftAlone",
    fields: { lacksProviderID: z.boolean(), labels: z.array(z.string()) },
    cause: (r) =>
      t`${identityDifference(r.lacksProviderID, r.labels)}; this controller did not set that and leaves it alone`,
    advice: () =>
      t`Set the taint node.cloudprovider.kubernetes.io/uninitialized on the node to have it initialised.`,
    depth: "identity",
    isNoted: true,
  }),
  defineReason({
    code: "LabelInvalid",
    fields: {
      ...{ key: z.string(), value: z.string(), problem: z.string() },
      phrase: z.optional(phraseSchema),
    },
    cause: (r) =>
      t`the cloud's value "${start(r.value)}" cannot be used for the label ${r.key}: ${inWords(r.phrase, r.problem)}`,
    advice: () =>
      t`Correct it in the cloud: a label value has at most 63 letters, digits, '-', '_' and '.'.`,
    fault: "user",
    appearsIn: ["node", "volume"],
  }),
  /** Only in records of earlier releases. */
  defineReason({
    code: "TaintOfOthers",
    fields: { taints: z.array(z.string()) },
    cause: (r) => t`the remaining taints are not ours to remove: ${few(r.taints)}`,
    advice: () => t`The component that set them removes them.`,
    depth: "identity",
    appearsIn: [],
  }),
  defineReason({
    code: "Initialised",
    fields: {},
    cause: () => t`it was initialised with what the cloud reports`,
  }),
  defineReason({
    code: "FactsChanged",
    fields: { fields: z.array(z.string()) },
    cause: (r) => t`what the cloud reports has changed: ${few(r.fields)}`,
    depth: "controller",
  }),
  defineReason({
    code: "Uninitialised",
    fields: {},
    cause: () => t`it is waiting to be initialised`,
  }),
  defineReason({
    code: "FreedUnfinished",
    fields: { by: z.string(), untilMs: z.number(), why: z.string() },
    cause: (r, time) =>
      t`${r.by} overrode its taint before it was initialised, until ${time(r.untilMs)}: ${r.why}`,
    advice: () => t`It is initialised as soon as the cloud answers; hold it to keep pods away.`,
  }),
  defineReason({
    code: "OverrideExpired",
    fields: { by: z.string(), untilMs: z.number() },
    cause: (r, time) =>
      t`${r.by} overrode its taint until ${time(r.untilMs)}, and it is still not initialised`,
    advice: () => t`Override the taint again, or find out why the node cannot be initialised.`,
    severity: "warning",
  }),
] as const;

function identityDifference(lacksProviderID: boolean, labels: readonly string[]): string {
  if (labels.length === 0) return lacksProviderID ? t`it has no provider ID` : "";
  const differing =
    labels.length === 1
      ? t`its label is not what the cloud says (${few(labels)})`
      : t`its labels are not what the cloud says (${few(labels)})`;
  return lacksProviderID ? t`it has no provider ID and ${differing}` : differing;
}
