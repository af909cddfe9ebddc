import type { Node } from "../../kube/client.ts";
import { type EventText, eventText } from "../../kube/events/event-object.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { Effect, MetricDeclaration } from "../../reconcile/effects.ts";
import type { RunOutcome } from "../../reconcile/loop-port.ts";
import type { Concluded, Conclusion, RunResult } from "../../reconcile/reconciler.ts";
import type { RouteChange } from "./changes.ts";
import { type RouteAnswer, type RouteMemory, withMade } from "./memory.ts";
import type { Observed } from "./observed.ts";
import { viewOfRoutes } from "./view.ts";

type Run = Concluded<Observed, RouteChange, RouteMemory, RouteAnswer>;

const SYNCS = "route_controller_route_sync_total";
const CHANGES = "cloudwright_route_changes_total";

/** The metrics of the route loop: upstream's (spec/40 §6), then ours. */
export const ROUTE_METRICS: readonly MetricDeclaration[] = [
  {
    name: SYNCS,
    type: "counter",
    help: "Checks of the routes, by whether something changed and by trigger.",
    labels: ["outcome", "trigger"],
  },
  {
    name: CHANGES,
    type: "counter",
    help: "Routes to be created or deleted, by result.",
    labels: ["action", "outcome"],
  },
];

/**
 * Counts a periodic pass, or a run for a change of a Node: whether it changed routes, found nothing to do or could not
 * observe.
 */
export function countSync(
  outcome: "changed" | "noop" | "error",
  trigger: "periodic" | "node_change",
): Effect {
  return { kind: "metric", name: SYNCS, value: 1, labels: { outcome, trigger } };
}

/** Concludes a run: what it leaves undone, what is reported, and what the pages show. */
export function concludeRoutes(run: Run): Conclusion<RouteMemory> {
  const { observed, plan, result } = run;
  const { next } = plan;
  const made = withMade(run.memory.made, result.written, result.runId);
  const isDoubted = next.reason.code === "RouteDeletionsUnconfirmed";
  const memory: RouteMemory = {
    made,
    isUnsettled: !(result.isDone && next.kind === "settled"),
    doubts: isDoubted && observed.kind !== "table" ? observed.unconfirmed?.listing : undefined,
    unserved: unservedIn(run),
    lastRunId: result.runId,
  };
  const node = observed.kind === "node" ? afterWrites(result, observed.node) : undefined;
  return {
    memory,
    effects: [...changesIn(result), ...syncOf(run)],
    view: viewOfRoutes(made, { observed, plan, result, node }),
  };
}

/** Returns the Node as the last plan's writes left it. */
function afterWrites({ applied, written }: RunResult<RouteChange, RouteAnswer>, node: Node): Node {
  const ofLastPlan = applied === 0 ? [] : written.slice(-applied);
  return ofLastPlan.findLast(({ answer }) => answer.node !== undefined)?.answer.node ?? node;
}

function changesIn({ written, failed }: RunResult<RouteChange, RouteAnswer>): readonly Effect[] {
  const count = (outcome: "done" | "failed") => (one: { readonly change: RouteChange }) =>
    one.change.kind === "node.network-condition.write"
      ? []
      : [countChange(one.change.kind === "route.create" ? "create" : "delete", outcome)];
  return [...written.flatMap(count("done")), ...failed.flatMap(count("failed"))];
}

function countChange(action: "create" | "delete", outcome: "done" | "failed"): Effect {
  return { kind: "metric", name: CHANGES, value: 1, labels: { action, outcome } };
}

/** For a run after a change of a Node. A run that threw although its whole plan was written could not observe again. */
function syncOf({ plan, result }: Run): readonly Effect[] {
  const { trigger, applied, error } = result;
  if (trigger.kind !== "change") return [];
  const isBlind = error !== undefined && applied === plan.changes.length;
  return [countSync(isBlind ? "error" : applied > 0 ? "changed" : "noop", "node_change")];
}

/** Returns the range that has no route, so that an Event can name it. */
function unservedIn({ observed, plan }: Run): string | undefined {
  const isUnserved = plan.notTaken.some(({ step }) => step === "route.create");
  if (observed.kind !== "node" || !isUnserved) return undefined;
  const made = plan.changes.flatMap((one) =>
    one.kind === "route.create" ? [one.after.destination] : [],
  );
  return observed.ranges.find(({ right, cidr }) => right === undefined && !made.includes(cidr))
    ?.cidr;
}

const FAILED: ReadonlySet<RunOutcome["outcome"]> = new Set(["failed", "timedOut", "blocked"]);

/** Upstream's Event of a route that could not be created (spec/40 §2), without its duration (RW-11). */
export function wordingOfRoutes(
  { outcome, object, reason }: RunOutcome,
  { unserved: cidr }: RouteMemory,
): EventText | undefined {
  if (!FAILED.has(outcome) || object.kind !== "Node" || cidr === undefined) return undefined;
  const route = `${object.uid ?? ""} ${cidr}`.trim();
  const message = `Could not create route ${route} for node ${object.name}: ${eventMessage(reason)}`;
  return eventText("FailedToCreateRoute", message);
}
