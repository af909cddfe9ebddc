import type { RunEnd } from "@cloudwright/core/model/run";
import type { SqlConditions } from "../sql/keyset.ts";

/** So much of a request id is indexed, and at least so much of it must be asked for. */
export const REQUEST_KEY_LENGTH = 8;

/** Under which keys a run is found by the ids that the cloud gave to its calls, or that its reason names. */
export function requestKeysOf(run: Pick<RunEnd, "steps" | "reason" | "next">): readonly string[] {
  const ids = [
    ...run.steps.map(({ requestId }) => requestId),
    requestIdOf(run.reason),
    requestIdOf(run.next.reason),
  ];
  return [...new Set(ids.filter((id) => id !== undefined && id !== "").map(keyOf))];
}

/**
 * The condition that a row of `runs` has a request whose id begins so, in any case. The index knows the first characters
 * alone, so that it stays small; what it finds is compared with the ids themselves.
 */
export function hasRequest(where: SqlConditions, id: string): string {
  const key = where.bind([keyOf(id)]);
  const start = where.bind(id.toLowerCase());
  return `(request_keys <> '{}' AND request_keys @> ${key}::text[] AND EXISTS (
    SELECT FROM jsonb_path_query(jsonb_build_array(steps, reason, next), '$.**.requestId') AS request(id)
     WHERE starts_with(lower(request.id #>> '{}'), ${start}::text)))`;
}

function keyOf(id: string | undefined): string {
  return (id ?? "").slice(0, REQUEST_KEY_LENGTH).toLowerCase();
}

function requestIdOf(reason: RunEnd["reason"]): string | undefined {
  return "requestId" in reason ? reason.requestId : undefined;
}
