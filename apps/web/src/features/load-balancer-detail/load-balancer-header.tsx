"use client";
import type { BalancerView } from "@cloudwright/store/balancer-views";
import Link from "next/link";
import detail from "../../components/detail-page.module.css";
import page from "../../components/page.module.css";
import { DRIFT_PRESENTATION, STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { SinceText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { serviceAction } from "../actions/action-choice.ts";
import { EndingLine } from "../actions/ending-line.tsx";
import { OpenActions } from "../actions/open-actions.tsx";
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
        <StatusChip status={STATE_PRESENTATION[row.state]} prominent>
          {isQuiet ? undefined : <SinceText at={row.since} />}
        </StatusChip>
        {goneAt === undefined ? (
          <StatusChip status={DRIFT_PRESENTATION[shownDrift(balancer)]} />
        ) : null}
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
