"use client";
import { formatCount } from "@cloudwright/core/model/language/counts";
import { t } from "@cloudwright/core/model/language/text";
import type { RunRow } from "@cloudwright/store/views/views";
import { mixed } from "../../components/language/mixed-text.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { fullName } from "../../components/url/object-address.ts";

/** How the latest listed run went, and the last one that a user may have to look at. */
export function RunsSentence({ rows }: { readonly rows: readonly RunRow[] | undefined }) {
  if (rows === undefined) return "";
  const all = countRuns(rows);
  const bad = rows.filter(({ outcome }) => BAD.includes(outcome));
  const [last] = bad;
  if (all === 0) return t`There is no run to show.`;
  if (last === undefined) {
    return all === 1
      ? t`The newest run neither failed nor was blocked.`
      : t`None of the newest ${formatCount(all)} runs failed or was blocked.`;
  }
  const when = <TimeText at={last.startedAt} />;
  const object = fullName(last.object);
  const count = countRuns(bad);
  return count === 1
    ? mixed`1 of the newest ${formatCount(all)} runs failed or was blocked: ${object}, ${when}.`
    : mixed`${formatCount(count)} of the newest ${formatCount(all)} runs failed or were blocked, the last
        one ${when}: ${object}.`;
}

const BAD: readonly RunRow["outcome"][] = ["failed", "timedOut", "blocked"];

/** A row may stand for several runs that changed nothing. */
function countRuns(rows: readonly RunRow[]): number {
  return rows.reduce((sum, { folded }) => sum + folded, 0);
}
