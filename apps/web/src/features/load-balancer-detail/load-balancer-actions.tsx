"use client";
import type { Reason, ReasonOf } from "@cloudwright/core/model/reason";
import type { BalancerRow } from "@cloudwright/store/balancer-views";
import detail from "../../components/detail-page.module.css";
import { ActionButton } from "../actions/action-button.tsx";
import { serviceAction } from "../actions/action-choice.ts";
import { MoreActions } from "../actions/more-actions.tsx";

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
      {isAdoptable(reason) ? (
        <ActionButton choice={serviceAction(target, "adopt", reason.id)}>Adopt…</ActionButton>
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

/** What carries another owner's mark is refused, whoever asks. */
function isAdoptable(
  reason: Reason,
): reason is ReasonOf<"BalancerUnowned"> | ReasonOf<"BalancerStands"> {
  if (reason.code === "BalancerStands") return reason.owner === undefined;
  return reason.code === "BalancerUnowned";
}
