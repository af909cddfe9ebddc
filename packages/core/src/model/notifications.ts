import { z } from "zod/mini";
import { t } from "./language/text.ts";

/* What a webhook can be notified of, and the record of a delivery. */

/** The conditions with their texts, in the order in which a form offers them. */
export const CONDITIONS = {
  stuck: {
    get label() {
      return t`An object is stuck`;
    },
    usualMinutes: 5,
  },
  drift: {
    get label() {
      return t`An object has drifted`;
    },
    usualMinutes: 15,
  },
  guard: {
    get label() {
      return t`The deletion guard holds deletions back`;
    },
    usualMinutes: undefined,
  },
  approval: {
    get label() {
      return t`An action waits for approval`;
    },
    usualMinutes: undefined,
  },
  chain: {
    get label() {
      return t`The audit chain is broken`;
    },
    usualMinutes: undefined,
  },
  silent: {
    get label() {
      return t`No leader reports`;
    },
    usualMinutes: 2,
  },
} as const;
export type Condition = keyof typeof CONDITIONS;
export const CONDITION_NAMES = Object.keys(CONDITIONS) as readonly Condition[];
export const conditionSchema = z.enum(["stuck", "drift", "guard", "approval", "chain", "silent"]);

/** A day: a user who wants to know later than that can look at the page. */
export const MINUTES_MOST = 1_440;
const minutesSchema = z.int().check(z.minimum(1), z.maximum(MINUTES_MOST));

/** The conditions that a webhook reports; those that it does not name are off. */
export const rulesSchema = z.readonly(
  z.object({
    stuck: z.optional(z.readonly(z.object({ afterMinutes: minutesSchema }))),
    drift: z.optional(z.readonly(z.object({ afterMinutes: minutesSchema }))),
    guard: z.optional(z.readonly(z.object({}))),
    approval: z.optional(z.readonly(z.object({}))),
    chain: z.optional(z.readonly(z.object({}))),
    silent: z.optional(z.readonly(z.object({ afterMinutes: minutesSchema }))),
  }),
);
export type Rules = z.infer<typeof rulesSchema>;

/**
 * Returns how long a condition must last before the webhook is notified; undefined if it is not notified of the
 * condition.
 */
export function patienceMs(rules: Rules, condition: Condition): number | undefined {
  const rule = rules[condition];
  if (rule === undefined) return undefined;
  return "afterMinutes" in rule ? rule.afterMinutes * 60_000 : 0;
}

/** The two forms of a message's body. */
export const WEBHOOK_FORMS = ["cloudwright", "slack"] as const;
export const webhookFormSchema = z.enum(WEBHOOK_FORMS);
export type WebhookForm = z.infer<typeof webhookFormSchema>;

/** `test`: requested by a user. */
const PHASES = ["begins", "ends", "test"] as const;
export const phaseSchema = z.enum(PHASES);
export type Phase = z.infer<typeof phaseSchema>;

/** `failed`: the answer shows that a retry would not help. `givenUp`: all retries have failed. */
const DELIVERY_STATES = ["pending", "delivered", "failed", "givenUp"] as const;
export const deliveryStateSchema = z.enum(DELIVERY_STATES);
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

export const attemptSchema = z.readonly(
  z.object({
    /** Milliseconds since the epoch. */
    at: z.number(),
    durationMs: z.number(),
    /** The status of the answer; absent if there was none. */
    status: z.optional(z.number()),
    /** Why the message was not delivered. */
    problem: z.optional(z.string()),
  }),
);
export type Attempt = z.infer<typeof attemptSchema>;
