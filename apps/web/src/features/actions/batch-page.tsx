"use client";
import {
  type Intent,
  isFinal,
  isReadable,
  type ListedIntent,
} from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { useMemo } from "react";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { PendingPage } from "../../components/page/pending-page.tsx";
import { keepUnits } from "../../components/presentation/format-text.ts";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { titleOfMany } from "../../platform/actions/bulk-title.ts";
import { traySummary } from "../../platform/actions/tray/tray-summary.ts";
import { useBatch } from "../../platform/actions/use-batch.ts";
import { WaitingApprovals } from "../../platform/approvals/waiting-approvals.tsx";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { DocumentTitle } from "../../platform/shell/document-title.tsx";
import { actionColumns } from "./action-columns.tsx";
import styles from "./action-page.module.css";

const POLL_MS = 2_000;
const IN_ORDER = { by: "requested", descending: false } as const;

/** The actions requested in one batch: each is verified or fails separately, so each has its row. */
export function BatchPage({ batch }: { readonly batch: string }) {
  const cluster = useClusterId();
  const actions = useBatch({ cluster, batch, pollMs: POLL_MS });
  const columns = useMemo(() => actionColumns(cluster), [cluster]);
  if (actions.data === undefined) return <PendingPage title={t`Actions`} query={actions} />;
  const { rows } = actions.data;
  if (rows.length === 0) return <Unknown />;
  return (
    <div className={page.page}>
      <header className={page.header}>
        <nav aria-label={t`Breadcrumbs`} className={styles.wayBack}>
          <Link href={addresses.actions(cluster)}>{t`Actions`}</Link>
        </nav>
        <Head rows={rows} />
        <span className="push" />
        <ExportMenu of={{ list: "actions", cluster, filter: { batch }, sort: IN_ORDER }} />
      </header>
      {rows.some(({ state }) => state === "awaiting-approval") ? (
        <WaitingApprovals batch={batch} />
      ) : null}
      <div className={`flex on-surface line-above ${page.tableCard}`}>
        <DataTable
          label={t`Actions of this batch`}
          columns={columns}
          rows={rows}
          total={rows.length}
          rowKey={idOf}
        />
      </div>
    </div>
  );
}

/** Its summary of the batch covers the actions that can be read. */
function Head({ rows }: { readonly rows: readonly ListedIntent[] }) {
  const known = rows.filter(isReadable);
  const [first] = known;
  if (first === undefined) return <h1 className={page.title}>{t`Actions`}</h1>;
  const title = titleOfMany(first, rows.length);
  const { state, text } = traySummary(known, rows.length) ?? { state: first.state, text: "" };
  const presentation = INTENT_PRESENTATION[state];
  const ended = known.filter((row) => isFinal(row.state)).length;
  return (
    <>
      <DocumentTitle title={`${title}, ${presentation.label}`} />
      <div className="row">
        <h1 className={page.title}>{title}</h1>
        <StatusChip status={presentation} prominent />
      </div>
      <p className="lead second" role="status">
        {keepUnits(t`${ended} of ${rows.length} have ended: ${text}.`)}
      </p>
      <p className="break small second">
        <RequestLine first={first} />
      </p>
    </>
  );
}

function RequestLine({ first: { actor, requestedAt, why, action } }: { readonly first: Intent }) {
  const asked = <TimeText at={requestedAt} />;
  return "until" in action
    ? mixed`Requested by ${actor} ${asked}: ${why}. Until ${<TimeText at={action.until} />}.`
    : mixed`Requested by ${actor} ${asked}: ${why}`;
}

function Unknown() {
  const cluster = useClusterId();
  return (
    <div className={page.scrolling}>
      <EmptyState isPage title={t`No such batch is known in this cluster`}>
        {mixed`It may have been removed because it was old, or the address is incomplete.
          ${<Link href={addresses.actions(cluster)}>{t`Show all actions`}</Link>}.`}
      </EmptyState>
    </div>
  );
}

function idOf({ id }: ListedIntent): string {
  return id;
}
