"use client";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import { sentence } from "@cloudwright/core/model/sentence";
import type { NodeControllerState, NodeDetail } from "@cloudwright/store/views/node-detail";
import { Fact, Facts } from "../../../components/facts/fact.tsx";
import { DriftChip, StateChip } from "../../../components/just-changed/record-chips.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import page from "../../../components/page/page.module.css";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { formatCount, keepUnits } from "../../../components/presentation/format-text.ts";
import { useNow } from "../../../components/time/ticker.ts";
import { useTimeLabels } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { ActionButton } from "../../../platform/actions/action-button.tsx";
import { routeRetry } from "../../../platform/actions/action-choice.ts";
import { useIsRunning } from "../../../platform/live/use-cluster.ts";
import { useTables } from "../../../platform/objects/route-cells.ts";
import { RouteFacts } from "../../../platform/objects/route-facts.tsx";
import type { ShownStep } from "./timeline-model.ts";

/** The pod ranges of a node and the routes that lead to them. */
export function RoutesTab({ node }: { readonly node: NodeDetail }) {
  const part = routesPart(node);
  return (
    <>
      {part === undefined ? <NotObserved /> : <RoutesCard node={node} part={part} />}
      <RangesCard node={node} />
    </>
  );
}

function RoutesCard({
  node: { row, routes, goneAt },
  part,
}: {
  readonly node: NodeDetail;
  readonly part: NodeControllerState;
}) {
  const cluster = useClusterId();
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
    <section className={`${page.card} grid gap-4 pad-4`} aria-label={t`Routes`}>
      <div className="row apart">
        <span className="buttons centred apart">
          <StateChip of={uid} state={part.state} since={part.since} />
          <DriftChip of={uid} drift={part.drift} />
        </span>
        <span className={page.toolbar}>
          <Link href={addresses.nodeRoutes(cluster, name)}>{t`Among all routes`}</Link>
          {goneAt === undefined ? (
            <ActionButton
              choice={routeRetry({ cluster, name, uid })}
            >{t`Repair routes`}</ActionButton>
          ) : null}
        </span>
      </div>
      <p>{keepUnits(sentenceOf({ name, part, now, time }))}</p>
      <RouteFacts of={uid} row={facts} tables={tables} />
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

function NotObserved() {
  const cluster = useClusterId();
  const isRunning = useIsRunning(cluster, speakerFor("NodeRoutes"));
  return (
    <div className={page.card}>
      {isRunning === false ? (
        <EmptyState title={t`The route controller is not running here`}>
          {mixed`Routes are turned off by ${<code>--configure-cloud-routes=false</code>}, left
            out of ${<code>--controllers</code>}, or not offered by the cloud.`}
        </EmptyState>
      ) : (
        <EmptyState title={t`The route controller has not observed this node yet`}>
          {t`Its routes appear here once it has.`}
        </EmptyState>
      )}
    </div>
  );
}

/** Where the node's pod ranges come from, if we assign them. */
function RangesCard({ node: { ranges } }: { readonly node: NodeDetail }) {
  if (ranges === undefined) return null;
  return (
    <section className={`${page.card} grid gap-4 pad-4`} aria-label={t`Pod ranges`}>
      <h2>{t`Pod ranges assigned by Cloudwright`}</h2>
      <Facts>
        <Fact label={t`This node`}>
          {ranges.podCIDRs.length === 0 ? t`none yet` : <code>{ranges.podCIDRs.join(", ")}</code>}
        </Fact>
        {ranges.pools.map(({ clusterCIDR, nodeMask, used, capacity }) => (
          <div key={clusterCIDR}>
            <dt>{mixed`Pool ${clusterCIDR}, a /${nodeMask} each`}</dt>
            <dd>{mixed`${formatCount(used)} of ${formatCount(capacity)} given`}</dd>
          </div>
        ))}
      </Facts>
    </section>
  );
}

type ReportedNode = Pick<NodeDetail, "controllers" | "routes">;

/** Returns what the route controller says about a node; undefined if it has not checked it. */
export function routesPart({
  controllers,
}: Pick<NodeDetail, "controllers">): NodeControllerState | undefined {
  return controllers.find(({ controller }) => controller === speakerFor("NodeRoutes"));
}

/** Returns the route step of the node's timeline: done when all its pod ranges have their routes. */
export function routeStep(node: ReportedNode): ShownStep | undefined {
  const part = routesPart(node);
  if (part === undefined || part.state === "gone") return undefined;
  const cells = node.routes?.cells ?? [];
  if (part.state === "ok" && cells.length > 0) return doneStep(part, cells);
  const { reason, since, failures, runId } = part;
  if (part.state === "stuck" || failures > 0) {
    return { step: "route", state: "failed", tries: failures, startedAt: since, reason, runId };
  }
  // For example, a node that waits for its pod range.
  return { step: "route", state: "pending", tries: 0, reason, runId };
}

/** From our first change to our last one, in that run; if we made none, since it was first seen done. */
function doneStep({ since, runId }: NodeControllerState, cells: readonly RouteCell[]): ShownStep {
  const changes = cells.flatMap(({ changedAt }) => changedAt ?? []);
  if (changes.length === 0) {
    return { step: "route", state: "done", tries: 1, startedAt: since, endedAt: since, runId };
  }
  const [startedAt, endedAt] = [Math.min(...changes), Math.max(...changes)];
  const last = cells.find(({ changedAt }) => changedAt === endedAt);
  return {
    step: "route",
    state: "done",
    tries: 1,
    startedAt,
    endedAt,
    runId: last?.runId ?? runId,
  };
}
