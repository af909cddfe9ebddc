"use client";
import { partValue } from "@cloudwright/core/model/language/cloud-words";
import { t } from "@cloudwright/core/model/language/text";
import { holdIn } from "@cloudwright/core/model/reason";
import {
  isAdoptionReason,
  refusalOfAdoption,
} from "@cloudwright/core/model/reasons/adoption-refusal";
import type { LoadBalancerRow, LoadBalancerView } from "@cloudwright/store/views/load-balancers";
import { CopiedCode } from "../../../components/button/copy-button.tsx";
import { Diagnosis } from "../../../components/diagnosis.tsx";
import { Fact, Facts } from "../../../components/facts/fact.tsx";
import { TimeText } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { ActionButton } from "../../../platform/actions/action-button.tsx";
import { serviceAction } from "../../../platform/actions/action-choice.ts";
import { EndingLine } from "../../../platform/actions/ending-line.tsx";
import { MoreActions } from "../../../platform/actions/more-actions.tsx";
import { OpenActions } from "../../../platform/actions/open-actions.tsx";
import { LastTrace } from "../../../platform/objects/late-trace.ts";
import { membersSentence } from "../../../platform/objects/members.ts";
import { ObjectHead } from "../../../platform/objects/object-head.tsx";
import { shownDrift } from "./aspects.ts";

export function LoadBalancerHeader({ loadBalancer }: { readonly loadBalancer: LoadBalancerView }) {
  const cluster = useClusterId();
  const { row, goneAt } = loadBalancer;
  return (
    <>
      <ObjectHead
        list={{ label: t`Load balancers`, href: addresses.balancers(cluster) }}
        object={{ ...row, kind: "Service", goneAt, drift: shownDrift(loadBalancer) }}
        actions={<LoadBalancerActions row={row} />}
      />
      <LoadBalancerDiagnosis loadBalancer={loadBalancer} />
      {goneAt === undefined ? (
        <HoldNotice loadBalancer={loadBalancer} />
      ) : (
        <LastTrace kind="Service" name={row.name} />
      )}
      <OpenActions of={loadBalancer} />
      <LoadBalancerFactsLine loadBalancer={loadBalancer} />
    </>
  );
}

/** A hold that kubectl set without an end has no countdown; the diagnosis mentions it. */
function HoldNotice({ loadBalancer: { row } }: { readonly loadBalancer: LoadBalancerView }) {
  const cluster = useClusterId();
  const hold = holdIn(row.reason);
  if (hold?.untilMs === undefined) return null;
  return (
    <EndingLine
      choice={serviceAction({ cluster, service: row.name, uid: row.uid }, "hold")}
      what={hold.by === undefined ? t`Held` : t`Held by ${hold.by}`}
      until={hold.untilMs}
      afterwards={t`Then the hold lifts by itself and the load balancer gets what it needs.`}
    />
  );
}

/** The actions on a load balancer; those that the user may not request are shown with the reason. */
function LoadBalancerActions({ row }: { readonly row: LoadBalancerRow }) {
  const cluster = useClusterId();
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
            note: t`Writes all of it again, including what is already in sync.`,
          },
          {
            choice: serviceAction(target, "abandon"),
            note: t`If its deletion is waiting for a load balancer that cannot be deleted: the Service is removed, the load balancer stays.`,
          },
        ]}
      />
    </div>
  );
}

/** The sentence that explains the state of this Service's load balancer. */
export function LoadBalancerDiagnosis({
  loadBalancer: { row, goneAt },
}: {
  readonly loadBalancer: LoadBalancerView;
}) {
  const { namespace, service } = row;
  return (
    <Diagnosis object={{ kind: "Service", namespace, name: service }} row={row} goneAt={goneAt} />
  );
}

/** What is in the cloud, in one line. */
export function LoadBalancerFactsLine({
  loadBalancer: { row, detail, createdAt, goneAt },
}: {
  readonly loadBalancer: LoadBalancerView;
}) {
  const none = absent(goneAt);
  const loadBalancerClass = detail?.actual?.loadBalancerClass;
  return (
    <Facts>
      <Fact label={t`Load balancer`}>
        {row.providerID === undefined ? (
          none
        ) : (
          <>
            {row.type === undefined ? null : partValue(row.type)}{" "}
            <CopiedCode text={row.providerID} label={t`Copy the load balancer's ID`} />
          </>
        )}
      </Fact>
      <Fact label={t`Address`}>
        {row.addresses.length === 0 ? none : null}
        {row.addresses.map((address) => (
          <span key={address}>
            <CopiedCode text={address} label={t`Copy ${address}`} />{" "}
          </span>
        ))}
      </Fact>
      {detail?.actual === undefined ? null : (
        <Fact label={t`Cloud says`}>{detail.actual.state}</Fact>
      )}
      {loadBalancerClass === undefined ? null : (
        <Fact label={t`Class`}>
          <code>{loadBalancerClass}</code>
        </Fact>
      )}
      {detail === undefined ? null : (
        <Fact label={t`Members`}>{membersSentence(detail.members)}</Fact>
      )}
      <Fact label={t`Cloud checked`}>
        {detail?.asOf === undefined ? t`not yet` : <TimeText at={detail.asOf} />}
      </Fact>
      <Fact label={t`Last change`}>
        {row.changedAt === undefined ? t`none by us` : <TimeText at={row.changedAt} />}
      </Fact>
      <Fact label={t`Service since`}>
        {createdAt === undefined ? t`not known` : <TimeText at={createdAt} />}
      </Fact>
    </Facts>
  );
}

/** Nothing more is to come of what is gone. */
function absent(goneAt: number | undefined): string {
  return goneAt === undefined ? t`none yet` : t`none`;
}
