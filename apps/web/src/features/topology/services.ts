import { t } from "@cloudwright/core/model/language/text";
import type { TopologyService, TopologyServices } from "@cloudwright/store/views/topology";
import { formatCount } from "../../components/presentation/format-text.ts";
import {
  DRIFT_PRESENTATION,
  type Presentation,
  STATE_PRESENTATION,
} from "../../components/presentation/states.ts";
import { VERDICT_PRESENTATION } from "../../platform/objects/members.ts";
import { countOf } from "../../platform/wording/action-title.ts";

/** `443/TCP → 31443`. */
export function listenerText({
  port,
  protocol,
  nodePort,
}: TopologyService["listeners"][number]): string {
  return `${port}/${protocol} → ${nodePort}`;
}

/** Presents the load balancer's state against the desired one; while there is none, it is pending. */
export function loadBalancerStatus({
  loadBalancer,
  drift,
  members,
}: Pick<TopologyService, "loadBalancer" | "drift" | "members">): Presentation {
  if (loadBalancer === undefined) return STATE_PRESENTATION.waiting;
  if (drift === "drifted" || members.soon + members.leaving > 0) return DRIFT_PRESENTATION.drifted;
  return DRIFT_PRESENTATION[drift];
}

/** `497 in, 2 soon, 1 out`. */
export function membersText({ members }: Pick<TopologyService, "members">): string {
  return (["in", "soon", "leaving", "out"] as const)
    .filter((verdict) => verdict === "in" || members[verdict] > 0)
    .map((verdict) => memberCount(verdict, members[verdict]))
    .join(", ");
}

/** `497 in`. */
export function memberCount(verdict: keyof TopologyService["members"], count: number): string {
  return `${formatCount(count)} ${VERDICT_PRESENTATION[verdict].label.toLowerCase()}`;
}

/** Words the page's summary: how many there are, how many of them serve nothing, and whether all are shown. */
export function servicesSentence({ services, total }: TopologyServices): string {
  if (total === 0) return t`No Service of type LoadBalancer has been seen.`;
  const stuck = services.filter(({ state }) => state === "stuck").length;
  const empty = services.filter(({ members }) => members.in + members.soon === 0).length;
  const parts = [
    t`${countOf(total, "Service")}.`,
    stuck === services.length && stuck < total
      ? t`Stuck: at least ${formatCount(stuck)}.`
      : stuckSentence(stuck),
    emptySentence(empty),
    services.length < total
      ? t`The worst ${formatCount(services.length)} are shown; search for the others.`
      : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function stuckSentence(stuck: number): string {
  if (stuck === 0) return t`None is stuck.`;
  return stuck === 1 ? t`1 is stuck.` : t`${formatCount(stuck)} are stuck.`;
}

function emptySentence(empty: number): string {
  if (empty === 0) return "";
  return empty === 1
    ? t`1 has no node behind it.`
    : t`${formatCount(empty)} have no node behind them.`;
}
