"use client";
import { isAdoptionReason, refusalOfAdoption } from "@cloudwright/core/model/adoption-refusal";
import type { BalancerRow } from "@cloudwright/store/balancer-views";
import detail from "../../../components/detail-page.module.css";
import { ActionButton } from "../../../platform/actions/action-button.tsx";
import { serviceAction } from "../../../platform/actions/action-choice.ts";
import { MoreActions } from "../../../platform/actions/more-actions.tsx";

/** What can be done with a load balancer; what one may not do is there as well and says why. */
export function LoadBalancerActions({
  cluster,
  row,
}: {
  readonly cluster: string;
  readonly row: BalancerRow;
}) {
  const target = { cluster, service: row.name, uid: row.uid };
  const { reason } = row;
  const isHeld = reason.code === "HeldByAnnotation";
  const retry = serviceAction(target, "retry");
  return (
    <div className={detail.actions}>
      {isAdoptionReason(reason) ? (
        <ActionButton
          choice={serviceAction(target, "adopt", reason.id)}
          obstacle={refusalOfAdoption(reason)}
        >
          Adopt…
        </ActionButton>
      ) : null}
      <ActionButton choice={retry} look="primary">
        Retry now
      </ActionButton>
      <ActionButton choice={{ ...retry, isDryRun: true }}>Dry run</ActionButton>
      <ActionButton choice={serviceAction(target, isHeld ? "release" : "hold")}>
        {isHeld ? "Release…" : "Hold…"}
      </ActionButton>
      <MoreActions
        items={[
          {
            choice: serviceAction(target, "reensure"),
            label: "Write all again…",
            note: "Writes everything of it once more, also what is as it should be.",
          },
        ]}
      />
    </div>
  );
}
