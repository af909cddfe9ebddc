import { invalid } from "../http/api-error.ts";
import { isTrue } from "../http/query.ts";
import { forbiddenValue } from "../rules/problem.ts";
import { readVersion } from "./list.ts";

/** The parsed and checked query of a watch. */
export interface WatchPlan {
  /** The version after which events begin; undefined when the current state comes first. */
  readonly since?: number;
  /** Whether the current state comes first, as ADDED events. */
  readonly initialEvents: boolean;
  /** Whether a bookmark marks the end of the initial events. */
  readonly initialBookmark: boolean;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
}

const SHORTEST_DEFAULT_MS = 1_800_000;

/** Parses the query of a watch. Throws ApiError 400 or 422. */
export function planWatch(query: URLSearchParams): WatchPlan {
  checkInitialEvents(query);
  const version = readVersion(query.get("resourceVersion"));
  const asked = query.get("sendInitialEvents");
  const bookmarks = isTrue(query, "allowWatchBookmarks");
  const streaming = asked === "true";
  const initialEvents = streaming || (asked === null && version === 0);
  return {
    ...(initialEvents || version === 0 ? {} : { since: version }),
    initialEvents,
    initialBookmark: streaming && bookmarks,
    bookmarks,
    timeoutMs: readTimeout(query),
  };
}

function checkInitialEvents(query: URLSearchParams): void {
  const match = query.get("resourceVersionMatch") ?? "";
  const given = query.has("sendInitialEvents");
  const field = "resourceVersionMatch";
  const subject = { group: "meta.k8s.io", kind: "ListOptions", name: "" };
  if (given && match !== "NotOlderThan") {
    throw invalid(subject, [
      forbiddenValue(
        field,
        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
      ),
    ]);
  }
  if (!given && match !== "") {
    throw invalid(subject, [
      forbiddenValue(
        field,
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
      ),
    ]);
  }
}

/** Upstream ends a watch without a timeout after half an hour to an hour. */
function readTimeout(query: URLSearchParams): number {
  const seconds = Number(query.get("timeoutSeconds") ?? 0);
  return seconds > 0 ? seconds * 1_000 : SHORTEST_DEFAULT_MS * (1 + Math.random());
}
