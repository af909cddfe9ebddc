"use client";
import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import type { Commented } from "@cloudwright/store/views/comments";
import { Link } from "../../components/link.tsx";
import { RowStatus } from "../../components/status/row-status.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../components/table/columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import {
  intentPresentation,
  listedResult,
  resultLanguage,
} from "../../platform/actions/listed-intent.ts";
import { WithComments } from "../../platform/comments/with-comments.tsx";
import { listedTitle } from "../../platform/wording/action-title.ts";

/** Actions as rows: what was requested, by whom, and what came of it. */
export function actionColumns(cluster: string): readonly Column<Commented<ListedIntent>>[] {
  const pageOf = ({ id }: Commented<ListedIntent>) => addresses.action(cluster, id);
  return [
    column(["state", t`State`, 190, { narrow: "first", value: ({ state }) => state }], (intent) => (
      <RowStatus status={intentPresentation(intent)} />
    )),
    column(["action", t`Action`, 240, { narrow: "line", pinned: true, pageOf }], (intent) => (
      <WithComments count={intent.comments}>
        <Link href={pageOf(intent)} className="strong" title={listedTitle(intent)} prefetch={false}>
          {listedTitle(intent)}
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
      (intent) => <ResultText intent={intent} />,
    ),
    textColumn(["who", t`Requested by`, 140], ({ actor }) => actor),
    textColumn(["why", t`Reason`, 220], ({ why }) => why),
    timeColumn(
      ["when", t`Requested`, 120, { align: "end", narrow: "second" }],
      ({ requestedAt }) => requestedAt,
    ),
  ];
}

function ResultText({ intent }: { readonly intent: ListedIntent }) {
  const result = listedResult(intent);
  return (
    <span title={result} lang={resultLanguage(result, intent)}>
      {result}
    </span>
  );
}
