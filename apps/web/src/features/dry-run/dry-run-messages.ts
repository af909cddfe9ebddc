import { changeTitle, stepTitle } from "@cloudwright/core/model/audit/change-messages";
import { t } from "@cloudwright/core/model/language/text";
import type { TimeLabels } from "@cloudwright/core/model/sentence";
import { cause } from "@cloudwright/core/model/sentence";
import type { ShadowPage, ShadowRow } from "@cloudwright/store/views/shadow";
import { formatCount } from "../../components/presentation/format-text.ts";
import { countOf } from "../../platform/wording/action-title.ts";

/** The sentence that opens the page. */
export function dryRunSentence({ counts, shadow }: Pick<ShadowPage, "counts" | "shadow">): string {
  if (shadow === undefined) return t`No controller has done a dry run in this cluster.`;
  const { all, changes, stopped } = counts;
  if (all === 0) return t`The dry run has not observed anything yet.`;
  const [changing, objects] = [formatCount(changes), countOf(all, "object")];
  return stopped === 0
    ? t`${changing} of ${objects} would be changed.`
    : t`${changing} of ${objects} would be changed; blocked or failed: ${formatCount(stopped)}.`;
}

/** What would be done with an object, in one line; of an object left alone, why. */
export function dryRunLine({ changes, notTaken, next }: ShadowRow, time?: TimeLabels): string {
  if (changes.length > 0) return t`${changes.map((change) => changeTitle(change)).join("; ")}.`;
  const [left] = notTaken;
  if (left !== undefined) return t`${stepTitle(left.step)}: not done. ${cause(left.reason, time)}.`;
  return t`${cause(next.reason, time)}.`;
}
