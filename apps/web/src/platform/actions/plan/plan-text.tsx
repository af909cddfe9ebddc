"use client";
import type { Action } from "@cloudwright/core/model/action";
import { changeTitle } from "@cloudwright/core/model/audit/change-messages";
import { SentenceText } from "../../../components/evidence/sentence-text.tsx";
import { keyedChanges } from "../../../components/facts/diff-table.tsx";
import { JsonView } from "../../../components/facts/json-view.tsx";
import { usePreferences } from "../../../components/preferences.ts";
import { formatClock } from "../../../components/time/format-time.ts";
import { useNow } from "../../../components/time/ticker.ts";
import { useCluster } from "../../live/use-cluster.ts";
import styles from "../dialog/action-dialog.module.css";
import { callsText } from "./calls-text.ts";
import { planFacts, type ShownPlan } from "./plan-facts.ts";

/** A plan in words: its effect, each change, what stays undone, what follows and what it costs. */
export function PlanText({
  cluster,
  wish: action,
  plan,
}: {
  readonly cluster: string;
  readonly wish: Action;
  readonly plan: ShownPlan;
}) {
  const { zone } = usePreferences();
  const now = useNow();
  const { data } = useCluster(cluster);
  const waiting = waitingFor(plan, data?.leader?.controllers ?? []);
  const clock = (at: number) => formatClock(at, zone, now);
  const facts = planFacts({ wish: action, plan, clock, waiting });
  return (
    <>
      <p className={styles.fact}>{facts.effect}</p>
      <ul className={styles.points}>
        {keyedChanges(plan.changes).map(({ key, change }) => (
          <li key={key}>{changeTitle(change)}</li>
        ))}
        {[...facts.undone, ...facts.consequences].map((text) => (
          <li key={text}>
            <SentenceText text={text} />
          </li>
        ))}
        <li className={styles.quiet}>{callsText(action, plan, data?.leader?.cloud)}</li>
      </ul>
      <details className={styles.json}>
        <summary>Show plan (JSON)</summary>
        <JsonView value={plan} label={`Plan ${plan.planHash.slice(0, 8)}`} />
      </details>
    </>
  );
}

function waitingFor(
  { changes }: ShownPlan,
  controllers: readonly { readonly name: string; readonly queueDepth: number }[],
): number {
  const names = new Set(changes.map(({ target }) => target.name));
  return controllers.find(({ name }) => names.has(name))?.queueDepth ?? 0;
}
