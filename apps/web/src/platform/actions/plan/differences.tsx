"use client";
import type { DiffRow } from "@cloudwright/core/model/audit/diff-rows";
import { usePreferences } from "../../../components/preferences.ts";
import { formatClock } from "../../../components/time/format-time.ts";
import { useNow } from "../../../components/time/ticker.ts";
import styles from "../dialog/action-dialog.module.css";
import { type PlanDifference, planDifferences } from "./plan-differences.ts";
import type { ShownPlan } from "./plan-facts.ts";

const LABELS: Record<PlanDifference["kind"], string> = {
  new: "New",
  gone: "No longer",
  other: "Otherwise",
};

/** What has changed in a plan since it was shown, and that nothing was done. */
export function Differences({
  from,
  to,
}: {
  readonly from: ShownPlan | undefined;
  readonly to: ShownPlan;
}) {
  const differences = from === undefined ? [] : planDifferences(from.changes, to.changes);
  return (
    <div role="alert" className={styles.error}>
      <p>
        The plan has changed since it was shown, so nothing was done.{" "}
        {differences.length === 0 ? "This is the current plan." : "What differs:"}
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
    <span className={styles.difference}>
      {path}: <del>{show(before) ?? "nothing"}</del> <span aria-hidden="true">→</span>
      <span className="visually-hidden"> is now </span> <ins>{show(after) ?? "nothing"}</ins>
    </span>
  );
}
