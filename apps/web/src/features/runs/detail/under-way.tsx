"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { AuditRow, RunDetail } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { FiguresTable } from "../../../components/facts/figures-table.tsx";
import { IdentityText } from "../../../components/identity-text.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import page from "../../../components/page/page.module.css";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { RowStatus } from "../../../components/status/row-status.tsx";
import { TimeText } from "../../../components/time/time-text.tsx";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { countOf } from "../../../platform/wording/action-title.ts";
import { actionLabel, resultPresentation } from "../../../platform/wording/audit-messages.ts";

/** The same interval at which the run itself is polled. */
const POLL_MS = 2_000;
/** The newest changes. */
const SHOWN = 50;

/**
 * What is known about a run that has not ended. Its calls are recorded when it ends; until then there are its plan and each change that it
 * makes.
 */
export function UnderWay({ run }: { readonly run: RunDetail }) {
  const made = useChangesMade(run.row.id);
  return (
    <>
      <EmptyState isCard title={t`This run is under way`}>
        <SoFar run={run} last={made[0]} />{" "}
        {t`Its calls are recorded when it ends, and then appear here by themselves.`}
      </EmptyState>
      {made.length === 0 ? null : <ChangesMade run={run} made={made} />}
    </>
  );
}

/** The changes made so far, each shown as soon as it is in the audit record. */
function ChangesMade({
  run: { row },
  made,
}: {
  readonly run: RunDetail;
  readonly made: readonly AuditRow[];
}) {
  return (
    <section className={`${page.card} pad-4 stack`} aria-labelledby="changes-made">
      <h2 id="changes-made" className="body-size bold">
        {t`Changes so far`}
      </h2>
      <FiguresTable
        label={t`Changes so far`}
        columns={[
          { header: t`Action`, cell: ({ action }) => actionLabel(action) },
          { header: t`When`, cell: ({ at }) => `+${formatDuration(at - row.startedAt)}` },
          {
            header: t`Result`,
            cell: ({ result }) => <RowStatus status={resultPresentation(result)} />,
          },
        ]}
        rows={made.toReversed()}
        rowKey={({ id }) => id}
        empty=""
      />
    </section>
  );
}

/** Since when it runs, in which controller and process, and its latest change or attempt, which the audit record has at once. */
function SoFar({
  run: { row, changes, instance },
  last,
}: {
  readonly run: RunDetail;
  readonly last: AuditRow | undefined;
}) {
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

/** Newest first. */
function useChangesMade(runId: string): readonly AuditRow[] {
  const cluster = useClusterId();
  const api = useApi();
  const made = useQuery(
    api.audit.list.queryOptions(
      { cluster, filter: { runId }, sort: { by: "inserted", descending: true }, limit: SHOWN },
      { refetchInterval: POLL_MS },
    ),
  );
  return made.data?.rows ?? [];
}
