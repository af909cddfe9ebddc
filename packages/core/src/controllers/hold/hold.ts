import { z } from "zod";
import type { KubeObject } from "../../kube/client.ts";
import { type EventText, eventText } from "../../kube/events/event-object.ts";
import { type ActionOf, actionOf, type RequestedAction } from "../../model/actions/action.ts";
import type { Hold, Reason, ReasonOf } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import { eventMessage } from "../../model/sentence.ts";
import { annotationOf } from "../objects/object-meta.ts";

/**
 * Holds an object: as long as this annotation is present, we write nothing to the object. Its value says why;
 * kubectl users may set it alone.
 */
export const HOLD_ANNOTATION = "cloudwright.io/hold";
/** When the hold ends by itself, RFC 3339. */
export const HOLD_UNTIL_ANNOTATION = "cloudwright.io/hold-until";
/** The user's name. */
export const HOLD_BY_ANNOTATION = "cloudwright.io/hold-by";

/** Returns the hold that an object carries, whether or not it has ended; undefined if it has none. */
export function holdOf(object: KubeObject): Hold | undefined {
  const why = annotationOf(object, HOLD_ANNOTATION);
  if (why === undefined) return undefined;
  const by = annotationOf(object, HOLD_BY_ANNOTATION);
  const untilMs = timeOf(annotationOf(object, HOLD_UNTIL_ANNOTATION));
  return {
    code: "HeldByAnnotation",
    ...(by === undefined || by === "" ? {} : { by }),
    ...(why === "" ? {} : { why }),
    ...(untilMs === undefined ? {} : { untilMs }),
  };
}

/** Returns the hold that prevents us from writing now. */
export function activeHoldOf(object: KubeObject, nowMs: number): Hold | undefined {
  const hold = holdOf(object);
  return hold === undefined || isOver(hold, nowMs) ? undefined : hold;
}

function isOver({ untilMs }: Hold, nowMs: number): boolean {
  return untilMs !== undefined && untilMs <= nowMs;
}

/** Returns what is wrong with a hand-written end; such a hold does not end by itself. */
export function problemOfHold(object: KubeObject): ReasonOf<"WishRefused"> | undefined {
  const text = annotationOf(object, HOLD_UNTIL_ANNOTATION);
  if (text === undefined || timeOf(text) !== undefined) return undefined;
  const value = text.slice(0, LONGEST_SHOWN);
  return {
    code: "WishRefused",
    ...phrased("problem", "endUnreadable", HOLD_UNTIL_ANNOTATION, value),
  };
}

/** A hold as a change shows it, in milliseconds since the epoch; null for a hold without an end. */
export type HoldPart = { readonly hold: { readonly until: number | null } | null };

export function holdPart(hold: Hold | undefined): HoldPart {
  return { hold: hold === undefined ? null : { until: hold.untilMs ?? null } };
}

/** Returns the annotations of a hold: its end, and who asked for it and why. */
export function holdAnnotations(
  until: number,
  { why, by }: ReasonOf<"PersonAsked">,
): Readonly<Record<string, string>> {
  return {
    [HOLD_ANNOTATION]: why,
    [HOLD_UNTIL_ANNOTATION]: new Date(until).toISOString(),
    [HOLD_BY_ANNOTATION]: by,
  };
}

export const NO_HOLD_ANNOTATIONS: Readonly<Record<string, null>> = {
  [HOLD_ANNOTATION]: null,
  [HOLD_UNTIL_ANNOTATION]: null,
  [HOLD_BY_ANNOTATION]: null,
};

/** Returns the Event by which kubectl users learn of a hold: who set it, and why. */
export function eventOfHold({ by, why }: ReasonOf<"PersonAsked">, untilMs: number): EventText {
  return eventText("Held", eventMessage({ code: "HeldByAnnotation", by, why, untilMs }));
}

/** Returns the Event for the end of a hold: who released it, or that it expired. */
export function eventOfRelease(reason: Reason): EventText {
  return eventText("Released", eventMessage(reason));
}

/** Reports whether an action does not depend on the cloud, such as a hold: then nobody waits for the cloud. */
export function isWithoutCloud(requested: RequestedAction | undefined): boolean {
  return requested !== undefined && actionOf(requested.action.kind).isWithoutCloud === true;
}

/** Returns the hold that a user requests. */
export function holdFor({ by, why, action }: RequestedAction<ActionOf<"hold">>): Hold {
  return { code: "HeldByAnnotation", by, why, untilMs: action.until };
}

export function isSameHold(held: Hold | undefined, wanted: Hold): boolean {
  return (
    held?.untilMs === wanted.untilMs &&
    held?.by === wanted.by &&
    (held?.why ?? "") === (wanted.why ?? "")
  );
}

const LONGEST_SHOWN = 40;
const TIME = z.iso.datetime({ offset: true });

/** RFC 3339 also allows a space as separator, as in `date --rfc-3339`, and lower case. */
function timeOf(text: string | undefined): number | undefined {
  const parsed = TIME.safeParse(text?.trim().toUpperCase().replace(" ", "T"));
  return parsed.success ? Date.parse(parsed.data) : undefined;
}
