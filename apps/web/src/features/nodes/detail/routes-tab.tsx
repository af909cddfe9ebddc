"use client";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import { sentence } from "@cloudwright/core/model/sentence";
import type { NodeControllerState, NodeDetail } from "@cloudwright/store/views/node-detail";
import { Fact, Facts } from "../../../components/facts/fact.tsx";
import { DriftChip, StateChip } from "../../../components/just-changed/record-chips.tsx";
import { Link } from "../../../components/link.tsx";
import page from "../../../components/page/page.module.css";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { formatCount, keepUnits } from "../../../components/presentation/format-text.ts";
import { useNow } from "../../../components/time/ticker.ts";
import { useTimeLabels } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { ActionButton } from "../../../platform/actions/action-button.tsx";
import { routeRetry } from "../../../platform/actions/action-choice.ts";
import { useIsRunning } from "../../../platform/live/use-cluster.ts";
import { RouteFacts } from "../../../platform/objects/route-facts.tsx";
import { useTables } from "../../../platform/objects/route-tables.ts";
import { routesPart } from "./routes-part.ts";
import styles from "./routes-tab.module.css";

/** The pod ranges of a node and the routes that lead to them. */
export function RoutesTab({
  cluster,
  node,
}: {
  readonly cluster: string;
  readonly node: NodeDetail;
}) {
  const part = routesPart(node);
  return (
    <>
      {part === undefined ? (
        <NotObserved cluster={cluster} />
      ) : (
        <RoutesCard cluster={cluster} node={node} part={part} />
      )}
      <RangesCard node={node} />
    </>
  );
}

function RoutesCard({
  cluster,
  node: { row, routes, goneAt },
  part,
}: {
  readonly cluster: string;
  readonly node: NodeDetail;
  readonly part: NodeControllerState;
}) {
  const now = useNow();
  const time = useTimeLabels();
  const { data: tables } = useTables(cluster);
  const { name, uid } = row;
  const facts = {
    cells: routes?.cells ?? [],
    condition: routes?.condition,
    asOf: routes?.asOf,
    lastRun: { id: part.runId, outcome: part.outcome, at: part.at },
  };
  return (
    <section className={`${page.card} ${styles.panel}`} aria-label="Routes">
      <div className="row apart">
        <span className="buttons centred apart">
          <StateChip of={uid} state={part.state} since={part.since} />
          <DriftChip of={uid} drift={part.drift} />
        </span>
        <span className={page.toolbar}>
          <Link href={addresses.nodeRoutes(cluster, name)}>Among all routes</Link>
          {goneAt === undefined ? (
            <ActionButton choice={routeRetry({ cluster, name, uid })}>Repair routes</ActionButton>
          ) : null}
        </span>
      </div>
      <p>{keepUnits(sentenceOf({ name, part, now, time }))}</p>
      <RouteFacts cluster={cluster} of={uid} row={facts} tables={tables} />
    </section>
  );
}

function sentenceOf({
  name,
  part,
  now,
  time,
}: {
  readonly name: string;
  readonly part: NodeControllerState;
  readonly now: number;
  readonly time: (at: number) => string;
}): string {
  return sentence({
    object: { kind: "Node", name },
    state: part.state,
    reason: part.reason,
    sinceMs: part.since,
    nextAtMs: part.nextAt,
    nowMs: now,
    time,
  }).replaceAll("`", "");
}

function NotObserved({ cluster }: { readonly cluster: string }) {
  const isRunning = useIsRunning(cluster, speakerFor("NodeRoutes"));
  return (
    <div className={page.card}>
      {isRunning === false ? (
        <EmptyState title="The route controller does not run here">
          Routes are turned off by <code>--configure-cloud-routes=false</code>, left out of{" "}
          <code>--controllers</code>, or not offered by the cloud.
        </EmptyState>
      ) : (
        <EmptyState title="The route controller has not observed this node yet">
          Its routes appear here once it has.
        </EmptyState>
      )}
    </div>
  );
}

/** Where the node's pod ranges come from, where we give them. */
function RangesCard({ node: { ranges } }: { readonly node: NodeDetail }) {
  if (ranges === undefined) return null;
  return (
    <section className={`${page.card} ${styles.panel}`} aria-label="Pod ranges">
      <h2>Pod ranges assigned by Cloudwright</h2>
      <Facts>
        <Fact label="This node">
          {ranges.podCIDRs.length === 0 ? "none yet" : <code>{ranges.podCIDRs.join(", ")}</code>}
        </Fact>
        {ranges.pools.map(({ clusterCIDR, nodeMask, used, capacity }) => (
          <div key={clusterCIDR}>
            <dt>
              Pool {clusterCIDR}, a /{nodeMask} each
            </dt>
            <dd>
              {formatCount(used)} of {formatCount(capacity)} given
            </dd>
          </div>
        ))}
      </Facts>
    </section>
  );
}
