import type { Action } from "@cloudwright/core/model/actions/action";
import type { Intent, LoopPreview } from "@cloudwright/core/model/actions/intent";
import { problemInWords } from "@cloudwright/core/model/actions/intent-result";
import { letsLoadBalancerGo } from "@cloudwright/core/model/actions/object-actions";
import { consequencesOf } from "@cloudwright/core/model/actions/whole-actions";
import { stepTitle } from "@cloudwright/core/model/audit/change-messages";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { Change } from "@cloudwright/core/model/plan";
import type { TimeLabels } from "@cloudwright/core/model/sentence";
import { cause } from "@cloudwright/core/model/sentence";
import type { Json } from "@cloudwright/core/model/values/json";
import { formatCount } from "../../../components/presentation/format-text.ts";
import { countOf } from "../../wording/action-title.ts";

export type ShownPlan = NonNullable<Intent["preview"]>;

export interface PlanFacts {
  /** `1 node changes · becomes schedulable`. */
  readonly effect: string;
  /** Its consequences, one sentence each. */
  readonly consequences: readonly string[];
  /** What stays undone and why; steps with the same cause are grouped. */
  readonly undone: readonly string[];
}

export interface FactsInput {
  readonly action: Action;
  readonly plan: ShownPlan;
  /** Formats a point in time as the page does. */
  readonly clock: TimeLabels;
  /** Keys that wait for the controller. */
  readonly waiting: number;
}

/** Derives what a dialog says about a plan before a user confirms it (UX brief, section 10). */
export function planFacts(input: FactsInput): PlanFacts {
  return {
    effect: effectOf(input),
    consequences:
      consequencesOf(input.action, { ...input.plan, ...input }) ?? ofRetry(input.plan, input.clock),
    undone: undoneOf(input.plan, input.clock),
  };
}

function effectOf({ plan, action, clock }: FactsInput): string {
  const { changes } = plan;
  if (changes.length === 0) return t`Nothing would change`;
  const nodes = new Set(changes.map(({ target }) => target).map(({ name }) => name)).size;
  const released = releasedIn(changes);
  const first =
    released > 0
      ? t`${countOf(released, "node")} may be deleted`
      : (effectOnOne(changes) ??
        (nodes === 1 ? t`1 node changes` : t`${formatCount(nodes)} nodes change`));
  return [first, ...changes.flatMap(effectOfTaints), ...endOf(action, clock)].join(" · ");
}

/** Words changes that come alone, and those of routes; undefined for nodes. */
function effectOnOne(changes: readonly Change[]): string | undefined {
  const routes = effectOnRoutes(changes);
  if (routes !== undefined) return routes;
  switch (changes[0]?.target.kind) {
    case "Controller":
      return changes[0].kind === "setting.change" ? t`1 setting changes` : t`1 controller changes`;
    case "LoadBalancer":
      return t`1 load balancer is deleted`;
    case "PersistentVolume":
      return t`1 volume changes`;
    case "Service":
      return effectOnService(changes);
    default:
      return undefined;
  }
}

function effectOnService(changes: readonly Change[]): string {
  const kinds = new Set(changes.map(({ kind }) => kind));
  if (changes.some(letsLoadBalancerGo)) return t`1 load balancer is deleted`;
  if (kinds.has("balancer.create")) return t`1 load balancer is created`;
  if (kinds.has("service.hold") || kinds.has("service.release")) return t`1 Service changes`;
  return kinds.has("balancer.delete") && kinds.has("service.finalizer.remove")
    ? t`1 load balancer is deleted`
    : t`1 load balancer changes`;
}

/** Returns `1 route is created, 2 routes are deleted`; the changes listed below it name them. */
function effectOnRoutes(changes: readonly Change[]): string | undefined {
  const parts = [
    ...routesDeleted(changes.filter(({ kind }) => kind === "route.delete").length),
    ...routesCreated(changes.filter(({ kind }) => kind === "route.create").length),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}

function routesDeleted(count: number): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? t`1 route is deleted` : t`${formatCount(count)} routes are deleted`];
}

function routesCreated(count: number): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? t`1 route is created` : t`${formatCount(count)} routes are created`];
}

function releasedIn(changes: readonly Change[]): number {
  return changes.reduce((sum, { after }) => sum + listOf(after, "released").length, 0);
}

function effectOfTaints({ before, after }: Change): readonly string[] {
  if (!hasList(after, "taints")) return [];
  const [had, has] = [isKeptAway(before), isKeptAway(after)];
  if (had === has) return [];
  return [has ? t`takes no new pods` : t`becomes schedulable`];
}

/** Taints with these effects keep pods away, including the uninitialized taint. */
function isKeptAway(part: Json): boolean {
  return listOf(part, "taints").some((taint) =>
    ["NoSchedule", "NoExecute"].includes(String(memberOf(taint, "effect"))),
  );
}

function endOf(action: Action, clock: FactsInput["clock"]): readonly string[] {
  return "until" in action ? [t`until ${clock(action.until)}`] : [];
}

function ofRetry(plan: ShownPlan, clock: TimeLabels): readonly string[] {
  if (plan.loops === undefined) return afterwards(plan, clock);
  return plan.loops.flatMap((loop) => ofLoop(loop, clock));
}

/** Leaves out what holds only once the cloud and the cluster have accepted every write. */
function afterwards(
  { next, changes, lastFailure }: LoopPlan,
  clock: TimeLabels,
): readonly string[] {
  const then = t`${cause(next.reason, clock)}.`;
  if (changes.length === 0) return [then];
  const failed =
    lastFailure === undefined ? [] : [t`The last attempt failed: ${cause(lastFailure, clock)}.`];
  return [...failed, next.kind === "settled" ? t`If every write succeeds: ${then}` : then];
}

type LoopPlan = Pick<ShownPlan, "changes" | "next" | "lastFailure">;

function ofLoop(loop: LoopPreview, clock: TimeLabels): readonly string[] {
  const { controller, plan } = loop;
  const { label } = controllerOf(controller);
  const problem = problemInWords(loop);
  if (problem !== undefined) return [t`${label}: ${problem}`];
  return plan === undefined ? [] : afterwards(plan, clock).map((text) => t`${label}: ${text}`);
}

/** Leaves out what the outcome of a loop says already. */
function undoneOf({ notTaken, loops = [] }: ShownPlan, clock: TimeLabels): readonly string[] {
  const said = new Set(
    loops.flatMap(({ plan }) => (plan === undefined ? [] : [cause(plan.next.reason, clock)])),
  );
  const steps = new Map<string, string[]>();
  for (const { step, reason } of notTaken) {
    const why = cause(reason, clock);
    if (!said.has(why)) steps.set(why, [...(steps.get(why) ?? []), stepTitle(step)]);
  }
  return [...steps].map(([why, names]) => t`Not done: ${names.join(", ")}. ${why}.`);
}

function hasList(part: Json, name: string): boolean {
  return Array.isArray(memberOf(part, name));
}

function listOf(part: Json, name: string): readonly Json[] {
  const list = memberOf(part, name);
  return Array.isArray(list) ? list : [];
}

function memberOf(part: Json, name: string): Json | undefined {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return undefined;
  return Object.entries(part).find(([key]) => key === name)?.[1];
}
