import type { LoadBalancerCounts } from "@cloudwright/store/views/load-balancers";
import { formatCount } from "../../components/presentation/format-text.ts";
import { countOf } from "../../platform/wording/action-title.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";

/** The sentence that opens the page: how many load balancers need a user, else that all is well. */
export function loadBalancersSentence(counts: LoadBalancerCounts): string {
  return [stateSentence(counts), driftSentence(counts), orphanSentence(counts)]
    .filter((part) => part !== "")
    .join(" ");
}

function stateSentence({ states, orphansStuck }: LoadBalancerCounts): string {
  const all = presentNodes(states);
  const stuck = states.stuck + orphansStuck;
  if (stuck > 0) return `${countOf(stuck, "load balancer")} ${stuck === 1 ? "needs" : "need"} you.`;
  if (all === 0) return "No Service of type LoadBalancer has been seen in this cluster yet.";
  if (states.ok === all) {
    return all === 1
      ? "The one load balancer is OK."
      : `All ${formatCount(all)} load balancers are OK.`;
  }
  return `No load balancer needs you. ${formatCount(states.ok)} of ${formatCount(all)} ${states.ok === 1 ? "is" : "are"} OK.`;
}

function driftSentence({ drifted }: LoadBalancerCounts): string {
  if (drifted === 0) return "";
  return drifted === 1
    ? "1 is not in sync in the cloud."
    : `${formatCount(drifted)} are not in sync in the cloud.`;
}

function orphanSentence({ orphans }: LoadBalancerCounts): string {
  if (orphans === 0) return "";
  return `${formatCount(orphans)} in the cloud ${orphans === 1 ? "has" : "have"} no Service.`;
}
