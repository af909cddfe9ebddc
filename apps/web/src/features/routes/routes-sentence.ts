import type { RouteCounts } from "@cloudwright/store/route-views";
import { countOf } from "../actions/action-title.ts";
import { formatCount, presentNodes } from "../nodes/nodes-sentence.ts";

/** The sentence that opens the page: how many nodes need a person, else that all is well. */
export function routesSentence(counts: RouteCounts): string {
  return [stateSentence(counts), staleSentence(counts), fullSentence(counts)]
    .filter((part) => part !== "")
    .join(" ");
}

/** `All 1,204 routes are in step.`, or how many of them. */
export function inStepSentence({ wanted, inStep }: RouteCounts): string {
  if (wanted === 0) return "No node asks for a route.";
  if (inStep === wanted) {
    return wanted === 1
      ? "The one route is in step."
      : `All ${formatCount(wanted)} routes are in step.`;
  }
  return `${formatCount(inStep)} of ${countOf(wanted, "route")} ${inStep === 1 ? "is" : "are"} in step.`;
}

function stateSentence(counts: RouteCounts): string {
  const { states } = counts;
  if (presentNodes(states) === 0)
    return "No node's routes have been looked at in this cluster yet.";
  if (states.stuck === 0) {
    return counts.inStep < counts.wanted
      ? `No node needs you. ${inStepSentence(counts)}`
      : inStepSentence(counts);
  }
  return `${countOf(states.stuck, "node")} ${states.stuck === 1 ? "needs" : "need"} you. ${inStepSentence(counts)}`;
}

function staleSentence({ stale }: RouteCounts): string {
  if (stale === 0) return "";
  return stale === 1
    ? "1 route of ours belongs to no node."
    : `${formatCount(stale)} routes of ours belong to no node.`;
}

function fullSentence({ fullest }: RouteCounts): string {
  if (fullest === undefined || fullest.used < fullest.most) return "";
  return `Table ${fullest.name} is full.`;
}
