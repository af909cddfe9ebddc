"use client";
import type { LoadBalancerView } from "@cloudwright/store/views/load-balancers";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { DriftChip, StateChip } from "../../components/just-changed/record-chips.tsx";
import { FetchedPeek } from "../../components/peek-panel/peek-panel.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { serviceAction } from "../../platform/actions/action-choice.ts";
import type { BesideProps } from "../../platform/lists/record-list.tsx";
import { shownDrift } from "./detail/aspects.ts";
import { LoadBalancerDiagnosis, LoadBalancerFactsLine } from "./detail/load-balancer-header.tsx";

/** The first things that the page of a Service's load balancer says, and its actions. */
export function LoadBalancerPeek({ name: service, onClose }: BesideProps) {
  const cluster = useClusterId();
  const api = useApi();
  const [namespace = "", name = ""] = service.split("/");
  const loadBalancer = useQuery(api.balancers.byName.queryOptions({ cluster, namespace, name }));
  return (
    <FetchedPeek
      title={service}
      href={addresses.balancer(cluster, service)}
      onClose={onClose}
      query={loadBalancer}
    >
      {(data) => <Summary loadBalancer={data} />}
    </FetchedPeek>
  );
}

function Summary({ loadBalancer }: { readonly loadBalancer: LoadBalancerView }) {
  const cluster = useClusterId();
  const { row, goneAt } = loadBalancer;
  const target = { cluster, service: row.name, uid: row.uid };
  return (
    <>
      <div className="buttons centred apart">
        <StateChip of={row.uid} state={row.state} since={row.since} prominent />
        <DriftChip of={row.uid} drift={shownDrift(loadBalancer)} />
        {goneAt === undefined ? (
          <ActionButton choice={serviceAction(target, "retry")} appearance="primary" />
        ) : null}
      </div>
      <LoadBalancerDiagnosis loadBalancer={loadBalancer} />
      <LoadBalancerFactsLine loadBalancer={loadBalancer} />
    </>
  );
}
