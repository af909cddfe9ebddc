"use client";
import { type ControllerName, carrierFor } from "@cloudwright/core/model/controller-names";
import { t, worded } from "@cloudwright/core/model/language/text";
import { type Hold, holdIn, type Reason } from "@cloudwright/core/model/reason";
import type { NodeControllerState, NodeDetail } from "@cloudwright/store/views/node-detail";
import { Diagnosis } from "../../../components/diagnosis.tsx";
import { Fact, Facts } from "../../../components/facts/fact.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { SinceText, TimeText } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { ActionButton } from "../../../platform/actions/action-button.tsx";
import {
  dryRun,
  type NodeTarget,
  nodeAction,
  routeAdoption,
} from "../../../platform/actions/action-choice.ts";
import { EndingLine } from "../../../platform/actions/ending-line.tsx";
import { MoreActions } from "../../../platform/actions/more-actions.tsx";
import { OpenActions } from "../../../platform/actions/open-actions.tsx";
import { RetryButton } from "../../../platform/actions/retry-button.tsx";
import { LastTrace } from "../../../platform/objects/late-trace.ts";
import { ObjectHead } from "../../../platform/objects/object-head.tsx";
import { routesPart } from "./routes-tab.tsx";
import { UnderneathText } from "./timeline-tab.tsx";

export function NodeHeader({ node }: { readonly node: NodeDetail }) {
  const cluster = useClusterId();
  const { row } = node;
  return (
    <>
      <ObjectHead
        list={{ label: t`Nodes`, href: addresses.nodes(cluster) }}
        object={{ ...row, kind: "Node", goneAt: node.goneAt, drift: undefined }}
        actions={<NodeActions node={node} />}
      />
      <DiagnosisText node={node} />
      {node.goneAt === undefined ? null : <LastTrace kind="Node" name={row.name} />}
      <Underneath node={node} />
      <EndingNotice node={node} />
      <OpenActions of={node} />
      <NodeFactsLine node={node} />
    </>
  );
}

function Underneath({ node: { row, controllers } }: { readonly node: NodeDetail }) {
  const found = controllers.find(({ underneath }) => underneath !== undefined)?.underneath;
  if (row.state !== "held" || found === undefined) return null;
  return <UnderneathText reason={found.reason} />;
}

export function retried({ row }: NodeDetail): ControllerName {
  return row.controller;
}

/** The sentence that explains this node's state, the same as in the Event, the log and the export. */
export function DiagnosisText({ node: { row, goneAt } }: { readonly node: NodeDetail }) {
  return <Diagnosis object={{ kind: "Node", name: row.name }} row={row} goneAt={goneAt} />;
}

export function NodeFactsLine({ node }: { readonly node: NodeDetail }) {
  return (
    <Facts>
      <Fact label={t`Ready`}>
        {node.ready === undefined ? t`not known` : node.ready.status}
        {node.ready?.since === undefined ? null : (
          <span className="quiet">{mixed` for ${<SinceText at={node.ready.since} />}`}</span>
        )}
      </Fact>
      <Fact label={t`Registered`}>
        {node.createdAt === undefined ? t`not known` : <TimeText at={node.createdAt} />}
      </Fact>
      <Fact label={t`Kubelet`}>{node.kubeletVersion ?? t`not known`}</Fact>
      <Fact label={t`Zone`}>{node.row.zone ?? t`not known`}</Fact>
      <Fact label={t`Type`}>{node.row.instanceType ?? t`not known`}</Fact>
      <Fact label={t`Taints`}>
        {node.taints.length === 0 ? t`none` : null}
        {node.taints.map(({ key, effect }) => (
          <span key={`${key}${effect}`} className="block break">
            <code>
              {key}:{effect}
            </code>{" "}
            <span className="quiet">{taintOwner(key)}</span>
          </span>
        ))}
      </Fact>
    </Facts>
  );
}

/** How long a hold or an override of a node still lasts, what happens then, and the button that extends it. */
function EndingNotice({ node }: { readonly node: NodeDetail }) {
  const cluster = useClusterId();
  const ending = endingOf(node);
  if (ending?.until === undefined) return null;
  const { kind, by, until } = ending;
  const { controller, name, uid } = node.row;
  return (
    <EndingLine
      choice={nodeAction({ cluster, controller, name, uid }, kind)}
      what={kind === "hold" ? heldText(by) : overriddenText(by)}
      until={until}
      afterwards={THEN[kind]}
    />
  );
}

