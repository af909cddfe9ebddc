import { sentence } from "@cloudwright/core/model/sentence";
import { STATES } from "@cloudwright/core/model/state";
import type { OverviewView, Problem } from "@cloudwright/store/overview-views";
import type { ClusterView } from "@cloudwright/store/views";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { formatElapsed } from "../../components/time/format-time.ts";
import { formatCount, nodesSentence, presentNodes } from "../nodes/nodes-sentence.ts";

/** The sentence that answers "is anything wrong, and what first?". */
export function overviewSentence(view: OverviewView, now: number): string {
  const needs = needsSentence(view);
  if (needs === undefined) return nodesSentence(view.nodes);
  const oldest = oldestOf(view.problems);
  if (oldest === undefined) return needs;
  const [node] = oldest.nodes;
  return `${needs} Oldest: ${node?.name ?? "unknown"}, ${oldest.kind} ${formatElapsed(now - oldest.since)}.`;
}

/** `Node w-5`, or `3 nodes`. */
export function problemTitle({ count, nodes: [first] }: Problem): string {
  return count === 1 && first !== undefined ? `Node ${first.name}` : `${formatCount(count)} nodes`;
}

/** What one pastes into the incident's channel: the page in plain text. */
export function summaryText(input: {
  readonly view: OverviewView;
  readonly cluster: ClusterView | undefined;
  readonly now: number;
  readonly href: string;
}): string {
  const { view, cluster, now, href } = input;
  const at = new Date(now).toISOString().replace("T", " ").slice(0, 19);
  return [
    `${cluster?.name ?? "The cluster"} at ${at} UTC`,
    overviewSentence(view, now),
    ...view.problems.map((problem) => `- ${problemLine(problem, now)}`),
    `Nodes ${formatCount(presentNodes(view.nodes))}: ${statesLine(view)}.`,
    ...(cluster === undefined ? [] : [runsLine(cluster)]),
    href,
  ].join("\n");
}

function problemLine({ kind, count, nodes }: Problem, now: number): string {
  const [first] = nodes;
  if (first === undefined) return "";
  const text = sentence({
    object: { kind: "Node", name: first.name },
    state: kind,
    reason: first.reason,
    sinceMs: first.since,
    nextAtMs: first.nextAt,
    nowMs: now,
  });
  return count === 1 ? text : `${formatCount(count)} nodes, such as: ${text}`;
}

function statesLine({ nodes }: OverviewView): string {
  return STATES.filter((state) => state !== "gone" && nodes[state] > 0)
    .map((state) => `${STATE_PRESENTATION[state].label} ${formatCount(nodes[state])}`)
    .join(", ");
}

export function runsLine({ runs }: Pick<ClusterView, "runs">): string {
  const { all, changed, failed } = runs;
  return `Runs of the last hour: ${formatCount(all)}, ${formatCount(changed)} changed something, ${formatCount(failed)} failed.`;
}

function needsSentence({ problems }: OverviewView): string | undefined {
  const count = (kind: Problem["kind"]) =>
    problems.reduce((sum, problem) => (problem.kind === kind ? sum + problem.count : sum), 0);
  const [stuck, held] = [count("stuck"), count("held")];
  const parts = [
    stuck === 0 ? "" : `${stuck === 1 ? "1 node needs" : `${formatCount(stuck)} nodes need`} you.`,
    held === 0
      ? ""
      : `${held === 1 ? "1 deletion waits" : `${formatCount(held)} deletions wait`} for an admin.`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.join(" ");
}

function oldestOf(problems: readonly Problem[]): Problem | undefined {
  return problems.toSorted((left, right) => left.since - right.since)[0];
}
