import {
  CONDITION_NAMES,
  type Condition,
  type DeliveryState,
  type Rules,
  type WebhookForm,
} from "@cloudwright/core/model/notifications";
import type { DeliveryView, WebhookView } from "@cloudwright/store/views/webhooks";
import type { Presentation } from "../../../components/presentation/states.ts";

export const FORM_LABELS: Readonly<Record<WebhookForm, string>> = {
  cloudwright: "Cloudwright (JSON)",
  slack: "Slack-compatible",
};

const SHORT: Readonly<Record<Condition, string>> = {
  stuck: "stuck",
  drift: "drift",
  guard: "deletion guard",
  approval: "approval",
  chain: "audit chain",
  silent: "no leader",
};

/** `stuck 5 min, deletion guard, no leader 2 min`. */
export function rulesText(rules: Rules): string {
  return CONDITION_NAMES.flatMap((name) => {
    const rule = rules[name];
    if (rule === undefined) return [];
    return "afterMinutes" in rule ? `${SHORT[name]} ${rule.afterMinutes} min` : SHORT[name];
  }).join(", ");
}

/** `Stuck`, `Stuck, over`, `Test`. */
export function messageKind({ condition, phase }: Pick<DeliveryView, "condition" | "phase">) {
  if (phase === "test" || condition === undefined) return "Test";
  const word = SHORT[condition];
  const label = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return phase === "ends" ? `${label}, over` : label;
}

export const DELIVERY_PRESENTATION: Readonly<Record<DeliveryState, Presentation>> = {
  pending: {
    label: "Pending",
    shape: "hourglass",
    tone: "waiting",
    help: "It is sent next, or tried again.",
  },
  delivered: {
    label: "Delivered",
    shape: "disc",
    tone: "ok",
    help: "The receiver has accepted it.",
  },
  failed: {
    label: "Failed",
    shape: "cross",
    tone: "stuck",
    help: "Trying again would not help.",
  },
  givenUp: {
    label: "Given up",
    shape: "octagon",
    tone: "stuck",
    help: "It was tried for a day without success.",
  },
};

const PAUSED: Presentation = {
  label: "Paused",
  shape: "square-bars",
  tone: "held",
  help: "Nothing is sent until it is resumed.",
};
const UNUSED: Presentation = {
  label: "Nothing sent yet",
  shape: "dotted-ring",
  tone: "neutral",
  help: "No message has been sent to it yet.",
};

/** How a webhook stands: by the last message. */
export function webhookStatus({ pausedAt, newest }: WebhookView): Presentation {
  if (pausedAt !== undefined) return PAUSED;
  if (newest === undefined) return UNUSED;
  const { help, ...shown } = DELIVERY_PRESENTATION[newest.state];
  return { ...shown, help: newest.problem ?? help };
}

/** What came of a test, in one sentence. */
export function testSentence({ state, problem, attempts }: DeliveryView): string {
  const last = attempts.at(-1);
  const time = last === undefined ? "" : ` after ${last.durationMs} ms`;
  if (state === "delivered") return `The receiver answered ${last?.status ?? ""}${time}.`;
  return `The test was not delivered${time}. ${problem ?? ""}`.trim();
}
