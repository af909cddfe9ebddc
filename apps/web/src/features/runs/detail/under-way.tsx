"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { RunDetail } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { IdentityText } from "../../../components/identity-text.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { TimeText } from "../../../components/time/time-text.tsx";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { countOf } from "../../../platform/wording/action-title.ts";
import { actionLabel } from "../../../platform/wording/audit-messages.ts";

/** As often as the run itself is asked for again. */
const POLL_MS = 2_000;

/** What is known of a run that has not ended. Its calls are recorded at its end; before that, its plan is, and each change that it makes. */
export function UnderWay({ run }: { readonly run: RunDetail }) {
  return (
    <EmptyState isCard title={t`This run is under way`}>
      <SoFar run={run} />{" "}
      {t`Its calls are recorded when it ends, and then appear here by themselves.`}
    </EmptyState>
  );
}

/** Since when, by whom, and the newest of the changes that it has made or tried: each of them is in the audit record at once. */
function SoFar({ run: { row, changes, instance } }: { readonly run: RunDetail }) {
  const last = useLastChange(row.id);
  const controller = controllerOf(row.controller).label;
  const started = <TimeText at={row.startedAt} />;
  const identity = <IdentityText identity={instance} />;
  if (last === undefined) {
    return mixed`Started ${started} by ${controller} on ${identity}; last recorded step: its
      plan of ${countOf(changes.length, "change")}.`;
  }
  const step = actionLabel(last.action);
  const at = <TimeText at={last.at} />;
  return last.result === "applied"
    ? mixed`Started ${started} by ${controller} on ${identity}; last recorded step: ${step}, done
        ${at}.`
    : mixed`Started ${started} by ${controller} on ${identity}; last recorded step: ${step}, which
        failed ${at}.`;
}

function useLastChange(runId: string) {
  const cluster = useClusterId();
  const api = useApi();
  const made = useQuery(
    api.audit.list.queryOptions(
      { cluster, filter: { runId }, sort: { by: "inserted", descending: true }, limit: 1 },
      { refetchInterval: POLL_MS },
    ),
  );
  return made.data?.rows[0];
}
