"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import { Link } from "../../components/link.tsx";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { actionTitle } from "../../platform/wording/action-title.ts";
import styles from "./action-page.module.css";

export function actionColumns(cluster: string): readonly Column<Intent>[] {
  return [
    {
      id: "state",
      header: "State",
      width: 150,
      narrow: "first",
      value: ({ state }) => state,
      cell: ({ state }) => <StatusChip status={INTENT_PRESENTATION[state]} />,
    },
    {
      id: "action",
      header: "Action",
      width: 240,
      narrow: "line",
      pinned: true,
      cell: (intent) => (
        <Link
          href={addresses.action(cluster, intent.id)}
          className={styles.strong}
          prefetch={false}
        >
          {actionTitle(intent)}
        </Link>
      ),
    },
    {
      id: "result",
      header: "Result",
      width: 320,
      grows: true,
      narrow: "line",
      value: ({ state, result }) => result ?? state,
      cell: ({ state, result }) => (
        <span title={result}>{result ?? INTENT_PRESENTATION[state].help}</span>
      ),
    },
    { id: "who", header: "Asked by", width: 140, cell: ({ actor }) => actor },
    {
      id: "why",
      header: "Reason",
      width: 220,
      cell: ({ why }) => <span title={why}>{why}</span>,
    },
    {
      id: "when",
      header: "Asked",
      width: 120,
      align: "end",
      narrow: "second",
      cell: ({ requestedAt }) => <TimeText at={requestedAt} />,
    },
  ];
}
