import type { RouteCounts } from "@cloudwright/store/route-views";
import { countOf } from "../actions/action-title.ts";
import { formatCount, presentNodes } from "../nodes/nodes-sentence.ts";

/** The sentence that opens the page: how many nodes need a person, else that all is well. */
export function routesSentence(counts: RouteCounts): string {
  return [stateSentence(counts), staleSentence(counts), fullSentence(counts)]
    .filter((part) => part !== "")
    .join(" ");
}

/** `All 1,204 routes are in sync.`, or how many of them. */
export function inStepSentence({ wanted, inStep }: RouteCounts): string {
  if (wanted === 0) return "No node asks for a route.";
  if (inStep === wanted) {
    return wanted === 1
      ? "The one route is in sync."
      : `All ${formatCount(wanted)} routes are in sync.`;
  }
  return `${formatCount(inStep)} of ${countOf(wanted, "route")} ${inStep === 1 ? "is" : "are"} in sync.`;
}

function stateSentence(counts: RouteCounts): string {
  const { states } = counts;
  if (presentNodes(states) === 0)
    return "No node's routes have been looked at in this cluster yet.";
  const needs = needsSentence(counts);
  if (needs !== "") return `${needs} ${inStepSentence(counts)}`;
  const isAllThere = states.ok === presentNodes(states) && counts.inStep === counts.wanted;
  return isAllThere ? inStepSentence(counts) : `No node needs you. ${inStepSentence(counts)}`;
}

/** Nodes whose routes, routes without a node and tables that need a person: what the page's badge counts. */
function needsSentence({ states, staleStuck, tablesStuck }: RouteCounts): string {
  const all = states.stuck + staleStuck + tablesStuck;
  const named = [
    [states.stuck, "node"] as const,
    [staleStuck, "route"] as const,
    [tablesStuck, "route table"] as const,
  ]
    .filter(([count]) => count > 0)
    .map(([count, what]) => countOf(count, what));
  return all === 0 ? "" : `${named.join(" and ")} ${all === 1 ? "needs" : "need"} you.`;
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
