import type { State } from "@cloudwright/core/model/state";

/** The sentence that opens the page: how many nodes need a person, else that all is well. */
export function nodesSentence(counts: Readonly<Record<State, number>>): string {
  const present = presentNodes(counts);
  if (present === 0) return "No node has been seen in this cluster yet.";
  if (counts.stuck > 0) return `${nodes(counts.stuck)} ${verb(counts.stuck)} you.`;
  const rest = present - counts.ok;
  if (rest === 0) return `${all(present)} in step with the cloud.`;
  return `No node needs you. ${nodes(counts.ok)} of ${formatCount(present)} ${counts.ok === 1 ? "is" : "are"} in step; ${underWay(counts)}.`;
}

export function presentNodes(counts: Readonly<Record<State, number>>): number {
  return Object.entries(counts).reduce(
    (sum, [state, count]) => (state === "gone" ? sum : sum + count),
    0,
  );
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-GB");
}

function underWay(counts: Readonly<Record<State, number>>): string {
  const parts = (["unknown", "waiting", "working", "held"] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatCount(counts[state])} ${state}`);
  return parts.join(", ");
}

function all(count: number): string {
  return count === 1 ? "The one node is" : `All ${formatCount(count)} nodes are`;
}

function nodes(count: number): string {
  return count === 1 ? "1 node" : `${formatCount(count)} nodes`;
}

function verb(count: number): string {
  return count === 1 ? "needs" : "need";
}
