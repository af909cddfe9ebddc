import { changeTitle } from "@cloudwright/core/model/audit/change-messages";
import { type DiffRow, diffRows } from "@cloudwright/core/model/audit/diff-rows";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { Change } from "@cloudwright/core/model/plan";
import { canonicalJson, type Json, sameJson } from "@cloudwright/core/model/values/json";

export interface PlanDifference {
  readonly kind: "new" | "gone" | "other";
  /** The change, as a sentence without its cause. */
  readonly what: string;
  /** What it would write before and would write now; of a change that is in both plans. */
  readonly rows: readonly DiffRow[];
}

/** What differs between the plan that a user was shown and the plan of now. */
export function planDifferences(
  shown: readonly Change[],
  now: readonly Change[],
): readonly PlanDifference[] {
  const before = new Map(shown.map((change) => [keyOf(change), change]));
  const after = new Map(now.map((change) => [keyOf(change), change]));
  return [
    ...now.flatMap((change) => differenceFrom(before.get(keyOf(change)), change)),
    ...shown
      .filter((change) => !after.has(keyOf(change)))
      .map((change) => ({ kind: "gone", what: changeTitle(change), rows: [] }) as const),
  ];
}

function differenceFrom(shown: Change | undefined, now: Change): readonly PlanDifference[] {
  const what = changeTitle(now);
  if (shown === undefined) return [{ kind: "new", what, rows: [] }];
  const isSame = sameJson(shown.before, now.before) && sameJson(shown.after, now.after);
  if (isSame) return [];
  const rows = [
    ...rowsOf("from", shown.before, now.before),
    ...rowsOf("to", shown.after, now.after),
  ];
  return [{ kind: "other", what, rows }];
}

/** Where only something empty came or went, the parts themselves stand side by side. */
function rowsOf(path: string, before: Json, after: Json): readonly DiffRow[] {
  if (sameJson(before, after)) return [];
  const rows = diffRows({ [path]: before }, { [path]: after });
  if (rows.length > 0) return rows;
  return [{ path, before: canonicalJson(before), after: canonicalJson(after) }];
}

function keyOf({ kind, target }: Change): string {
  return `${kind} ${target.kind} ${objectName(target)} ${target.uid ?? ""}`;
}
