import { t } from "@cloudwright/core/model/language/text";
import { capitalise, sentence } from "@cloudwright/core/model/sentence";
import { STATES } from "@cloudwright/core/model/state";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import type { Needs } from "@cloudwright/store/views/health";
import type { OverviewView, Problem } from "@cloudwright/store/views/overview";
import type { WaitingCounts } from "@cloudwright/store/views/takeover";
import { formatCount } from "../../components/presentation/format-text.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { formatElapsed } from "../../components/time/format-time.ts";
import { type Counted, countOf, listed } from "./action-title.ts";
import { alarmsSentence, coverageSentence, isCovered, isWhole } from "./health-messages.ts";
import { countOfProblems, countsByKind, kindWord } from "./kind-words.ts";
import { heldSentence, nodesSentence, presentNodes } from "./nodes-sentence.ts";
import { inSyncSentence, knownInSync } from "./routes-sentence.ts";

/** Answers "is anything wrong, and what first?" in one sentence. */
export function overviewSentence(view: OverviewView, now: number): string {
  const { health } = view;
  const alarms = alarmsSentence(health, { now });
  const needs = needsSentence(health.needs);
  const found =
    needs === undefined ? wellSentence(view) : withOldest(needs, oldestSentence(view, now));
  return [alarms, found, needs === undefined ? "" : coverageSentence(health)]
    .filter((part) => part !== "")
    .join(" ");
}

function withOldest(needs: string, oldest: string): string {
  return oldest === "" ? needs : `${needs} ${oldest}`;
}

function oldestSentence({ problems }: OverviewView, now: number): string {
  const oldest = oldestOf(problems);
  if (oldest === undefined) return "";
  const [member] = oldest.members;
  const name = member?.name ?? t`unknown`;
  const state = STATE_PRESENTATION[oldest.kind].label.toLowerCase();
  return t`Oldest: ${name}, ${state} ${formatElapsed(now - oldest.since)}.`;
}

/** `Node w-5`, or `3 nodes`. */
export function problemTitle({ of, count, members: [first] }: Problem): string {
  return count === 1 && first !== undefined
    ? `${capitalise(kindWord(of))} ${first.name}`
    : countOfProblems(count, of);
}

/** Returns the page in plain text, to be pasted into the incident channel. */
export function summaryText(input: {
  readonly view: OverviewView;
  readonly cluster: ClusterView | undefined;
  readonly now: number;
  readonly href: string;
}): string {
  const { view, cluster, now, href } = input;
  const at = new Date(now).toISOString().replace("T", " ").slice(0, 19);
  return [
    t`${cluster?.name ?? t`The cluster`} at ${at} UTC`,
    overviewSentence(view, now),
    ...view.problems.map((problem) => `- ${problemLine(problem, now)}`),
    ...nodesLine(view.nodes),
    ...loadBalancersLine(view.balancers),
    ...routesLine(view.routes),
    ...volumesLine(view.volumes),
    ...(cluster === undefined ? [] : [runsLine(cluster)]),
    href,
  ].join("\n");
}

/** Returns the whole diagnosis of a problem; for several objects, that of the first. */
export function problemLine(problem: Problem, now: number): string {
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
  return count === 1 ? text : t`${problemTitle(problem)}, such as: ${text}`;
}

function statesLine(counts: OverviewView["nodes"]): string {
  return STATES.filter((state) => state !== "gone" && counts[state] > 0)
    .map((state) => `${STATE_PRESENTATION[state].label} ${formatCount(counts[state])}`)
    .join(", ");
}

/** Empty until a node has been reported: the sentence says so. */
function nodesLine(nodes: OverviewView["nodes"]): readonly string[] {
  const all = presentNodes(nodes);
  return all === 0 ? [] : [t`Nodes ${formatCount(all)}: ${statesLine(nodes)}.`];
}

/** Empty for a cluster that has never had one. */
function loadBalancersLine({
  states,
  drifted,
  orphans,
}: OverviewView["balancers"]): readonly string[] {
  const all = presentNodes(states);
  if (all === 0 && orphans === 0) return [];
  const parts = [
    ...(all === 0 ? [] : [statesLine(states)]),
    t`drifted ${formatCount(drifted)}`,
    t`without a Service ${formatCount(orphans)}`,
  ];
  return [t`Load balancers ${formatCount(all)}: ${parts.join(", ")}.`];
}

