import type { RunEnd } from "@cloudwright/core/model/run";

/** So much of a request id is indexed, and at least so much of it must be asked for. */
export const REQUEST_KEY_LENGTH = 8;

/** Under which keys a run is found by the ids that the cloud gave to its calls, or that its reason names. */
export function requestKeysOf(run: Pick<RunEnd, "steps" | "reason" | "next">): readonly string[] {
  const ids = [
    ...run.steps.map(({ requestId }) => requestId),
    requestIdOf(run.reason),
    requestIdOf(run.next.reason),
  ];
  return [...new Set(ids.filter((id) => id !== undefined && id !== "").map(requestKey))];
}

/** What of a request id is indexed. */
export function requestKey(id: string | undefined): string {
  return (id ?? "").slice(0, REQUEST_KEY_LENGTH).toLowerCase();
}

function requestIdOf(reason: RunEnd["reason"]): string | undefined {
  return "requestId" in reason ? reason.requestId : undefined;
}
