import { t } from "@cloudwright/core/model/language/text";
import type { State } from "@cloudwright/core/model/state";
import type { ClusterHealth } from "@cloudwright/store/views/health";
import { formatCount } from "../../components/presentation/format-text.ts";
import { coverageSentence } from "./health-messages.ts";

/**
 * The sentence that opens the page: how many nodes need a user, else that all is well. That is said of nodes that are in
 * the cluster, not of those alone that have been looked at.
 */
export function nodesSentence(
  counts: Readonly<Record<State, number>>,
  health: Pick<ClusterHealth, "coverage" | "needs">,
): string {
  const needs = needsSentence(counts.stuck, health.needs.held);
  const coverage = coverageSentence(health);
  if (needs !== "") return coverage === "" ? needs : `${needs} ${coverage}`;
  if (coverage === "") return wellSentence(counts);
  return presentNodes(counts) === 0 ? coverage : t`${coverage} None that has reported needs you.`;
}

/** `held`: deletions that the guard holds back until an admin releases them. */
function needsSentence(stuck: number, held: number): string {
  const waiting = held === 1 ? t`1 deletion waits` : t`${formatCount(held)} deletions wait`;
  return [
    stuck === 0 ? "" : t`${nodes(stuck)} ${verb(stuck)} you.`,
    held === 0 ? "" : t`${waiting} for an admin.`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function wellSentence(counts: Readonly<Record<State, number>>): string {
  const present = presentNodes(counts);
  if (present === 0) return t`No node has been seen in this cluster yet.`;
  const rest = present - counts.ok;
  if (rest === 0) return t`${all(present)} in sync with the cloud.`;
  return t`No node needs you. ${nodes(counts.ok)} of ${formatCount(present)} ${counts.ok === 1 ? "is" : "are"} in sync; ${underWay(counts)}.`;
}

export function presentNodes(counts: Readonly<Record<State, number>>): number {
  return Object.entries(counts).reduce(
    (sum, [state, count]) => (state === "gone" ? sum : sum + count),
    0,
  );
}

function underWay(counts: Readonly<Record<State, number>>): string {
  const parts = (["unknown", "waiting", "working", "held"] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatCount(counts[state])} ${state}`);
  return parts.join(", ");
}

function all(count: number): string {
  return count === 1 ? t`The one node is` : t`All ${formatCount(count)} nodes are`;
}

function nodes(count: number): string {
  return count === 1 ? "1 node" : t`${formatCount(count)} nodes`;
}

function verb(count: number): string {
  return count === 1 ? "needs" : "need";
}
