"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import page from "../../components/page.module.css";
import { Differences } from "../../platform/actions/differences.tsx";
import type { ShownPlan } from "../../platform/actions/plan-facts.ts";
import { PlanText } from "../../platform/actions/plan-text.tsx";
import styles from "./action-page.module.css";

const LOOKED_THROUGH = 100;

/** The plan that a preview answered; of an action that was rejected because its plan had changed, what differs. */
export function ActionPlan({
  cluster,
  intent,
}: {
  readonly cluster: string;
  readonly intent: Intent;
}) {
  const { preview, wish, planHash, kind } = intent;
  const isMoved = kind !== "preview" && preview !== undefined && preview.planHash !== planHash;
  const shown = useShownPlan(cluster, intent, isMoved);
  if (preview === undefined) return null;
  return (
    <section className={page.card} aria-labelledby="plan">
      <h2 id="plan" className={styles.heading}>
        {isMoved ? "The plan had changed" : "Plan"}
      </h2>
      <div className={styles.card}>
        {isMoved ? <Differences from={shown} to={preview} /> : null}
        <PlanText cluster={cluster} wish={wish} plan={preview} />
      </div>
    </section>
  );
}

/** The preview that was confirmed, among the newest of this object. */
function useShownPlan(
  cluster: string,
  { object, planHash }: Intent,
  isWanted: boolean,
): ShownPlan | undefined {
  const api = useApi();
  const { kind, namespace, name } = object;
  const { data } = useQuery(
    api.intents.list.queryOptions(
      {
        cluster,
        filter: { object: { kind, namespace, name } },
        sort: { by: "requested", descending: true },
        limit: LOOKED_THROUGH,
      },
      { enabled: isWanted },
    ),
  );
  return data?.rows.map(({ preview }) => preview).find((plan) => plan?.planHash === planHash);
}
