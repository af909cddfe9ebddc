import { t } from "@cloudwright/core/model/language/text";
import type { State } from "@cloudwright/core/model/state";
import type { ClusterHealth } from "@cloudwright/store/views/health";
import { formatCount } from "../../components/presentation/format-text.ts";
import { coverageSentence } from "./health-messages.ts";

/**
 * Words the page's summary: how many nodes need a user, otherwise that all is well. "All" covers the nodes in the cluster, not only those
 * that have been observed.
 */
export function nodesSentence(
  counts: Readonly<Record<State, number>>,
  health: Pick<ClusterHealth, "coverage" | "needs">,
): string {
  const needs = needsSentence(counts.stuck, health.needs.held);
  const coverage = coverageSentence(health);
  if (needs !== "") return coverage === "" ? needs : `${needs} ${coverage}`;
  if (coverage === "") return wellSentence(counts);
  return presentNodes(counts) === 0
    ? coverage
    : t`${coverage} None of those that have reported needs you.`;
}

/** `held` are deletions that the guard holds back until an admin releases them. */
function needsSentence(stuck: number, held: number): string {
  return [stuckSentence(stuck), heldSentence(held)].filter((part) => part !== "").join(" ");
}

function stuckSentence(stuck: number): string {
  if (stuck === 0) return "";
  return stuck === 1 ? t`1 node needs you.` : t`${formatCount(stuck)} nodes need you.`;
}

/** Words the deletions that the guard holds back; empty if there are none. */
export function heldSentence(held: number): string {
  if (held === 0) return "";
  return held === 1
    ? t`1 deletion is waiting for an admin.`
    : t`${formatCount(held)} deletions are waiting for an admin.`;
}

function wellSentence(counts: Readonly<Record<State, number>>): string {
  const present = presentNodes(counts);
  if (present === 0) return t`No node has been seen in this cluster yet.`;
  const rest = present - counts.ok;
  if (rest === 0) {
    return present === 1
      ? t`The one node is in sync with the cloud.`
      : t`All ${formatCount(present)} nodes are in sync with the cloud.`;
  }
  return counts.ok === 1
    ? t`No node needs you. 1 node of ${formatCount(present)} is in sync; ${underWay(counts)}.`
    : t`No node needs you. ${formatCount(counts.ok)} nodes of ${formatCount(present)} are in sync; ${underWay(counts)}.`;
}

export function presentNodes(counts: Readonly<Record<State, number>>): number {
  return Object.entries(counts).reduce(
    (sum, [state, count]) => (state === "gone" ? sum : sum + count),
    0,
  );
}

const UNDER_WAY = {
  unknown: (count: string) => t`${count} unknown`,
  waiting: (count: string) => t`${count} waiting`,
  working: (count: string) => t`${count} working`,
  held: (count: string) => t`${count} held`,
} as const;

function underWay(counts: Readonly<Record<State, number>>): string {
  const parts = (["unknown", "waiting", "working", "held"] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => UNDER_WAY[state](formatCount(counts[state])));
  return parts.join(", ");
}
