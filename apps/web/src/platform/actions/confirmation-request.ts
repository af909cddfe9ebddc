import { NEEDS_PLAN } from "@cloudwright/core/model/intent";
import type { Wish } from "@cloudwright/core/model/wish";
import type { ActionChoice } from "./action-choice.ts";
import type { ShownPlan } from "./plan-facts.ts";
import type { PreviewState } from "./preview-state.ts";

export interface ConfirmationInput {
  readonly choice: ActionChoice;
  readonly wish: Wish;
  readonly why: string;
  readonly typed: string;
  /** What the person was shown; undefined where they could not wait for it. */
  readonly plan: ShownPlan | undefined;
}

/**
 * The request for the action that was confirmed. One retry does what the loop would do by itself, and does it whatever the
 * plan is by then; every other action is done as it was shown or not at all.
 */
export function confirmationRequest({ choice, wish, why, typed, plan }: ConfirmationInput) {
  const { cluster, controller, object, scope } = choice;
  const namesLoops = wish.kind === "retry" && wish.controllers !== undefined;
  const isHeldTo = wish.kind !== "retry" && plan !== undefined;
  return {
    cluster,
    kind: wish.kind,
    wish,
    controller,
    object,
    // The loops that were previewed; where nothing was, those that the ledger says are not OK.
    ...(scope === undefined || namesLoops ? {} : { scope }),
    why: why.trim(),
    ...(isHeldTo ? { planHash: plan.planHash } : {}),
    ...(typedText(choice) === undefined ? {} : { confirmation: typed.trim() }),
  };
}

/**
 * What has to be typed: of an override the node's name, of a release of the guard the number of nodes, of an adoption or a
 * removal the cloud's id of the load balancer or route.
 */
export function typedText({
  kind,
  object,
  nodes = [],
  balancer,
  route,
}: ActionChoice): string | undefined {
  if (kind === "override") return object.name;
  if (kind === "adopt" || kind === "remove-orphan") return route ?? balancer;
  return kind === "release-guard" ? String(nodes.length) : undefined;
}

/** What that is called. */
export function typedWhat({ kind, route }: Pick<ActionChoice, "kind" | "route">): string {
  if (kind === "override") return "the node's name";
  if (kind === "release-guard") return "the number of nodes";
  return route === undefined ? "the load balancer's id" : "the route's id";
}

/** Why the button cannot be pressed now, whatever the fields say; undefined when it can. */
export function obstacleOf(kind: Wish["kind"], preview: PreviewState): string | undefined {
  if (preview.kind === "answered") return undefined;
  // One retry waits for nothing: it is the loop's own work, done sooner.
  if (kind === "retry") return undefined;
  if (preview.kind === "refused") return "The leader would refuse it.";
  if (!NEEDS_PLAN.has(kind)) return undefined;
  return preview.kind === "asking"
    ? "The plan is not known yet."
    : "Without a plan it cannot be confirmed.";
}

export interface FieldProblems {
  readonly why?: string;
  readonly typed?: string;
}

/** What is wrong with the fields; empty when the action can be asked for. */
export function fieldProblems(input: ConfirmationInput): FieldProblems {
  const wanted = typedText(input.choice);
  return {
    ...(input.why.trim() === "" ? { why: "Write why: it is kept in the audit record." } : {}),
    ...(wanted !== undefined && input.typed.trim() !== wanted
      ? { typed: `This must read ${wanted}.` }
      : {}),
  };
}
