import { z } from "zod/mini";
import { formatDuration } from "../language/duration.ts";
import { t } from "../language/text.ts";
import { reasonsOf } from "./define.ts";
import { evidence, requestOf } from "./text.ts";

const defineReason = reasonsOf({ depth: "machine", appearsIn: ["node-lifecycle"] });

export const LIFECYCLE_REASONS = [
  defineReason({
    code: "NewNodeGrace",
    fields: { untilMs: z.number() },
    cause: () => t`the cloud does not list this new node yet, and new nodes are given some time`,
    advice: () => t`It is initialised as soon as the cloud lists it.`,
    depth: "initialisation",
    isLoggedWhileWaiting: true,
    appearsIn: ["node", "node-lifecycle"],
  }),
  defineReason({
    code: "InstanceAbsentOnce",
    fields: {
      provider: z.string(),
      providerID: z.string(),
      requestId: z.optional(z.string()),
    },
    cause: (r) =>
      t`${r.provider} says that ${r.providerID} does not exist${evidence(requestOf(r))}, and we check once more before deleting the node`,
    advice: () => t`Hold the node if its machine is coming back.`,
    severity: "warning",
    explains: "all",
    needsProof: true,
    vanished: "doubted",
  }),
  defineReason({
    code: "InstanceGone",
    fields: {
      provider: z.string(),
      providerID: z.string(),
      requestId: z.optional(z.string()),
    },
    cause: (r) =>
      t`${r.provider} said twice that ${r.providerID} does not exist${evidence(requestOf(r))}`,
    state: "gone",
    explains: "all",
    vanished: "removed",
  }),
  defineReason({
    code: "InstanceStopped",
    fields: { provider: z.string(), state: z.string() },
    cause: (r) =>
      r.state === "pending"
        ? t`its instance is being started in ${r.provider}`
        : t`its instance is ${r.state} in ${r.provider}`,
    advice: (r) =>
      r.state === "pending" ? "" : t`Start the instance, or delete it if it is not needed.`,
    state: "waiting",
    explains: "passing",
  }),
  defineReason({
    code: "InstanceRunning",
    fields: { provider: z.string() },
    cause: (r) => t`its instance is running again in ${r.provider}`,
  }),
  defineReason({
    code: "NodeReady",
    fields: {},
    cause: () => t`the node is Ready`,
  }),
  defineReason({
    code: "NodeUnreadyInstanceRuns",
    fields: { provider: z.string() },
    cause: (r) => t`its kubelet is not Ready, although its instance is running in ${r.provider}`,
    advice: () => t`Check the kubelet and the network of that machine.`,
    state: "waiting",
  }),
  defineReason({
    code: "DeletionGuardHeld",
    fields: {
      provider: z.string(),
      providerID: z.string(),
      deleted: z.number(),
      limit: z.number(),
      windowMs: z.number(),
      held: z.number(),
    },
    cause: (r) =>
      r.held === 1
        ? t`the deletion guard holds this deletion: ${r.provider} says that ${r.providerID} does not exist, and ${r.deleted} of at most ${r.limit} nodes were deleted within ${formatDuration(r.windowMs)}`
        : t`the deletion guard holds ${r.held} deletions: ${r.provider} says that ${r.providerID} does not exist, and ${r.deleted} of at most ${r.limit} nodes were deleted within ${formatDuration(r.windowMs)}`,
    advice: () =>
      t`Check in the cloud that these machines are really gone, then release the deletion guard.`,
    fault: "user",
    state: "held",
    explains: "all",
    vanished: "held",
    offers: "release-guard",
  }),
] as const;
