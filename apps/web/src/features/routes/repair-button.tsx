"use client";
import type { RouteRow } from "@cloudwright/store/route-views";
import { routeRetry } from "../../platform/actions/action-choice.ts";
import { BULK_MOST } from "../../platform/actions/bulk-choice.ts";
import { openDialog } from "../../platform/actions/dialog-store.ts";
import { GatedButton } from "../../platform/actions/gated-button.tsx";
import { useWhyNot } from "../../platform/actions/use-leave.ts";

/** Repairs what has drifted of the rows that are listed now, once their plans have been seen: never what drifts later. */
export function RepairButton({
  cluster,
  rows,
}: {
  readonly cluster: string;
  readonly rows: readonly RouteRow[];
}) {
  const notMine = useWhyNot("retry");
  const drifted = rows
    .filter(({ drift, state }) => drift === "drifted" && state !== "gone")
    .slice(0, BULK_MOST);
  const whyNot = drifted.length === 0 ? "Nothing in this list has drifted." : notMine;
  return (
    <GatedButton
      whyNot={whyNot}
      onClick={({ currentTarget }) =>
        openDialog({
          choice: {
            kind: "bulk",
            cluster,
            targets: drifted.map((row) => routeRetry({ ...row, cluster })),
            of: "routes",
            onDone: () => undefined,
          },
          opener: currentTarget,
        })
      }
    >
      Repair drift…
    </GatedButton>
  );
}
