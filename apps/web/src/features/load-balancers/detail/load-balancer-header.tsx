"use client";
import { isAdoptionReason, refusalOfAdoption } from "@cloudwright/core/model/adoption-refusal";
import type { BalancerRow, BalancerView } from "@cloudwright/store/views/balancers";
import { addresses } from "../../../components/url/addresses.ts";
import { ActionButton } from "../../../platform/actions/action-button.tsx";
import { serviceAction } from "../../../platform/actions/action-choice.ts";
import { EndingLine } from "../../../platform/actions/ending-line.tsx";
import { MoreActions } from "../../../platform/actions/more-actions.tsx";
import { OpenActions } from "../../../platform/actions/open-actions.tsx";
import { ObjectHead } from "../../../platform/objects/object-head.tsx";
import { shownDrift } from "./aspects.ts";
import { BalancerDiagnosis, BalancerFactsLine } from "./balancer-facts-line.tsx";

export function LoadBalancerHeader({
  cluster,
  balancer,
}: {
  readonly cluster: string;
  readonly balancer: BalancerView;
}) {
  const { row, goneAt, openIntents } = balancer;
  return (
    <>
      <ObjectHead
        list={{ label: "Load balancers", href: addresses.balancers(cluster) }}
        object={{ ...row, goneAt, drift: shownDrift(balancer) }}
        actions={<LoadBalancerActions cluster={cluster} row={row} />}
      />
      <BalancerDiagnosis balancer={balancer} />
      <HoldNotice cluster={cluster} balancer={balancer} />
      <OpenActions cluster={cluster} intents={openIntents} />
      <BalancerFactsLine balancer={balancer} />
    </>
  );
}

/** A hold that kubectl set without an end has none to count down to; the diagnosis tells of it. */
function HoldNotice({
  cluster,
  balancer: { row, goneAt },
}: {
  readonly cluster: string;
  readonly balancer: BalancerView;
}) {
  const { reason } = row;
  if (reason.code !== "HeldByAnnotation" || reason.untilMs === undefined) return null;
  if (goneAt !== undefined) return null;
  return (
    <EndingLine
      choice={serviceAction({ cluster, service: row.name, uid: row.uid }, "hold")}
      what={`Held${reason.by === undefined ? "" : ` by ${reason.by}`}`}
      until={reason.untilMs}
      afterwards="Then the hold lifts by itself and the load balancer gets what it needs."
    />
  );
}

/** What can be done with a load balancer; what one may not do is there as well and says why. */
function LoadBalancerActions({
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
    <div className="buttons">
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
