"use client";
import { callName } from "@cloudwright/core/model/language/cloud-words";
import { t } from "@cloudwright/core/model/language/text";
import type { LookupCounts } from "@cloudwright/core/model/records/budget-record";
import { capitalise } from "@cloudwright/core/model/sentence";
import { FiguresTable } from "../../components/facts/figures-table.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import type { ExportedView } from "../../platform/lists/export-address.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { shareText } from "./budget-messages.ts";

/** How many lookups needed no cloud call of their own. */
export function LookupsPanel({
  lookups,
  exported,
}: {
  readonly lookups: readonly LookupCounts[];
  /** For the page's time range. */
  readonly exported: ExportedView;
}) {
  return (
    <Panel
      title={t`Answered without a call`}
      aside={<ExportMenu of={{ ...exported, list: "budget-lookups" }} what={t`Lookups`} />}
    >
      <FiguresTable
        label={t`Lookups`}
        rows={lookups}
        rowKey={({ what }) => what}
        empty={t`Nothing was looked up in this time, as far as is known.`}
        columns={[
          { header: t`Lookup`, cell: ({ what }) => capitalise(callName(what)) },
          { header: t`Requests`, cell: ({ asked: requested }) => formatCount(requested) },
          { header: t`Already known`, cell: ({ withoutCall }) => formatCount(withoutCall) },
          { header: t`Shared a call`, cell: ({ shared }) => formatCount(shared) },
          {
            header: t`Calls saved`,
            cell: ({ asked: requested, withoutCall, shared }) =>
              shareText(requested === 0 ? undefined : (withoutCall + shared) / requested),
          },
        ]}
      />
    </Panel>
  );
}
