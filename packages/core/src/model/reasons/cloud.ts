import { z } from "zod/mini";
import { callName } from "../language/cloud-words.ts";
import { formatDuration } from "../language/duration.ts";
import { t } from "../language/text.ts";
import { PAUSE_WHEN_UNTOLD_MS, reasonsOf } from "./define.ts";
import { evidence, requestOf, statusOf } from "./text.ts";

const defineReason = reasonsOf({ depth: "controller", appearsIn: "all" });

export const CLOUD_REASONS = [
  defineReason({
    code: "InstanceNotFound",
    fields: {
      provider: z.string(),
      by: z.enum(["providerID", "name"]),
      value: z.string(),
      requestId: z.optional(z.string()),
    },
    cause: (r) =>
      r.by === "name"
        ? t`no instance in ${r.provider} is named ${r.value}${evidence(requestOf(r))}`
        : t`no instance in ${r.provider} has the provider ID ${r.value}${evidence(requestOf(r))}`,
    advice: (r) =>
      r.by === "name"
        ? t`Check that the node's name equals its instance's name, or set its provider ID.`
        : t`Check that the provider ID is right, and that the cloud config names the right project and region.`,
    fault: "user",
    explains: "all",
    isLoggedWhileWaiting: true,
    appearsIn: ["node", "node-lifecycle", "route"],
  }),
  defineReason({
    code: "InstanceUnclaimed",
    fields: { provider: z.string() },
    cause: (r) => t`${r.provider} returned no data for it and does not claim it as its own`,
    advice: () => t`The cloud is asked again when the node changes, or when you press Retry node.`,
    depth: "identity",
    severity: "warning",
    appearsIn: ["node", "node-lifecycle", "route"],
  }),
  defineReason({
    code: "ProviderThrottled",
    fields: {
      provider: z.string(),
      operation: z.string(),
      retryAfterMs: z.optional(z.number()),
      requestId: z.optional(z.string()),
    },
    cause: (r) =>
      t`${r.provider} allows no more calls for now${evidence(t`429 on ${callName(r.operation)}`, r.retryAfterMs === undefined ? "" : t`retry after ${formatDuration(r.retryAfterMs)}`, requestOf(r))}`,
    advice: () => t`It resumes by itself.`,
    fault: "passing",
    state: "unknown",
    pauseMs: (r) => r.retryAfterMs ?? PAUSE_WHEN_UNTOLD_MS,
  }),
  defineReason({
    code: "ProviderUnauthorized",
    fields: providerFailure(),
    cause: (r) =>
      t`${r.provider} rejected our credentials for ${callName(r.operation)}${evidence(statusOf(r), requestOf(r))}`,
    advice: () => t`Check the credentials and their permissions in the cloud config.`,
    fault: "user",
    state: "unknown",
  }),
  defineReason({
    code: "ProviderUnavailable",
    fields: {
      ...providerFailure(),
      /** How long the cloud asked us to wait. */
      retryAfterMs: z.optional(z.number()),
    },
    cause: (r) =>
      t`${r.provider} failed on ${callName(r.operation)}: ${r.message}${evidence(statusOf(r), requestOf(r))}`,
    advice: () => t`Check the cloud's status; the call is retried automatically.`,
    fault: "passing",
    state: "unknown",
    /** "At once" is not a time to wait. */
    pauseMs: ({ retryAfterMs = 0 }) => (retryAfterMs > 0 ? retryAfterMs : undefined),
  }),
  defineReason({
    code: "ProviderTimedOut",
    fields: {
      provider: z.string(),
      operation: z.string(),
      afterMs: z.number(),
    },
    cause: (r) =>
      r.afterMs > 0
        ? t`${r.provider} did not answer ${callName(r.operation)} within ${formatDuration(r.afterMs)}`
        : t`${r.provider} did not answer ${callName(r.operation)} in time`,
    advice: () =>
      t`Check the cloud's status and the network to it; the call is retried automatically.`,
    fault: "passing",
    state: "unknown",
  }),
  defineReason({
    code: "ProviderQuotaExceeded",
    fields: providerFailure(),
    cause: (r) =>
      t`a quota of ${r.provider} is used up: ${r.message}${evidence(statusOf(r), requestOf(r))}`,
    advice: () => t`Free up capacity, or ask the cloud for a higher limit.`,
    fault: "user",
  }),
  defineReason({
    code: "ProviderRefused",
    fields: {
      ...providerFailure(),
      /** Set if the object's state caused the refusal rather than what we sent. */
      because: z.optional(z.enum(["conflict", "notFound"])),
    },
    cause: (r) =>
      t`${r.provider} refused ${callName(r.operation)}: ${r.message}${evidence(statusOf(r), requestOf(r))}`,
    advice: () => t`Read the cloud's message; the call is retried automatically.`,
    // An object that is in conflict, or gone, is observed and planned again.
    fault: (r) => (r.because === undefined ? "user" : "passing"),
  }),
  defineReason({
    code: "ProviderUnsupported",
    fields: { provider: z.string(), operation: z.string() },
    cause: (r) => t`${r.provider} does not offer ${callName(r.operation)}`,
    advice: () => t`Use a provider that offers it, or turn this controller off.`,
    fault: "user",
  }),
  defineReason({
    code: "CloudListsNothing",
    fields: { provider: z.string(), nodes: z.number() },
    cause: (r) =>
      t`${r.provider} lists no instances at all, while ${r.nodes} nodes say that they run there`,
    advice: () =>
      t`No node is deleted because of such an answer. Check that the credentials and the project are right.`,
    depth: "machine",
    fault: "passing",
    appearsIn: ["node-lifecycle"],
  }),
] as const;

function providerFailure() {
  return {
    provider: z.string(),
    operation: z.string(),
    message: z.string(),
    status: z.optional(z.number()),
    requestId: z.optional(z.string()),
  };
}
