import type { LookupCounts } from "@cloudwright/core/model/budget-record";
import { Panel } from "../../components/panel.tsx";
import { formatCount } from "../../components/presentation/format-count.ts";
import { shareText } from "./budget-words.ts";
import { FiguresTable } from "./figures-table.tsx";

/** How many questions to the cloud needed no call of their own. */
export function LookupsPanel({ lookups }: { readonly lookups: readonly LookupCounts[] }) {
  return (
    <Panel title="Answered without a call">
      <FiguresTable
        label="Lookups"
        rows={lookups}
        rowKey={({ what }) => what}
        empty="Nothing was looked up in this time, as far as it is known."
        columns={[
          { header: "Lookup", cell: ({ what }) => capitalised(what) },
          { header: "Asked", cell: ({ asked }) => formatCount(asked) },
          { header: "Known already", cell: ({ withoutCall }) => formatCount(withoutCall) },
          { header: "Shared a call", cell: ({ shared }) => formatCount(shared) },
          {
            header: "Spared",
            cell: ({ asked, withoutCall, shared }) =>
              shareText(asked === 0 ? undefined : (withoutCall + shared) / asked),
          },
        ]}
      />
    </Panel>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
