import { t, worded } from "@cloudwright/core/model/language/text";
import {
  CONDITION_NAMES,
  type Condition,
  type DeliveryState,
  type Rules,
  type WebhookForm,
} from "@cloudwright/core/model/notifications";
import type { DeliveryView, WebhookView } from "@cloudwright/store/views/webhooks";
import {
  type Presentation,
  presentations,
  presented,
} from "../../../components/presentation/states.ts";
import { deliveryProblem } from "./delivery-problem.ts";

export const FORM_LABELS: Readonly<Record<WebhookForm, string>> = worded({
  cloudwright: () => t`Cloudwright (JSON)`,
  slack: () => t`Slack-compatible`,
});

const SHORT: Readonly<Record<Condition, string>> = worded({
  stuck: () => t`stuck`,
  drift: () => t`drift`,
  guard: () => t`deletion guard`,
  approval: () => t`approval`,
  chain: () => t`audit chain`,
  silent: () => t`no leader`,
});

/** `stuck 5 min, deletion guard, no leader 2 min`. */
export function rulesText(rules: Rules): string {
  return CONDITION_NAMES.flatMap((name) => {
    const rule = rules[name];
    if (rule === undefined) return [];
    return "afterMinutes" in rule ? t`${SHORT[name]} ${rule.afterMinutes} min` : SHORT[name];
  }).join(", ");
}

/** `Stuck`, `Stuck, over`, `Test`. */
export function messageKind({ condition, phase }: Pick<DeliveryView, "condition" | "phase">) {
  if (phase === "test" || condition === undefined) return t`Test`;
  const word = SHORT[condition];
  const label = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return phase === "ends" ? t`${label}, over` : label;
}

export const DELIVERY_PRESENTATION = presentations<DeliveryState>({
  pending: {
    label: () => t`Pending`,
    shape: "hourglass",
    tone: "waiting",
    help: () => t`It is sent next, or tried again.`,
  },
  delivered: {
    label: () => t`Delivered`,
    shape: "disc",
    tone: "ok",
    isUsual: true,
    help: () => t`The receiver has accepted it.`,
  },
  failed: {
    label: () => t`Failed`,
    shape: "cross",
    tone: "stuck",
    help: () => t`Trying again would not help.`,
  },
  givenUp: {
    label: () => t`Given up`,
    shape: "octagon",
    tone: "stuck",
    help: () => t`It was tried for a day without success.`,
  },
});

const PAUSED = presented({
  label: () => t`Paused`,
  shape: "square-bars",
  tone: "held",
  help: () => t`Nothing is sent until it is resumed.`,
});
const UNUSED = presented({
  label: () => t`Nothing sent yet`,
  shape: "dotted-ring",
  tone: "neutral",
  help: () => t`No message has been sent to it yet.`,
});

/** Returns the status of a webhook, judged by its last message. */
export function webhookStatus({ pausedAt, newest }: WebhookView): Presentation {
  if (pausedAt !== undefined) return PAUSED;
  if (newest === undefined) return UNUSED;
  const { help, ...shown } = DELIVERY_PRESENTATION[newest.state];
  return { ...shown, help: newest.problem === undefined ? help : deliveryProblem(newest.problem) };
}

/** Words the result of a test in one sentence. */
export function testSentence({ state, problem, attempts }: DeliveryView): string {
  const last = attempts.at(-1);
  if (state === "delivered") {
    return last === undefined
      ? t`The receiver has accepted it.`
      : t`The receiver answered ${last.status ?? ""} after ${last.durationMs} ms.`;
  }
  const failure =
    last === undefined
      ? t`The test was not delivered.`
      : t`The test was not delivered after ${last.durationMs} ms.`;
  return problem === undefined ? failure : `${failure} ${deliveryProblem(problem)}`;
}
