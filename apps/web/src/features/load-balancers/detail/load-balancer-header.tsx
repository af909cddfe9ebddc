"use client";
import type { BalancerView } from "@cloudwright/store/balancer-views";
import detail from "../../../components/detail-page.module.css";
import { DriftChip, StateChip } from "../../../components/just-changed/record-chips.tsx";
import { Link } from "../../../components/link.tsx";
import page from "../../../components/page.module.css";
import { addresses } from "../../../components/url/addresses.ts";
import { serviceAction } from "../../../platform/actions/action-choice.ts";
import { EndingLine } from "../../../platform/actions/ending-line.tsx";
import { OpenActions } from "../../../platform/actions/open-actions.tsx";
import { shownDrift } from "./aspects.ts";
import { BalancerDiagnosis, BalancerFactsLine } from "./balancer-facts-line.tsx";
import { LoadBalancerActions } from "./load-balancer-actions.tsx";

export function LoadBalancerHeader({
  cluster,
  balancer,
}: {
  readonly cluster: string;
  readonly balancer: BalancerView;
}) {
  const { row, goneAt, openIntents } = balancer;
  const isQuiet = row.state === "ok" || row.state === "gone";
  return (
    <>
      <nav aria-label="Way back" className={detail.crumbs}>
        <Link href={addresses.balancers(cluster)}>Load balancers</Link>
      </nav>
      <header className={detail.header}>
        <h1 className={page.title}>{row.name}</h1>
        <StateChip
          of={row.uid}
          state={row.state}
          since={isQuiet ? undefined : row.since}
          prominent
        />
        {goneAt === undefined ? <DriftChip of={row.uid} drift={shownDrift(balancer)} /> : null}
        <span className={page.push} />
        {goneAt === undefined ? <LoadBalancerActions cluster={cluster} row={row} /> : null}
      </header>
      <BalancerDiagnosis balancer={balancer} />
      <HoldNotice cluster={cluster} balancer={balancer} />
      <OpenActions cluster={cluster} intents={openIntents} />
      <BalancerFactsLine balancer={balancer} />
    </>
  );
}

/** A hold that kubectl set without an end has none to count down to; the diagnosis tells of it. */
function HoldNotice({
  cluster,
  balancer: { row, goneAt },
}: {
  readonly cluster: string;
  readonly balancer: BalancerView;
}) {
  const { reason } = row;
  if (reason.code !== "HeldByAnnotation" || reason.untilMs === undefined) return null;
  if (goneAt !== undefined) return null;
  return (
    <EndingLine
      choice={serviceAction({ cluster, service: row.name, uid: row.uid }, "hold")}
      what={`Held${reason.by === undefined ? "" : ` by ${reason.by}`}`}
      until={reason.untilMs}
      afterwards="Then the hold lifts by itself and the load balancer gets what it needs."
    />
  );
}
