"use client";
import { holdIn } from "@cloudwright/core/model/reason";
import type { NodeRoutesView, RouteRow } from "@cloudwright/store/views/routes";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { Diagnosis } from "../../components/diagnosis.tsx";
import { DriftChip, StateChip } from "../../components/just-changed/record-chips.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { PeekPanel } from "../../components/peek-panel/peek-panel.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { nodeAction, routeRetry } from "../../platform/actions/action-choice.ts";
import { OpenActions } from "../../platform/actions/open-actions.tsx";
import { RouteFacts } from "../../platform/objects/route-facts.tsx";
import { useTables } from "../../platform/objects/route-tables.ts";

/** The routes of one node: what they should be and are, the evidence, and the way to act. */
export function RoutePeek({
  cluster,
  node,
  cidr,
  onClose,
}: {
  readonly cluster: string;
  readonly node: string;
  /** The pod range that was chosen; it comes first. */
  readonly cidr: string | undefined;
  readonly onClose: () => void;
}) {
  const api = useApi();
  const routes = useQuery(api.routes.ofNode.queryOptions({ cluster, name: node }));
  return (
    <PeekPanel
      title={`Routes of ${node}`}
      href={addresses.node(cluster, node, "routes")}
      onClose={onClose}
    >
      {routes.data === undefined ? (
        <Pending query={routes} lines={6} />
      ) : (
        <Summary cluster={cluster} routes={routes.data} cidr={cidr} />
      )}
    </PeekPanel>
  );
}

function Summary({
  cluster,
  routes: { row, goneAt, openIntents },
  cidr,
}: {
  readonly cluster: string;
  readonly routes: NodeRoutesView;
  readonly cidr: string | undefined;
}) {
  const { data: tables } = useTables(cluster);
  if (row === undefined) {
    return (
      <EmptyState title="The route controller has not observed this node yet">
        Its routes appear here once it has.
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
      <OpenActions cluster={cluster} intents={openIntents} />
      {goneAt === undefined ? <RouteActions cluster={cluster} row={row} /> : null}
      <RouteFacts cluster={cluster} of={row.uid} row={row} first={cidr} tables={tables} />
    </>
  );
}

/** Holding is of the whole node: no loop of ours writes to it, nor to its routes, meanwhile. */
function RouteActions({ cluster, row }: { readonly cluster: string; readonly row: RouteRow }) {
  const { controller, name, uid, reason, drift } = row;
  const target = { cluster, controller, name, uid };
  const retry = routeRetry(target);
  const isHeld = holdIn(reason) !== undefined;
  return (
    <div className={page.toolbar}>
      <ActionButton choice={retry} appearance="primary">
        {drift === "drifted" ? "Repair now" : undefined}
      </ActionButton>
      <ActionButton choice={{ ...retry, isDryRun: true }} />
      <ActionButton choice={nodeAction(target, isHeld ? "release" : "hold")}>
        {isHeld ? "Release node…" : "Hold node…"}
      </ActionButton>
    </div>
  );
}
