"use client";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import type { Commented } from "@cloudwright/store/views/comments";
import { Link } from "../../components/link.tsx";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { RowStatus } from "../../components/status/row-status.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../components/table/columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { WithComments } from "../../platform/comments/with-comments.tsx";
import { actionTitle } from "../../platform/wording/action-title.ts";
import { resultText } from "./action-result.ts";

/** Actions as rows: what was requested, by whom, and what came of it. */
export function actionColumns(cluster: string): readonly Column<Commented<Intent>>[] {
  const pageOf = ({ id }: Commented<Intent>) => addresses.action(cluster, id);
  return [
    column(
      ["state", t`State`, 190, { narrow: "first", value: ({ state }) => state }],
      ({ state }) => <RowStatus status={INTENT_PRESENTATION[state]} />,
    ),
    column(["action", t`Action`, 240, { narrow: "line", pinned: true, pageOf }], (intent) => (
      <WithComments count={intent.comments}>
        <Link href={pageOf(intent)} className="strong" prefetch={false}>
          {actionTitle(intent)}
        </Link>
      </WithComments>
    )),
    column(
      [
        "result",
        t`Result`,
        320,
        { grows: true, folds: true, narrow: "line", value: ({ state, result }) => result ?? state },
      ],
      (intent) => <span title={resultText(intent)}>{resultText(intent)}</span>,
    ),
    textColumn(["who", t`Requested by`, 140], ({ actor }) => actor),
    textColumn(["why", t`Reason`, 220], ({ why }) => why),
    timeColumn(
      ["when", t`Requested`, 120, { align: "end", narrow: "second" }],
      ({ requestedAt }) => requestedAt,
    ),
  ];
}
