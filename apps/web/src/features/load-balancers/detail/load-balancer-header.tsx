"use client";
import { isAdoptionReason, refusalOfAdoption } from "@cloudwright/core/model/adoption-refusal";
import { holdIn } from "@cloudwright/core/model/reason";
import type { LoadBalancerRow, LoadBalancerView } from "@cloudwright/store/views/load-balancers";
import { addresses } from "../../../components/url/addresses.ts";
import { ActionButton } from "../../../platform/actions/action-button.tsx";
import { serviceAction } from "../../../platform/actions/action-choice.ts";
import { EndingLine } from "../../../platform/actions/ending-line.tsx";
import { MoreActions } from "../../../platform/actions/more-actions.tsx";
import { OpenActions } from "../../../platform/actions/open-actions.tsx";
import { ObjectHead } from "../../../platform/objects/object-head.tsx";
import { shownDrift } from "./aspects.ts";
import { LoadBalancerDiagnosis, LoadBalancerFactsLine } from "./load-balancer-facts-line.tsx";

export function LoadBalancerHeader({
  cluster,
  balancer: loadBalancer,
}: {
  readonly cluster: string;
  readonly balancer: LoadBalancerView;
}) {
  const { row, goneAt, openIntents } = loadBalancer;
  return (
    <>
      <ObjectHead
        list={{ label: "Load balancers", href: addresses.balancers(cluster) }}
        object={{ ...row, goneAt, drift: shownDrift(loadBalancer) }}
        actions={<LoadBalancerActions cluster={cluster} row={row} />}
      />
      <LoadBalancerDiagnosis balancer={loadBalancer} />
      <HoldNotice cluster={cluster} balancer={loadBalancer} />
      <OpenActions cluster={cluster} intents={openIntents} />
      <LoadBalancerFactsLine balancer={loadBalancer} />
    </>
  );
}

/** A hold that kubectl set without an end has none to count down to; the diagnosis tells of it. */
function HoldNotice({
  cluster,
  balancer: { row, goneAt },
}: {
  readonly cluster: string;
  readonly balancer: LoadBalancerView;
}) {
  const hold = holdIn(row.reason);
  if (hold?.untilMs === undefined || goneAt !== undefined) return null;
  return (
    <EndingLine
      choice={serviceAction({ cluster, service: row.name, uid: row.uid }, "hold")}
      what={`Held${hold.by === undefined ? "" : ` by ${hold.by}`}`}
      until={hold.untilMs}
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
  readonly row: LoadBalancerRow;
}) {
  const target = { cluster, service: row.name, uid: row.uid };
  const { reason } = row;
  const isHeld = holdIn(reason) !== undefined;
  const retry = serviceAction(target, "retry");
  return (
    <div className="buttons">
      {isAdoptionReason(reason) ? (
        <ActionButton
          choice={serviceAction(target, "adopt", reason.id)}
          obstacle={refusalOfAdoption(reason)}
        />
      ) : null}
      <ActionButton choice={retry} appearance="primary" />
      <ActionButton choice={{ ...retry, isDryRun: true }} />
      <ActionButton choice={serviceAction(target, isHeld ? "release" : "hold")} />
      <MoreActions
        items={[
          {
            choice: serviceAction(target, "reensure"),
            note: "Writes all of it again, including what is already in sync.",
          },
        ]}
      />
    </div>
  );
}
