"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { GapRow } from "@cloudwright/store/views/clusters";
import { mixed } from "../../components/language/mixed-text.ts";
import page from "../../components/page/page.module.css";
import { formatCount } from "../../components/presentation/format-text.ts";
import { ClockText } from "../../components/time/time-text.tsx";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useCluster } from "../live/use-cluster.ts";
import { listed } from "../wording/action-title.ts";

/** The records that the ledger lost while its database was away for too long: without this note, a gap would look like a quiet time. */
export function GapNotes() {
  const cluster = useClusterId();
  const { data } = useCluster(cluster);
  const gaps = data?.gaps ?? [];
  return gaps.map((gap) => (
    <p key={gap.id} className={`pad-2-3 small round-small ${page.note}`}>
      <GapText gap={gap} />
    </p>
  ));
}

export function GapText({ gap }: { readonly gap: GapRow }) {
  return mixed`${lossText(gap)} between ${<ClockText at={gap.from} />} and
    ${<ClockText at={gap.to} />}: the database was unavailable until the disk space for records was
    used up. What was done in the cluster is not affected.`;
}

/** `3 records and 12 calls of runs were lost`. */
export function lossText({ records, calls }: Pick<GapRow, "records" | "calls">): string {
  const lost = listed([...recordsText(records), ...callsText(calls)]);
  return records + calls === 1 ? t`${lost} was lost` : t`${lost} were lost`;
}

function recordsText(count: number): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? t`1 record` : t`${formatCount(count)} records`];
}

function callsText(count: number): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? t`1 call of runs` : t`${formatCount(count)} calls of runs`];
}
