"use client";
import type { BalancerView } from "@cloudwright/store/balancer-views";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { DriftChip, StateChip } from "../../components/just-changed/record-chips.tsx";
import { ErrorState, Skeleton } from "../../components/panel-states.tsx";
import { PeekPanel } from "../../components/peek-panel/peek-panel.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { serviceAction } from "../../platform/actions/action-choice.ts";
import { shownDrift } from "./detail/aspects.ts";
import { BalancerDiagnosis, BalancerFactsLine } from "./detail/balancer-facts-line.tsx";
import styles from "./load-balancers.module.css";

/** What the page of a Service's load balancer says first, and the way to act. */
export function BalancerPeek({
  cluster,
  service,
  onClose,
}: {
  readonly cluster: string;
  /** `namespace/name`. */
  readonly service: string;
  readonly onClose: () => void;
}) {
  const api = useApi();
  const [namespace = "", name = ""] = service.split("/");
  const balancer = useQuery(api.balancers.byName.queryOptions({ cluster, namespace, name }));
  return (
    <PeekPanel title={service} href={addresses.balancer(cluster, service)} onClose={onClose}>
      {balancer.data === undefined ? (
        balancer.isError ? (
          <ErrorState error={balancer.error} retry={() => void balancer.refetch()} />
        ) : (
          <Skeleton lines={6} />
        )
      ) : (
        <Summary cluster={cluster} balancer={balancer.data} />
      )}
    </PeekPanel>
  );
}

function Summary({
  cluster,
  balancer,
}: {
  readonly cluster: string;
  readonly balancer: BalancerView;
}) {
  const { row, goneAt } = balancer;
  const target = { cluster, service: row.name, uid: row.uid };
  return (
    <>
      <div className={styles.state}>
        <StateChip of={row.uid} state={row.state} since={row.since} prominent />
        <DriftChip of={row.uid} drift={shownDrift(balancer)} />
        {goneAt === undefined ? (
          <ActionButton choice={serviceAction(target, "retry")} look="primary">
            Retry now
          </ActionButton>
        ) : null}
      </div>
      <BalancerDiagnosis balancer={balancer} />
      <BalancerFactsLine balancer={balancer} />
    </>
  );
}
