"use client";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { sentence } from "@cloudwright/core/model/sentence";
import type { NodeDetail } from "@cloudwright/store/views";
import Link from "next/link";
import { CopyButton } from "../../components/copy-button.tsx";
import page from "../../components/page.module.css";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { useNow } from "../../components/time/ticker.ts";
import { SinceText, TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { actionTitle } from "../actions/action-title.ts";
import { EndingNotice } from "./ending-notice.tsx";
import { NodeActions } from "./node-actions.tsx";
import styles from "./node-page.module.css";
import { taintOwner } from "./taint-owner.ts";

export function NodeHeader({
  cluster,
  node,
}: {
  readonly cluster: string;
  readonly node: NodeDetail;
}) {
  const { row } = node;
  const counts = row.state === "ok" || row.state === "gone";
  return (
    <>
      <nav aria-label="Way back" className={styles.crumbs}>
        <Link href={addresses.nodes(cluster)}>Nodes</Link>
      </nav>
      <header className={styles.header}>
        <h1 className={page.title}>{row.name}</h1>
        <StatusChip status={STATE_PRESENTATION[row.state]} prominent>
          {counts ? undefined : <SinceText at={row.since} />}
        </StatusChip>
        <span className={page.push} />
        {node.goneAt === undefined ? <NodeActions cluster={cluster} node={node} /> : null}
      </header>
      <DiagnosisText node={node} />
      <EndingNotice cluster={cluster} node={node} />
      <OpenActions cluster={cluster} node={node} />
      <NodeFactsLine node={node} />
    </>
  );
}

export function retried({ row }: NodeDetail): ControllerName {
  return row.controller;
}

/** The one sentence of this node, the same as in the Event, the log and the export. */
export function DiagnosisText({ node }: { readonly node: NodeDetail }) {
  const { row, goneAt } = node;
  const now = useNow();
  const text = sentence({
    object: { kind: "Node", name: row.name },
    state: row.state,
    reason: row.reason,
    sinceMs: row.since,
    nextAtMs: row.nextAt,
    nowMs: now,
  });
  return (
    <div className={styles.diagnosis} data-tone={STATE_PRESENTATION[row.state].tone}>
      <p>
        {keepUnits(text.replaceAll("`", ""))}
        {goneAt === undefined ? null : (
          <>
            {" "}
            Gone <TimeText at={goneAt} />.
          </>
        )}
      </p>
      <CopyButton text={text} label="Copy the diagnosis" />
    </div>
  );
}

function OpenActions({ cluster, node }: { readonly cluster: string; readonly node: NodeDetail }) {
  return node.openIntents.map((intent) => (
    <p key={intent.id} className={page.note}>
      <Link href={addresses.action(cluster, intent.id)}>{actionTitle(intent)}</Link> was asked for
      by {intent.actor} <TimeText at={intent.requestedAt} /> and is {intent.state}.
    </p>
  ));
}

export function NodeFactsLine({ node }: { readonly node: NodeDetail }) {
  return (
    <dl className={styles.facts}>
      <Fact label="Ready">
        {node.ready === undefined ? "not known" : node.ready.status}
        {node.ready?.since === undefined ? null : (
          <span className={styles.quiet}>
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
            <span className={styles.quiet}>{taintOwner(key)}</span>
          </span>
        ))}
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
