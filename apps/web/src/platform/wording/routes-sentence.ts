import { t } from "@cloudwright/core/model/language/text";
import type { RouteCounts } from "@cloudwright/store/views/routes";
import { formatCount } from "../../components/presentation/format-text.ts";
import { type Counted, countOf, listed } from "./action-title.ts";
import { presentNodes } from "./nodes-sentence.ts";

/** Words the page's summary: how many nodes need a user, otherwise that all is well. */
export function routesSentence(counts: RouteCounts, known: Known): string {
  return [stateSentence(counts, known), staleSentence(counts), fullSentence(counts)]
    .filter((part) => part !== "")
    .join(" ");
}

/**
 * Whether everything in the cluster has reported. Until then, some nodes have not asked for a route yet, and the known ones are not all.
 */
export interface Known {
  readonly isWhole: boolean;
}

/** Returns `All 1,204 routes are in sync.`, or how many of them. */
export function inSyncSentence(
  { wanted, inStep: inSync }: RouteCounts,
  { isWhole }: Known,
): string {
  if (wanted === 0) return t`No node needs a route.`;
  if (inSync === wanted && !isWhole) return knownInSync(wanted, "route");
  if (inSync === wanted) {
    return wanted === 1
      ? t`The one route is in sync.`
      : t`All ${formatCount(wanted)} routes are in sync.`;
  }
  return inSync === 1
    ? t`1 of ${countOf(wanted, "route")} is in sync.`
    : t`${formatCount(inSync)} of ${countOf(wanted, "route")} are in sync.`;
}

/** `210 routes are known to be in sync.` */
export function knownInSync(count: number, what: Counted): string {
  return count === 1
    ? t`${countOf(count, what)} is known to be in sync.`
    : t`${countOf(count, what)} are known to be in sync.`;
}

function stateSentence(counts: RouteCounts, known: Known): string {
  const { states } = counts;
  if (presentNodes(states) === 0)
    return t`No node's routes have been observed in this cluster yet.`;
  const needs = needsSentence(counts);
  if (needs !== "") return `${needs} ${inSyncSentence(counts, known)}`;
  const isAllThere = states.ok === presentNodes(states) && counts.inStep === counts.wanted;
  return isAllThere
    ? inSyncSentence(counts, known)
    : t`No node needs you. ${inSyncSentence(counts, known)}`;
}

/** Words the nodes with routes, the routes without a node and the tables that need a user: the count of the page's badge. */
function needsSentence({ states, staleStuck, tablesStuck }: RouteCounts): string {
  const all = states.stuck + staleStuck + tablesStuck;
  const named = [
    [states.stuck, "node"] as const,
    [staleStuck, "route"] as const,
    [tablesStuck, "route table"] as const,
  ]
    .filter(([count]) => count > 0)
    .map(([count, what]) => countOf(count, what));
  if (all === 0) return "";
  return all === 1 ? t`${listed(named)} needs you.` : t`${listed(named)} need you.`;
}

function staleSentence({ stale }: RouteCounts): string {
  if (stale === 0) return "";
  return stale === 1
    ? t`1 route of ours belongs to no node.`
    : t`${formatCount(stale)} routes of ours belong to no node.`;
}

function fullSentence({ fullest }: RouteCounts): string {
  if (fullest === undefined || fullest.used < fullest.most) return "";
  return t`Table ${fullest.name} is full.`;
}
