"use client";
import type { LoadBalancerView } from "@cloudwright/store/views/load-balancers";
import { CopyButton } from "../../../components/button/copy-button.tsx";
import { Diagnosis } from "../../../components/diagnosis.tsx";
import { Fact, Facts } from "../../../components/facts/fact.tsx";
import { TimeText } from "../../../components/time/time-text.tsx";
import { membersSentence } from "../../../platform/objects/members.ts";
import styles from "./load-balancer-page.module.css";

/** The one sentence of this Service's load balancer. */
export function LoadBalancerDiagnosis({
  balancer: { row, goneAt },
}: {
  readonly balancer: LoadBalancerView;
}) {
  const { namespace, service } = row;
  return (
    <Diagnosis object={{ kind: "Service", namespace, name: service }} row={row} goneAt={goneAt} />
  );
}

/** What stands in the cloud, in one line. */
export function LoadBalancerFactsLine({
  balancer: { row, detail, createdAt },
}: {
  readonly balancer: LoadBalancerView;
}) {
  const loadBalancerClass = detail?.actual?.loadBalancerClass;
  return (
    <Facts>
      <Fact label="Load balancer">
        {row.providerID === undefined ? (
          "none yet"
        ) : (
          <span className={styles.copied}>
            {row.type === undefined ? null : <span>{row.type}</span>}
            <code>{row.providerID}</code>
            <CopyButton text={row.providerID} label="Copy the load balancer's id" />
          </span>
        )}
      </Fact>
      <Fact label="Address">
        {row.addresses.length === 0 ? "none yet" : null}
        {row.addresses.map((address) => (
          <span key={address} className={styles.copied}>
            <code>{address}</code>
            <CopyButton text={address} label={`Copy ${address}`} />
          </span>
        ))}
      </Fact>
      {detail?.actual === undefined ? null : <Fact label="Cloud says">{detail.actual.state}</Fact>}
      {loadBalancerClass === undefined ? null : (
        <Fact label="Class">
          <code>{loadBalancerClass}</code>
        </Fact>
      )}
      {detail === undefined ? null : <Fact label="Members">{membersSentence(detail.members)}</Fact>}
      <Fact label="Looked at">
        {detail?.asOf === undefined ? "not yet" : <TimeText at={detail.asOf} />}
      </Fact>
      <Fact label="Last change">
        {row.changedAt === undefined ? "none by us" : <TimeText at={row.changedAt} />}
      </Fact>
      <Fact label="Service since">
        {createdAt === undefined ? "not known" : <TimeText at={createdAt} />}
      </Fact>
    </Facts>
  );
}
