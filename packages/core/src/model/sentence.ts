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
  /** When the object entered this state, in milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  /** When it is next reconciled by itself, in milliseconds since the epoch. */
  readonly nextAtMs?: number | undefined;
  readonly nowMs: number;
  /** Formats a point in time; in UTC by default. */
  readonly time?: TimeLabels;
}

/**
 * Returns the whole diagnosis in UX.md section 2's order: object, state, since; cause with evidence; what happens next;
 * what to do. Page, CLI and export print this; nothing else writes such sentences. It contains the cause exactly as
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

/** Returns the first sentence alone: the Why column of a list. No full stop. */
export function cause(reason: Reason, time?: TimeLabels): string {
  return capitalise(causeOf(reason, time));
}

/**
 * Returns the cause as the middle of a sentence: no capital, no full stop. Times are in UTC unless `time` formats them
 * otherwise, like a page does in the user's zone.
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
 * Translates a message before it is shortened, as a part of it could not be found again. Returns the same reason if there is no
 * translation.
 */
function inReadersLanguage(reason: Reason): Reason {
  if (!("message" in reason)) return reason;
  const message = cloudText(reason.message);
  return message === reason.message ? reason : { ...reason, message };
}

/** Quotes the cloud's own answer after it is shortened, which would otherwise remove the closing mark. */
function withQuotes(reason: Reason): Reason {
  return "message" in reason ? { ...reason, message: quoted(reason.message) } : reason;
}

/** More does not fit where a cause is shown: an Event, a row, a dialog (UX.md section 2). */
const LONGEST = 200;
/** Texts of others, of any length. Names and numbers are evidence and are never shortened. */
const FREE_TEXTS: ReadonlySet<string> = new Set(["message", "why", "annotation", "text"]);

/** Returns the message of an Event or a log line: cause and advice, without times, which would defeat aggregation. */
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

/** The states with how long they have lasted. */
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

/** A due object is taken up after a moment; if it takes longer than this, it waits for something. */
const OVERDUE_MS = 10_000;

/** Returns when an object is next reconciled by itself; never a time in the past. */
export function nextTry(nextAtMs: number, nowMs: number): string {
  const lateMs = nowMs - nextAtMs;
  if (lateMs < 0) return t`Next attempt in ${formatDuration(-lateMs)}.`;
  return lateMs < OVERDUE_MS
    ? t`The next attempt is due now.`
    : t`The next attempt has been overdue for ${formatDuration(lateMs)}.`;
}

/** A first word with a digit, slash or underscore is an identifier, such as `lb-7`: with a capital, no search would find it. */
const IDENTIFIER_FIRST = /^\S*[\d/_]/;

/** Returns the text as the beginning of a sentence. */
export function capitalise(text: string): string {
  return IDENTIFIER_FIRST.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function withFreeTexts(reason: Reason, change: (text: string) => string): Reason {
  const fields = Object.entries(reason).map(([name, value]) =>
    FREE_TEXTS.has(name) && typeof value === "string" ? [name, change(value)] : [name, value],
  );
  return Object.fromEntries(fields);
}
