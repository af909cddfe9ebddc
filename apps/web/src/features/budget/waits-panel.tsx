"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { BudgetView } from "@cloudwright/store/views/budget";
import { FiguresTable } from "../../components/facts/figures-table.tsx";
import { Link } from "../../components/link.tsx";
import { ObjectLink } from "../../components/object-link.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { isUnread, UnreadPart } from "../../components/page/unread-part.tsx";
import { formatCount, keepUnits } from "../../components/presentation/format-text.ts";
import { NextTry, TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import type { ExportedView } from "../../platform/lists/export-address.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import styles from "./budget.module.css";
import { PRIORITY_LABELS } from "./budget-messages.ts";

interface PanelProps {
  readonly view: BudgetView;
}

interface ExportedProps extends PanelProps {
  /** For the page's time range. */
  readonly exported: ExportedView;
}

/** Who waited for the cloud's budget, for how long, and what is deferred now. */
export function WaitsPanel({ view, exported }: ExportedProps) {
  return (
    <Panel
      title={t`Waiting for the limit`}
      aside={<ExportMenu of={{ ...exported, list: "budget-waits" }} what={t`Waits by priority`} />}
    >
      <FiguresTable
        label={t`Waits by priority`}
        rows={view.cloud.priorities}
        rowKey={({ priority }) => priority}
        empty={t`No cloud calls were made in this time, as far as is known.`}
        columns={[
          { header: t`Priority`, cell: ({ priority }) => PRIORITY_LABELS[priority] },
          { header: t`Calls`, cell: ({ calls }) => formatCount(calls) },
          { header: t`Waited`, cell: ({ waited }) => formatCount(waited) },
          {
            header: t`On average`,
            cell: ({ waited, waitMs }) => durationText(waited === 0 ? 0 : waitMs / waited),
          },
          { header: t`At most`, cell: ({ longestWaitMs }) => durationText(longestWaitMs) },
          { header: t`Deferred`, cell: ({ putOff }) => formatCount(putOff) },
        ]}
      />
      <Deferred view={view} />
      <PendingRequests view={view} exported={exported} />
    </Panel>
  );
}

function durationText(ms: number): string {
  return ms === 0 ? "—" : keepUnits(formatDuration(ms));
}

function Deferred({ view }: PanelProps) {
  const cluster = useClusterId();
  const { count, oldest } = view.deferred;
  if (isUnread(view, "deferred")) {
    return <UnreadPart>{t`What is waiting for the limit now could not be read.`}</UnreadPart>;
  }
  if (count === 0)
    return <p className="quiet small">{t`Nothing is waiting for the cloud's limit now.`}</p>;
  const more = count - oldest.length;
  return (
    <div>
      <h3 className={styles.subtitle}>{t`Deferred now: ${formatCount(count)}`}</h3>
      <ul className="grid gap-1" data-running-text="">
        {oldest.map(({ kind, name, nextAt }) => (
          <li key={`${kind}/${name}`}>
            {kind} <ObjectLink object={{ kind, name }} />
            {nextAt === undefined ? null : (
              <span className="quiet small">
                {" "}
                <NextTry at={nextAt} />
              </span>
            )}
          </li>
        ))}
        {more <= 0 ? null : (
          <li>
            <Link href={addresses.runs(cluster, "reason:ProviderThrottled")} prefetch={false}>
              {t`and ${formatCount(more)} more`}
            </Link>
          </li>
        )}
      </ul>
    </div>
  );
}

function PendingRequests({ view: { waiters: pending }, exported }: ExportedProps) {
  const cluster = useClusterId();
  if (pending.length === 0) return null;
  return (
    <div>
      <div className="flex centred apart">
        <h3 className={styles.subtitle}>{t`Waited longest`}</h3>
        <ExportMenu
          of={{ ...exported, list: "budget-waiters" }}
          what={t`Runs that waited longest`}
        />
      </div>
      <FiguresTable
        label={t`Runs that waited longest`}
        rows={pending}
        rowKey={({ runId }) => runId}
        empty=""
        columns={[
          {
            header: t`Object`,
            cell: ({ object }) => (
              <>
                {object.kind} <ObjectLink object={object} />
              </>
            ),
          },
          {
            header: t`Controller`,
            cell: ({ controller }) => controllerOf(controller).label,
            isText: true,
          },
          { header: t`Waited`, cell: ({ waitMs }) => durationText(waitMs) },
          {
            header: t`Run`,
            cell: ({ runId, at }) => (
              <Link href={addresses.run(cluster, runId)} prefetch={false}>
                <TimeText at={at} />
              </Link>
            ),
          },
        ]}
      />
    </div>
  );
}
