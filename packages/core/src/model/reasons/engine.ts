import { z } from "zod/mini";
import { t } from "../language/text.ts";
import { jsonSchema } from "../values/json.ts";
import { FAULTS, reasonsOf, type TimeLabels } from "./define.ts";
import { inWords, phraseSchema } from "./phrases.ts";
import { controllerOf } from "./text.ts";

/** The source of the text in the field beside it; absent in records of earlier releases. */
const PHRASE = z.optional(phraseSchema);

interface HeldBy {
  readonly by?: string | undefined;
  readonly untilMs?: number | undefined;
}

function holdText({ by, untilMs }: HeldBy, time: TimeLabels): string {
  if (by === undefined)
    return untilMs === undefined
      ? t`nothing is written to it, as its annotation cloudwright.io/hold asks`
      : t`nothing is written to it until ${time(untilMs)}, as its annotation cloudwright.io/hold asks`;
  return untilMs === undefined
    ? t`nothing is written to it, as ${by} asked`
    : t`nothing is written to it until ${time(untilMs)}, as ${by} asked`;
}

const defineReason = reasonsOf({ depth: "controller", appearsIn: "all" });

/** A reason of a third-party controller or a newer release: it carries its own text, and is known by its name. */
export const OTHER_REASON = defineReason({
  code: "Other",
  fields: {
    name: z.string(),
    text: z.string(),
    advice: z.optional(z.string()),
    fault: z.optional(z.enum(FAULTS)),
  },
  cause: (r) => r.text,
  advice: (r) => r.advice ?? "",
  fault: (r) => r.fault ?? "none",
});

export const ENGINE_REASONS = [
  /** A write was held back because this process no longer holds the Lease: the next leader carries on. */
  defineReason({
    code: "LeaseLost",
    fields: { operation: z.string() },
    cause: (r) => t`${r.operation} was not sent, because this process no longer holds the Lease`,
    advice: () => t`The next leader carries on; no action is needed.`,
  }),
  /** A controller that is responsible for the object has not reported on it yet. */
  defineReason({
    code: "NotReportedYet",
    fields: { controller: z.string() },
    cause: (r) => t`it is waiting for its first check: ${controllerOf(r)} has not observed it yet`,
    depth: "initialisation",
  }),
  defineReason({
    code: "InStep",
    fields: {},
    cause: () => t`it is in sync with the cloud`,
  }),
  defineReason({
    code: "ObjectGone",
    fields: {},
    cause: () => t`it is no longer in the cluster`,
    state: "gone",
  }),
  defineReason({
    code: "HeldByAnnotation",
    fields: {
      by: z.optional(z.string()),
      why: z.optional(z.string()),
      /** When the hold ends by itself; absent for one that kubectl set without an end. */
      untilMs: z.optional(z.number()),
    },
    cause: (r, time) =>
      r.why === undefined ? holdText(r, time) : t`${holdText(r, time)}: ${r.why}`,
    advice: () => t`Release it when the reason no longer applies.`,
    state: "held",
    offers: "release",
  }),
  defineReason({
    code: "PersonAsked",
    fields: { by: z.string(), why: z.string(), intentId: z.string() },
    cause: (r) => t`${r.by} asked for it: ${r.why}`,
  }),
  defineReason({
    code: "HoldExpired",
    fields: { by: z.optional(z.string()), untilMs: z.number() },
    cause: (r, time) =>
      r.by === undefined
        ? t`the hold was set to end at ${time(r.untilMs)}`
        : t`the hold by ${r.by} was set to end at ${time(r.untilMs)}`,
  }),
  defineReason({
    code: "NothingToDo",
    fields: { what: z.string(), phrase: PHRASE },
    cause: (r) => inWords(r.phrase, r.what),
  }),
  defineReason({
    code: "WishRefused",
    fields: {
      problem: z.string(),
      phrase: PHRASE,
      /** The reason whose cause is the problem; `reason.ts` renders it. */
      behind: z.optional(z.record(z.string(), z.optional(jsonSchema))),
    },
    cause: (r) => inWords(r.phrase, r.problem),
  }),
  defineReason({
    code: "ControllerPaused",
    fields: { by: z.string(), untilMs: z.number(), why: z.string() },
    cause: (r, time) => t`its controller is paused by ${r.by} until ${time(r.untilMs)}: ${r.why}`,
    advice: () => t`Resume the controller to continue.`,
  }),
  defineReason({
    code: "ControlRecordUnavailable",
    fields: { message: z.string() },
    cause: (r) => t`the ConfigMap cloudwright-controls cannot be used: ${r.message}`,
    advice: () => t`Grant get, create and update of that ConfigMap in the election namespace.`,
    fault: "passing",
  }),
  defineReason({
    code: "RunInterrupted",
    fields: {},
    cause: () => t`the controller stopped during this run`,
    advice: () => t`The next run carries on from what it finds.`,
  }),
  defineReason({
    code: "Unexplained",
    fields: { message: z.string(), phrase: PHRASE },
    cause: (r) => t`cause unknown; the last error was: ${inWords(r.phrase, r.message)}`,
    advice: () => t`It is retried automatically.`,
    fault: "passing",
  }),
  OTHER_REASON,
] as const;