/** Empty for a cluster that has no routes. */
function routesLine({
  wanted,
  inStep: inSync,
  stale,
  foreign,
}: OverviewView["routes"]): readonly string[] {
  if (wanted + stale + foreign === 0) return [];
  return [
    t`Routes ${formatCount(wanted)}: in sync ${formatCount(inSync)}, without a node ${formatCount(stale)}, not ours ${formatCount(foreign)}.`,
  ];
}

function volumesLine({ states, drifted }: OverviewView["volumes"]): readonly string[] {
  const all = presentNodes(states);
  if (all === 0) return [];
  return [t`Volumes ${formatCount(all)}: ${statesLine(states)}, drifted ${formatCount(drifted)}.`];
}

function runsLine({ runs }: Pick<ClusterView, "runs">): string {
  const { all, changed, failed } = runs;
  return t`Runs of the last hour: ${formatCount(all)}, ${formatCount(changed)} changed something, ${formatCount(failed)} failed.`;
}

/** `2 nodes and 1 volume need you. 1 deletion is waiting for an admin.`; undefined if nothing needs a user. */
export function needsSentence(needs: Needs): string | undefined {
  const { stuck, held } = needs;
  const all = Object.values(stuck).reduce((sum, count) => sum + count, 0);
  const named = listed(countsByKind(stuck));
  const stuckText = all === 1 ? t`${named} needs you.` : t`${named} need you.`;
  const parts = [named === "" ? "" : stuckText, heldSentence(held)].filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.join(" ");
}

function some(count: number, what: Counted): readonly string[] {
  return count === 0 ? [] : [countOf(count, what)];
}

/**
 * Words the state while nothing needs a user: in one sentence if everything in the cluster has reported and is in sync, otherwise each part
 * separately.
 */
export function wellSentence({
  nodes,
  balancers: loadBalancers,
  routes,
  health,
}: Pick<OverviewView, "nodes" | "balancers" | "routes" | "health">): string {
  const all = presentNodes(loadBalancers.states);
  const isAllWell =
    isWhole(health) &&
    nodes.ok > 0 &&
    presentNodes(nodes) === nodes.ok &&
    loadBalancers.states.ok === all &&
    routes.inStep === routes.wanted;
  if (!isAllWell) {
    return [
      nodesSentence(nodes, health),
      loadBalancersSentence(loadBalancers.states, isCovered(health.coverage.Service)),
      routesSentence(routes, isWhole(health)),
    ]
      .filter((part) => part !== "")
      .join(" ");
  }
  const counted = [
    countOf(nodes.ok, "node"),
    ...some(all, "load balancer"),
    ...some(routes.wanted, "route"),
  ];
  if (counted.length === 1) return nodesSentence(nodes, health);
  return t`All ${listed(counted)} are in sync with the cloud.`;
}

function loadBalancersSentence(
  states: OverviewView["balancers"]["states"],
  isKnown: boolean,
): string {
  const all = presentNodes(states);
  if (all === 0) return "";
  if (states.ok < all) {
    return all === 1
      ? t`${formatCount(states.ok)} of ${countOf(all, "load balancer")} is OK.`
      : t`${formatCount(states.ok)} of ${countOf(all, "load balancer")} are OK.`;
  }
  if (!isKnown) return knownInSync(all, "load balancer");
  return all === 1
    ? t`The one load balancer is in sync.`
    : t`All ${formatCount(all)} load balancers are in sync.`;
}

function routesSentence(routes: OverviewView["routes"], isKnown: boolean): string {
  return routes.wanted === 0 ? "" : inSyncSentence(routes, { isWhole: isKnown });
}

function oldestOf(problems: readonly Problem[]): Problem | undefined {
  return problems.toSorted((left, right) => left.since - right.since)[0];
}

/** `3 load balancers and 12 routes of an earlier manager are waiting for your consent`; undefined if nothing is. */
export function waitingSentence({
  balancers: loadBalancers,
  routes,
}: WaitingCounts): string | undefined {
  const named = [...some(loadBalancers, "load balancer"), ...some(routes, "route")];
  if (named.length === 0) return undefined;
  return loadBalancers + routes === 1
    ? t`${listed(named)} of an earlier manager is waiting for your consent`
    : t`${listed(named)} of an earlier manager are waiting for your consent`;
}
