"use client";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { Diagnosis } from "../../../components/diagnosis.tsx";
import { Fact, Facts } from "../../../components/facts/fact.tsx";
import styles from "../../../components/page/detail-page.module.css";
import { SinceText, TimeText } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
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
import { ObjectHead } from "../../../platform/objects/object-head.tsx";
import { type Ending, endingOf, holdOf } from "./ending.ts";
import { routesPart } from "./routes-part.ts";
import { taintOwner } from "./taint-owner.ts";
import { UnderneathText } from "./underneath-text.tsx";

export function NodeHeader({
  cluster,
  node,
}: {
  readonly cluster: string;
  readonly node: NodeDetail;
}) {
  const { row } = node;
  return (
    <>
      <ObjectHead
        list={{ label: "Nodes", href: addresses.nodes(cluster) }}
        object={{ ...row, goneAt: node.goneAt, drift: undefined }}
        actions={<NodeActions cluster={cluster} node={node} />}
      />
      <DiagnosisText node={node} />
      <Underneath node={node} />
      <EndingNotice cluster={cluster} node={node} />
      <OpenActions cluster={cluster} intents={node.openIntents} />
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

/** The one sentence of this node, the same as in the Event, the log and the export. */
export function DiagnosisText({ node: { row, goneAt } }: { readonly node: NodeDetail }) {
  return <Diagnosis object={{ kind: "Node", name: row.name }} row={row} goneAt={goneAt} />;
}

export function NodeFactsLine({ node }: { readonly node: NodeDetail }) {
  return (
    <Facts>
      <Fact label="Ready">
        {node.ready === undefined ? "not known" : node.ready.status}
        {node.ready?.since === undefined ? null : (
          <span className="quiet">
            {" "}
            for <SinceText at={node.ready.since} />
          </span>
        )}
      </Fact>
      <Fact label="Registered">
        {node.createdAt === undefined ? "not known" : <TimeText at={node.createdAt} />}
      </Fact>
      <Fact label="Kubelet">{node.kubeletVersion ?? "not known"}</Fact>
      <Fact label="Zone">{node.row.zone ?? "not known"}</Fact>
      <Fact label="Type">{node.row.instanceType ?? "not known"}</Fact>
      <Fact label="Taints">
        {node.taints.length === 0 ? "none" : null}
        {node.taints.map(({ key, effect }) => (
          <span key={`${key}${effect}`} className={styles.taint}>
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

/** How long a hold or an override of a node still lasts, what comes then, and the way to extend it. */
function EndingNotice({ cluster, node }: { readonly cluster: string; readonly node: NodeDetail }) {
  const ending = endingOf(node);
  if (ending?.until === undefined) return null;
  const { kind, by, until } = ending;
  const { controller, name, uid } = node.row;
  return (
    <EndingLine
      choice={nodeAction({ cluster, controller, name, uid }, kind)}
      what={`${kind === "hold" ? "Held" : "Taint overridden"}${by === undefined ? "" : ` by ${by}`}`}
      until={until}
      afterwards={THEN[kind]}
    />
  );
}

const THEN: Readonly<Record<Ending["kind"], string>> = {
  hold: "Then the hold lifts by itself and the node gets what it needs.",
  override: "If it is still not initialised then, the taint comes back.",
};

/** What can be done with a node; what one may not do is there as well and says why. */
function NodeActions({ cluster, node }: { readonly cluster: string; readonly node: NodeDetail }) {
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
            note: "Lifts the taint although the node is not initialised.",
          },
        ]}
      />
    </div>
  );
}
