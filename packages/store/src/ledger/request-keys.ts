import type { RunEnd } from "@cloudwright/core/model/run";

/** How many characters of a request id are indexed, and the minimum length of a search. */
export const REQUEST_KEY_LENGTH = 8;

/** Returns the keys under which a run is found: the ids that the cloud gave its calls, and those that its reasons name. */
export function requestKeysOf(run: Pick<RunEnd, "steps" | "reason" | "next">): readonly string[] {
  const ids = [
    ...run.steps.map(({ requestId }) => requestId),
    requestIdOf(run.reason),
    requestIdOf(run.next.reason),
  ];
  return [...new Set(ids.filter((id) => id !== undefined && id !== "").map(requestKey))];
}

/** Returns the indexed part of a request id. */
export function requestKey(id: string | undefined): string {
  return (id ?? "").slice(0, REQUEST_KEY_LENGTH).toLowerCase();
}

function requestIdOf(reason: RunEnd["reason"]): string | undefined {
  return "requestId" in reason ? reason.requestId : undefined;
}
