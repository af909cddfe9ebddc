"use client";
import { type Action, callsOf } from "@cloudwright/core/model/actions/action";
import { changeTitle } from "@cloudwright/core/model/audit/change-messages";
import { t } from "@cloudwright/core/model/language/text";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { SentenceText } from "../../../components/evidence/sentence-text.tsx";
import { keyedChanges } from "../../../components/facts/diff-table.tsx";
import { JsonView } from "../../../components/facts/json-view.tsx";
import { usePreferences } from "../../../components/preferences.ts";
import { formatCount } from "../../../components/presentation/format-text.ts";
import { formatClock } from "../../../components/time/format-time.ts";
import { useNow } from "../../../components/time/ticker.ts";
import { useCluster } from "../../live/use-cluster.ts";
import { countOf } from "../../wording/action-title.ts";
import styles from "../dialog/action-dialog.module.css";
import { planFacts, type ShownPlan } from "./plan-facts.ts";

/** A plan in words: its effect, each change, what stays undone, the consequences and the cost. */
export function PlanText({
  cluster,
  action,
  plan,
}: {
  readonly cluster: string;
  readonly action: Action;
  readonly plan: ShownPlan;
}) {
  const { zone } = usePreferences();
  const now = useNow();
  const { data } = useCluster(cluster);
  const waiting = waitingFor(plan, data?.leader?.controllers ?? []);
  const clock = (at: number) => formatClock(at, zone, now);
  const facts = planFacts({ action, plan, clock, waiting });
  return (
    <>
      <p className="break lead bold">{facts.effect}</p>
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
        <summary>{t`Show plan (JSON)`}</summary>
        <JsonView value={plan} label={t`Plan ${plan.planHash.slice(0, 8)}`} />
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

/** Returns an action's share of the cloud's limit and what is left of it: `Uses about 2 cloud calls (188 left this minute).` */
export function callsText(
  action: Action,
  plan: Pick<ShownPlan, "changes" | "loops">,
  cloud: ControllerInstanceView["cloud"],
): string {
  const calls =
    callsOf(action) * (plan.loops?.length ?? 1) +
    plan.changes.filter(({ system }) => system === "cloud").length;
  if (calls === 0) return t`Uses no cloud call.`;
  return t`Uses about ${countOf(calls, "cloud call")} (${leftText(cloud)}).`;
}

function leftText(cloud: ControllerInstanceView["cloud"]): string {
  if (cloud === undefined) return t`the number left is not known`;
  const { allowedPerSecond, callsLastMinute } = cloud;
  if (allowedPerSecond === undefined) {
    return t`${formatCount(callsLastMinute)} were made in the last minute, no limit is known`;
  }
  const left = Math.max(0, Math.round(allowedPerSecond * 60 - callsLastMinute));
  return t`${formatCount(left)} left this minute`;
}
