import { z } from "zod/mini";
import { t } from "./language/text.ts";

/* What a webhook can be notified of, and what is kept of a delivery. */

/** Each with its words, in the order in which a form offers them. */
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

/** A day: who wants to know later than that looks at the page. */
export const MINUTES_MOST = 1_440;
const minutesSchema = z.int().check(z.minimum(1), z.maximum(MINUTES_MOST));

/** What a webhook is notified of; a condition that it does not name is not for it. */
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

/** For how long a condition lasts before anybody is notified; undefined for one that the webhook is not notified of. */
export function patienceMs(rules: Rules, condition: Condition): number | undefined {
  const rule = rules[condition];
  if (rule === undefined) return undefined;
  return "afterMinutes" in rule ? rule.afterMinutes * 60_000 : 0;
}

/** The two forms of a message's body. */
export const WEBHOOK_FORMS = ["cloudwright", "slack"] as const;
export const webhookFormSchema = z.enum(WEBHOOK_FORMS);
export type WebhookForm = z.infer<typeof webhookFormSchema>;

/** `test`: a user has asked for it. */
const PHASES = ["begins", "ends", "test"] as const;
export const phaseSchema = z.enum(PHASES);
export type Phase = z.infer<typeof phaseSchema>;

/** `failed`: the answer says that trying again would not help. `givenUp`: it was tried for as long as it is. */
const DELIVERY_STATES = ["pending", "delivered", "failed", "givenUp"] as const;
export const deliveryStateSchema = z.enum(DELIVERY_STATES);
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

export const attemptSchema = z.readonly(
  z.object({
    /** Milliseconds since the epoch. */
    at: z.number(),
    durationMs: z.number(),
    /** Of the answer; absent where there was none. */
    status: z.optional(z.number()),
    /** Why it is not delivered. */
    problem: z.optional(z.string()),
  }),
);
export type Attempt = z.infer<typeof attemptSchema>;
