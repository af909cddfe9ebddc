import type { CoreV1Event } from "@kubernetes/client-node";
import type { ObjectEvent } from "../../model/records/object-event.ts";
import { boundedText, visibleText } from "../../model/values/bounded-text.ts";
import { withoutSecrets } from "../../model/values/secrets.ts";
import type { Wire } from "../client.ts";

/** An Event of core/v1 in JSON: its writer may have left out anything. */
export type KubeEvent = Partial<Wire<CoreV1Event>>;

/** The record of an Event; the caller adds the cluster. */
export type SeenEvent = Omit<ObjectEvent, "type" | "cluster">;

/** Returns the record of an Event; undefined for one of these components, and for one that names no object. */
export function readEvent(event: KubeEvent, except: ReadonlySet<string>): SeenEvent | undefined {
  const component = componentOf(event);
  const uid = event.metadata?.uid;
  const object = objectOf(event);
  const lastAt = lastTime(event);
  if (uid === undefined || object === undefined || lastAt === undefined || except.has(component)) {
    return undefined;
  }
  return {
    ...{ uid, object, eventType: event.type === "Warning" ? "Warning" : "Normal" },
    reason: word(event.reason),
    message: visibleText(boundedText(withoutSecrets(event.message ?? ""), LONGEST_MESSAGE)),
    component: word(component),
    count: countOf(event),
    ...{ firstAt: Math.min(firstTime(event) ?? lastAt, lastAt), lastAt },
  };
}

function objectOf({ involvedObject = {} }: KubeEvent): SeenEvent["object"] | undefined {
  const { kind, name, namespace, uid } = involvedObject;
  if (kind === undefined || name === undefined) return undefined;
  return {
    ...{ kind, name },
    ...(namespace ? { namespace } : {}),
    ...(uid ? { uid } : {}),
  };
}

/** The newer Event API's limit for a note; the older one has no limit. */
const LONGEST_MESSAGE = 1_024;
const LONGEST_WORD = 128;
/** The maximum of a column in the ledger. */
const MOST_COUNT = 2_147_483_647;

function word(text: string | undefined): string {
  return visibleText(boundedText(text ?? "", LONGEST_WORD));
}

/** Chosen like the API server's for the selector field `source`. */
function componentOf({ source, reportingComponent }: KubeEvent): string {
  return source?.component || reportingComponent || "";
}

function countOf({ series, count }: KubeEvent): number {
  const counted = series?.count ?? count ?? 1;
  return Number.isInteger(counted) ? Math.min(Math.max(counted, 1), MOST_COUNT) : 1;
}

function lastTime({ series, lastTimestamp, ...event }: KubeEvent): number | undefined {
  return timeOf(series?.lastObservedTime) ?? timeOf(lastTimestamp) ?? firstTime(event);
}

function firstTime({ firstTimestamp, eventTime, metadata }: KubeEvent): number | undefined {
  return timeOf(firstTimestamp) ?? timeOf(eventTime) ?? timeOf(metadata?.creationTimestamp);
}

/** The API writes null if there is no time. */
function timeOf(text: string | null | undefined): number | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}
