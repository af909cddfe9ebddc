"use client";
import { type Action, actionOf } from "@cloudwright/core/model/actions/action";
import { APPROVAL_MS } from "@cloudwright/core/model/actions/intent";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { mixed } from "../../../components/language/mixed-text.ts";

/** Says that the action will wait for another user's approval; renders nothing if it will not. */
export function ApprovalNote({
  cluster,
  kind,
}: {
  readonly cluster: string;
  readonly kind: Action["kind"];
}) {
  const api = useApi();
  const mayWait = actionOf(kind).mayTakeTraffic === true;
  const policy = useQuery(api.approvals.policy.queryOptions({ cluster }, { enabled: mayWait }));
  if (!mayWait || policy.data?.required !== true) return null;
  return (
    <p className="second">
      {mixed`On this cluster another user has to approve it before a controller carries it out.
        It waits for at most ${formatDuration(APPROVAL_MS)}.`}
    </p>
  );
}
