"use client";
import { t } from "@cloudwright/core/model/language/text";
import { holdIn } from "@cloudwright/core/model/reason";
import type { NodeRoutesView, RouteRow } from "@cloudwright/store/views/routes";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { Diagnosis } from "../../components/diagnosis.tsx";
import { DriftChip, StateChip } from "../../components/just-changed/record-chips.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { FetchedPeek } from "../../components/peek-panel/peek-panel.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { nodeAction, routeRetry } from "../../platform/actions/action-choice.ts";
import { OpenActions } from "../../platform/actions/open-actions.tsx";
import { useTables } from "../../platform/objects/route-cells.ts";
import { RouteFacts } from "../../platform/objects/route-facts.tsx";

/** The routes of one node: desired and actual, the evidence, and the actions. */
export function RoutePeek({
  node,
  cidr,
  onClose,
}: {
  readonly node: string;
  /** The chosen pod range, which comes first. */
  readonly cidr: string | undefined;
  readonly onClose: () => void;
}) {
  const cluster = useClusterId();
  const api = useApi();
  const routes = useQuery(api.routes.ofNode.queryOptions({ cluster, name: node }));
  return (
    <FetchedPeek
      title={t`Routes of ${node}`}
      href={addresses.node(cluster, node, "routes")}
      onClose={onClose}
      query={routes}
    >
      {(data) => <Summary routes={data} cidr={cidr} />}
    </FetchedPeek>
  );
}

function Summary({
  routes,
  cidr,
}: {
  readonly routes: NodeRoutesView;
  readonly cidr: string | undefined;
}) {
  const cluster = useClusterId();
  const { data: tables } = useTables(cluster);
  const { row, goneAt } = routes;
  if (row === undefined) {
    return (
      <EmptyState title={t`The route controller has not observed this node yet`}>
        {t`Its routes appear here once it has.`}
      </EmptyState>
    );
  }
  return (
    <>
      <div className="buttons centred apart">
        <StateChip of={row.uid} state={row.state} since={row.since} prominent />
        <DriftChip of={row.uid} drift={row.drift} />
      </div>
      <Diagnosis object={{ kind: "Node", name: row.name }} row={row} goneAt={goneAt} />
      <OpenActions of={routes} />
      {goneAt === undefined ? <RouteActions row={row} /> : null}
      <RouteFacts of={row.uid} row={row} first={cidr} tables={tables} />
    </>
  );
}

/** A hold applies to the whole node: none of our loops writes to it or its routes in the meantime. */
function RouteActions({ row }: { readonly row: RouteRow }) {
  const cluster = useClusterId();
  const { controller, name, uid, reason, drift } = row;
  const target = { cluster, controller, name, uid };
  const retry = routeRetry(target);
  const isHeld = holdIn(reason) !== undefined;
  return (
    <div className={page.toolbar}>
      <ActionButton choice={retry} appearance="primary">
        {drift === "drifted" ? t`Repair now` : undefined}
      </ActionButton>
      <ActionButton choice={{ ...retry, isDryRun: true }} />
      <ActionButton choice={nodeAction(target, isHeld ? "release" : "hold")}>
        {isHeld ? t`Release node…` : t`Hold node…`}
      </ActionButton>
    </div>
  );
}
