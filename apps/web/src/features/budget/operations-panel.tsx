"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { BudgetView, OperationBudget } from "@cloudwright/store/views/budget";
import { FiguresTable } from "../../components/facts/figures-table.tsx";
import { Link } from "../../components/link.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { formatCount, keepUnits } from "../../components/presentation/format-text.ts";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { callTerm } from "../../platform/runs/run-grammar.ts";
import styles from "./budget.module.css";
import { rateText } from "./budget-messages.ts";

/** The calls to an API, operation by operation; each links to the runs that made such a call. */
export function OperationsPanel({
  title,
  view,
  operations,
}: {
  readonly title: string;
  readonly view: Pick<BudgetView, "from" | "to" | "minutesKnown">;
  readonly operations: readonly OperationBudget[];
}) {
  const cluster = useClusterId();
  const minutes = Math.max(1, view.minutesKnown);
  return (
    <Panel title={title}>
      <FiguresTable
        label={title}
        rows={operations}
        rowKey={({ operation }) => operation}
        empty={t`No calls were made in this time, as far as is known.`}
        columns={[
          {
            header: t`Operation`,
            cell: ({ operation }) => (
              <Link
                className="small mono"
                href={addresses.runsWithin(cluster, view, callTerm(operation))}
                prefetch={false}
                title={t`Runs that made this call: ${operation}`}
              >
                {operation}
              </Link>
            ),
          },
          { header: t`Calls`, cell: ({ calls }) => formatCount(calls) },
          { header: t`A minute`, cell: ({ calls }) => rateText(calls / minutes) },
          { header: "429", cell: ({ throttled }) => <Bad count={throttled} /> },
          { header: t`Failed`, cell: ({ failed }) => <Bad count={failed} /> },
          { header: t`Retries`, cell: ({ retries }) => formatCount(retries) },
          {
            header: "p95",
            cell: ({ p95Ms }) => (p95Ms === undefined ? "—" : keepUnits(formatDuration(p95Ms))),
          },
          { header: t`Waited for our limit`, cell: waitText },
        ]}
      />
    </Panel>
  );
}

/** Says how many calls waited for one of our limits, and the longest wait. */
function waitText({ waited, longestWaitMs }: OperationBudget): string {
  if (waited === 0) return t`none`;
  return keepUnits(t`${formatCount(waited)}, at most ${formatDuration(longestWaitMs)}`);
}

function Bad({ count }: { readonly count: number }) {
  return count === 0 ? (
    "0"
  ) : (
    <strong className={`ink on-stuck round-small ${styles.bad}`}>{formatCount(count)}</strong>
  );
}
