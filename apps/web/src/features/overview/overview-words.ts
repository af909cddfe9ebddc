import { sentence } from "@cloudwright/core/model/sentence";
import { STATES } from "@cloudwright/core/model/state";
import type { OverviewView, Problem, ProblemKind } from "@cloudwright/store/overview-views";
import type { ClusterView } from "@cloudwright/store/views";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { formatElapsed } from "../../components/time/format-time.ts";
import { countOf } from "../actions/action-title.ts";
import { formatCount, nodesSentence, presentNodes } from "../nodes/nodes-sentence.ts";

/** The sentence that answers "is anything wrong, and what first?". */
export function overviewSentence(view: OverviewView, now: number): string {
  const needs = needsSentence(view);
  if (needs === undefined) return wellSentence(view);
  const oldest = oldestOf(view.problems);
  if (oldest === undefined) return needs;
  const [member] = oldest.members;
  return `${needs} Oldest: ${member?.name ?? "unknown"}, ${oldest.kind} ${formatElapsed(now - oldest.since)}.`;
}

/** `Node w-5`, or `3 nodes`. */
export function problemTitle({ of, count, members: [first] }: Problem): string {
  const { one, many } = KINDS[of];
  return count === 1 && first !== undefined
    ? `${one} ${first.name}`
    : `${formatCount(count)} ${many}`;
}

const KINDS: Readonly<Record<ProblemKind, { readonly one: string; readonly many: string }>> = {
  Node: { one: "Node", many: "nodes" },
  Service: { one: "Service", many: "Services" },
  LoadBalancer: { one: "Load balancer", many: "load balancers without a Service" },
};

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
    `Nodes ${formatCount(presentNodes(view.nodes))}: ${statesLine(view.nodes)}.`,
    ...balancersLine(view.balancers),
    ...(cluster === undefined ? [] : [runsLine(cluster)]),
    href,
  ].join("\n");
}

function problemLine(problem: Problem, now: number): string {
  const { of, kind, count, members } = problem;
  const [first] = members;
  if (first === undefined) return "";
  const text = sentence({
    object: { kind: of, name: first.name },
    state: kind,
    reason: first.reason,
    sinceMs: first.since,
    nextAtMs: first.nextAt,
    nowMs: now,
  });
  return count === 1 ? text : `${problemTitle(problem)}, such as: ${text}`;
}

function statesLine(counts: OverviewView["nodes"]): string {
  return STATES.filter((state) => state !== "gone" && counts[state] > 0)
    .map((state) => `${STATE_PRESENTATION[state].label} ${formatCount(counts[state])}`)
    .join(", ");
}

/** Nothing in a cluster that has never had one. */
function balancersLine({ states, drifted, orphans }: OverviewView["balancers"]): readonly string[] {
  const all = presentNodes(states);
  if (all === 0 && orphans === 0) return [];
  const parts = [
    ...(all === 0 ? [] : [statesLine(states)]),
    `drifted ${formatCount(drifted)}`,
    `without a Service ${formatCount(orphans)}`,
  ];
  return [`Load balancers ${formatCount(all)}: ${parts.join(", ")}.`];
}

export function runsLine({ runs }: Pick<ClusterView, "runs">): string {
  const { all, changed, failed } = runs;
  return `Runs of the last hour: ${formatCount(all)}, ${formatCount(changed)} changed something, ${formatCount(failed)} failed.`;
}

function needsSentence({ problems }: OverviewView): string | undefined {
  const count = (isCounted: (problem: Problem) => boolean) =>
    problems.reduce((sum, problem) => (isCounted(problem) ? sum + problem.count : sum), 0);
  const nodes = count(({ kind, of }) => kind === "stuck" && of === "Node");
  const balancers = count(({ kind, of }) => kind === "stuck" && of !== "Node");
  const held = count(({ kind }) => kind === "held");
  const stuck = [...some(nodes, "node"), ...some(balancers, "load balancer")].join(" and ");
  const parts = [
    stuck === "" ? "" : `${stuck} ${nodes + balancers === 1 ? "needs" : "need"} you.`,
    held === 0
      ? ""
      : `${held === 1 ? "1 deletion waits" : `${formatCount(held)} deletions wait`} for an admin.`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.join(" ");
}

function some(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [countOf(count, what)];
}

/** What is to be said while nothing needs a person. */
function wellSentence({ nodes, balancers }: OverviewView): string {
  const sentence = nodesSentence(nodes);
  const all = presentNodes(balancers.states);
  if (all === 0) return sentence;
  const { ok } = balancers.states;
  if (ok < all) return `${sentence} ${formatCount(ok)} of ${countOf(all, "load balancer")} are OK.`;
  return presentNodes(nodes) === nodes.ok && nodes.ok > 0
    ? `All ${countOf(nodes.ok, "node")} and ${countOf(all, "load balancer")} are in step with the cloud.`
    : `${sentence} ${all === 1 ? "The one load balancer is" : `All ${formatCount(all)} load balancers are`} in step.`;
}

function oldestOf(problems: readonly Problem[]): Problem | undefined {
  return problems.toSorted((left, right) => left.since - right.since)[0];
}
