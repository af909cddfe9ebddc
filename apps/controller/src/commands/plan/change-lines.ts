import { changeTitle, notTakenSentence } from "@cloudwright/core/model/audit/change-messages";
import { diffRows } from "@cloudwright/core/model/audit/diff-rows";
import type { Change, Next, NotTaken } from "@cloudwright/core/model/plan";
import { cause } from "@cloudwright/core/model/sentence";

/** Describes a change: what and why, and each field before and after. */
export function changeLines(change: Change): readonly string[] {
  const rows = diffRows(change.before, change.after);
  return [
    `  * ${changeTitle(change)}. ${cause(change.reason)}.`,
    ...rows.map(({ path, before, after }) => `      ${path}: ${inLine(before)} → ${inLine(after)}`),
  ];
}

/** Describes a step that was considered but left out, and why. */
export function notTakenLine(step: NotTaken): string {
  const text = notTakenSentence(step);
  return `  - ${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What happens next, as the beginning of a line. */
export const NEXT_LABELS: Readonly<Record<Next["kind"], string>> = {
  settled: "Then",
  waiting: "Waits",
  blocked: "Blocked",
  failed: "Failed",
};

function inLine(text: string | undefined): string {
  return text === undefined || text === "" ? "none" : text.replaceAll("\n", ", ");
}
