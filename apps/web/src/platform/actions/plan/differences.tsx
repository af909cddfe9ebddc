"use client";
import { changeTitle } from "@cloudwright/core/model/audit/change-messages";
import { type DiffRow, diffRows } from "@cloudwright/core/model/audit/diff-rows";
import { t, worded } from "@cloudwright/core/model/language/text";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { Change } from "@cloudwright/core/model/plan";
import { canonicalJson, type Json, sameJson } from "@cloudwright/core/model/values/json";
import { mixed } from "../../../components/language/mixed-text.ts";
import { usePreferences } from "../../../components/preferences.ts";
import { formatClock } from "../../../components/time/format-time.ts";
import { useNow } from "../../../components/time/ticker.ts";
import styles from "../dialog/action-dialog.module.css";
import type { ShownPlan } from "./plan-facts.ts";

const LABELS: Record<PlanDifference["kind"], string> = worded({
  new: () => t`New`,
  gone: () => t`No longer`,
  other: () => t`Otherwise`,
});

/** How a plan has changed since it was shown, with a note that nothing was done. */
export function Differences({
  from,
  to,
}: {
  readonly from: ShownPlan | undefined;
  readonly to: ShownPlan;
}) {
  const differences = from === undefined ? [] : planDifferences(from.changes, to.changes);
  return (
    <div role="alert" className={`stack pad-2-3 break on-stuck round-small ${styles.error}`}>
      <p>
        {mixed`The plan has changed since it was shown, so nothing was done.
          ${differences.length === 0 ? t`This is the current plan.` : t`What differs:`}`}
      </p>
      <ul className={styles.points}>
        {differences.map((difference) => (
          <li key={`${difference.kind} ${difference.what}`}>
            <strong>{LABELS[difference.kind]}:</strong> {difference.what}
            {difference.rows.map((row) => (
              <Row key={row.path} row={row} />
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Row({ row: { path, before, after } }: { readonly row: DiffRow }) {
  const { zone } = usePreferences();
  const now = useNow();
  const show = (text: string | undefined) =>
    text !== undefined && path.endsWith("until") ? formatClock(Number(text), zone, now) : text;
  return (
    <span className="block small mono">
      {path}: <del>{show(before) ?? t`nothing`}</del> <span aria-hidden="true">→</span>
      <span className="visually-hidden"> {t`is now`} </span> <ins>{show(after) ?? t`nothing`}</ins>
    </span>
  );
}

interface PlanDifference {
  readonly kind: "new" | "gone" | "other";
  /** The change, as a sentence without its cause. */
  readonly what: string;
  /** The old and the new values to write, for a change in both plans. */
  readonly rows: readonly DiffRow[];
}

/** Returns the differences between the plan that a user was shown and the current plan. */
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

/** If only an empty part was added or removed, the parts themselves are shown side by side. */
function rowsOf(path: string, before: Json, after: Json): readonly DiffRow[] {
  if (sameJson(before, after)) return [];
  const rows = diffRows({ [path]: before }, { [path]: after });
  if (rows.length > 0) return rows;
  return [{ path, before: canonicalJson(before), after: canonicalJson(after) }];
}

function keyOf({ kind, target }: Change): string {
  return `${kind} ${target.kind} ${objectName(target)} ${target.uid ?? ""}`;
}
