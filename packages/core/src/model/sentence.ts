import { cloudText } from "./cloud-texts/cloud-texts.ts";
import { formatDuration } from "./language/duration.ts";
import { quoted } from "./language/quoted.ts";
import { t, worded } from "./language/text.ts";
import { type ObjectRef, objectName } from "./object-ref.ts";
import { advice, plainCause, type Reason } from "./reason.ts";
import type { TimeLabels } from "./reasons/define.ts";
import { clockTime, inOneLine, shortened } from "./reasons/text.ts";
import type { State } from "./state.ts";

export type { TimeLabels };
export { advice };

export interface Diagnosis {
  readonly object: ObjectRef;
  readonly state: State;
  readonly reason: Reason;
  /** When the object entered this state, milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  /** When it is looked at again by itself, milliseconds since the epoch. */
  readonly nextAtMs?: number | undefined;
  readonly nowMs: number;
  /** How a point in time is worded; in UTC unless given. */
  readonly time?: TimeLabels;
}

/**
 * The whole diagnosis in UX.md section 2's order: thing, state, since; cause with evidence; what happens next; what
 * to do. Page, CLI and export print this; nobody else writes such sentences. The cause stands in it letter by letter as
 * Events and lists show it, so that one can be found by the other.
 */
export function sentence(diagnosis: Diagnosis): string {
  const parts = [
    t`${thing(diagnosis.object)} ${stateLabel(diagnosis)}: ${cause(diagnosis.reason, diagnosis.time)}.`,
    nextStep(diagnosis),
    advice(diagnosis.reason),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** The first sentence alone: what the Why column of a list shows. No full stop. */
export function cause(reason: Reason, time?: TimeLabels): string {
  return capitalise(causeOf(reason, time));
}

/**
 * The cause as the middle of a sentence: no capital, no full stop. Times are UTC unless `time` words them otherwise, as a
 * page does in the zone that a user has chosen.
 */
export function causeOf(reason: Reason, time: TimeLabels = clockTime): string {
  const said = inReadersLanguage(reason);
  const plain = withFreeTexts(said, inOneLine);
  const word = (shown: Reason) => plainCause(said === reason ? withQuotes(shown) : shown, time);
  const excess = word(plain).length - LONGEST;
  if (excess <= 0) return word(plain);
  return word(withFreeTexts(plain, (text) => shortened(text, excess)));
}

/**
 * A message is said in the reader's language before it is shortened: a part of it could not be found again. The same reason where
 * nothing is said otherwise.
 */
function inReadersLanguage(reason: Reason): Reason {
  if (!("message" in reason)) return reason;
  const message = cloudText(reason.message);
  return message === reason.message ? reason : { ...reason, message };
}

/** What the cloud itself answered. It is quoted after it is shortened, which would take the closing mark. */
function withQuotes(reason: Reason): Reason {
  return "message" in reason ? { ...reason, message: quoted(reason.message) } : reason;
}

/** More does not fit where a cause stands: an Event, a row, a dialog (UX.md section 2). */
const LONGEST = 200;
/** What others wrote, of any length. Names and numbers are evidence and are never cut. */
const FREE_TEXTS: ReadonlySet<string> = new Set(["message", "why", "annotation", "text"]);

/** What an Event's message and a log line carry: cause and advice, without times that would defeat aggregation. */
export function eventMessage(reason: Reason): string {
  const remedy = advice(reason);
  return remedy === "" ? `${cause(reason)}.` : `${cause(reason)}. ${remedy}`;
}

function thing(object: ObjectRef): string {
  return `${object.kind} \`${objectName(object)}\``;
}

const STATE_LABELS: Record<State, string> = worded({
  stuck: () => t`is stuck`,
  unknown: () => t`could not be observed`,
  waiting: () => t`is waiting`,
  working: () => t`is being worked on`,
  held: () => t`is held`,
  ok: () => t`is OK`,
  gone: () => t`is gone`,
});

/** With how long it has been so. */
const LASTING = {
  stuck: (time: string) => t`has been stuck for ${time}`,
  unknown: (time: string) => t`could not be observed for ${time}`,
  waiting: (time: string) => t`has been waiting for ${time}`,
  working: (time: string) => t`has been worked on for ${time}`,
  held: (time: string) => t`has been held for ${time}`,
} as const;

function stateLabel({ state, sinceMs, nowMs }: Diagnosis): string {
  if (sinceMs === undefined || state === "ok" || state === "gone") return STATE_LABELS[state];
  return LASTING[state](formatDuration(Math.max(0, nowMs - sinceMs)));
}

function nextStep({ state, nextAtMs, nowMs }: Diagnosis): string {
  if (nextAtMs === undefined || state === "ok" || state === "gone") return "";
  return nextTry(nextAtMs, nowMs);
}

/** What is due takes a moment to be taken up; later than this it waits for something. */
const OVERDUE_MS = 10_000;

/** When an object is looked at again by itself; never a time that has passed. */
export function nextTry(nextAtMs: number, nowMs: number): string {
  const lateMs = nowMs - nextAtMs;
  if (lateMs < 0) return t`Next attempt in ${formatDuration(-lateMs)}.`;
  return lateMs < OVERDUE_MS
    ? t`The next attempt is due now.`
    : t`The next attempt has been overdue for ${formatDuration(lateMs)}.`;
}

/** The same text as the beginning of a sentence. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function withFreeTexts(reason: Reason, change: (text: string) => string): Reason {
  const fields = Object.entries(reason).map(([name, value]) =>
    FREE_TEXTS.has(name) && typeof value === "string" ? [name, change(value)] : [name, value],
  );
  return Object.fromEntries(fields);
}
