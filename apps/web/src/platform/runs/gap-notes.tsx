"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { GapRow } from "@cloudwright/store/views/clusters";
import { mixed } from "../../components/language/mixed-text.ts";
import page from "../../components/page/page.module.css";
import { ClockText } from "../../components/time/time-text.tsx";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useCluster } from "../live/use-cluster.ts";

/** What the ledger lost while its database was away for too long: without it a gap would look like quiet. */
export function GapNotes() {
  const cluster = useClusterId();
  const { data } = useCluster(cluster);
  const gaps = data?.gaps ?? [];
  return gaps.map((gap) => (
    <p key={gap.id} className={`pad-2-3 small round-small ${page.note}`}>
      {mixed`${lossText(gap)} between ${<ClockText at={gap.from} />} and
        ${<ClockText at={gap.to} />}: the database was away until the disk space for records was
        used up. What was done in the cluster is not affected.`}
    </p>
  ));
}

/** `3 records and 12 calls of runs were lost`. */
export function lossText({ records, calls }: Pick<GapRow, "records" | "calls">): string {
  const parts = [counted(records, "record"), counted(calls, t`call of runs`, t`calls of runs`)];
  const lost = parts.filter((part) => part !== undefined);
  return t`${lost.join(" and ")} ${records + calls === 1 ? "was" : "were"} lost`;
}

function counted(count: number, one: string, many = `${one}s`): string | undefined {
  if (count === 0) return undefined;
  return `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
}