function heldText(by: string | undefined): string {
  return by === undefined ? t`Held` : t`Held by ${by}`;
}

function overriddenText(by: string | undefined): string {
  return by === undefined ? t`Taint overridden` : t`Taint overridden by ${by}`;
}

const THEN: Readonly<Record<Ending["kind"], string>> = worded({
  hold: () => t`Then the hold lifts by itself and the node gets what it needs.`,
  override: () => t`If it is still not initialised then, the taint comes back.`,
});

/** The actions on a node; those that the user may not request are shown with the reason. */
function NodeActions({ node }: { readonly node: NodeDetail }) {
  const cluster = useClusterId();
  const { row } = node;
  const target: NodeTarget = {
    cluster,
    controller: row.controller,
    name: row.name,
    uid: row.uid,
  };
  const isHeld = holdOf(node) !== undefined;
  const waiting = routesPart(node)?.reason;
  return (
    <div className="buttons">
      {waiting?.code === "RouteUnowned" ? (
        <ActionButton choice={routeAdoption(target, waiting.id)} />
      ) : null}
      <RetryButton target={target} />
      <ActionButton choice={dryRun(target)} />
      <ActionButton choice={nodeAction(target, isHeld ? "release" : "hold")} />
      <MoreActions
        items={[
          {
            choice: nodeAction(target, "override"),
            note: t`Lifts the taint even though the node is not initialised.`,
          },
        ]}
      />
    </div>
  );
}

const WRITES_HOLDS = carrierFor("hold", "Node");

/** A user's action on a node that ends by itself. */
interface Ending {
  readonly kind: "hold" | "override";
  readonly by: string | undefined;
  readonly why: string | undefined;
  /** Milliseconds since the epoch; undefined for a hold that kubectl set without an end. */
  readonly until: number | undefined;
}

/** The members of a node's detail that this needs. */
export interface ReportedNode {
  readonly row: { readonly reason: Reason };
  readonly controllers: readonly Pick<NodeControllerState, "controller" | "reason">[];
  readonly goneAt: NodeDetail["goneAt"];
}

export function holdOf(node: ReportedNode): Hold | undefined {
  return holdIn(reasonOf(node));
}

export function endingOf(node: ReportedNode): Ending | undefined {
  const reason = reasonOf(node);
  if (node.goneAt !== undefined) return undefined;
  const hold = holdIn(reason);
  if (hold !== undefined) return { kind: "hold", by: hold.by, why: hold.why, until: hold.untilMs };
  if (reason.code !== "FreedUnfinished") return undefined;
  return { kind: "override", by: reason.by, why: reason.why, until: reason.untilMs };
}

/** The loop that writes holds checks the node right after each; the other loop's report may be older. */
function reasonOf({ controllers, row }: ReportedNode): Reason {
  return controllers.find(({ controller }) => controller === WRITES_HOLDS)?.reason ?? row.reason;
}

const OURS = new Set([
  "node.cloudprovider.kubernetes.io/uninitialized",
  "node.cloudprovider.kubernetes.io/shutdown",
]);

const OTHERS: readonly (readonly [prefix: string, owner: () => string])[] = [
  ["node.cluster.x-k8s.io/", () => t`Cluster API, not ours`],
  ["node.kubernetes.io/", () => t`Kubernetes, not ours`],
  ["node-role.kubernetes.io/", () => t`the cluster's roles, not ours`],
  ["ToBeDeletedByClusterAutoscaler", () => t`the autoscaler, not ours`],
  ["DeletionCandidateOfClusterAutoscaler", () => t`the autoscaler, not ours`],
];

/** Returns the owner of a taint, as far as its key says. */
export function taintOwner(key: string): string {
  if (OURS.has(key)) return t`ours`;
  const [, owner] = OTHERS.find(([prefix]) => key.startsWith(prefix)) ?? [];
  return owner?.() ?? t`not ours`;
}
