import { CONTROLLERS, type ControllerName } from "@cloudwright/core/model/controller-names";
import { type IntentKind, NEEDS_PLAN } from "@cloudwright/core/model/intent";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import {
  isControlWish,
  LONGEST_HOLD_MS,
  LONGEST_PAUSE_MS,
  type Wish,
} from "@cloudwright/core/model/wish";
import { z } from "zod";
import { storableText } from "../storable-text.ts";

export interface WishRequest {
  readonly kind: IntentKind;
  readonly wish: Wish;
  readonly controller: ControllerName;
  readonly object: ObjectRef;
  readonly planHash?: string | undefined;
  readonly confirmation?: string | undefined;
}

/** A browser's clock that is a little ahead asks for a little more than the most. */
const CLOCK_SKEW_MS = 60_000;

/** Why a wish cannot be accepted, as a sentence; undefined when it can. `now` in milliseconds since the epoch. */
export function problemOfWish(request: WishRequest, now: number): string | undefined {
  return (
    problemOfKind(request) ??
    problemOfTarget(request) ??
    problemOfEnd(request.wish, now) ??
    problemOfNodes(request.wish) ??
    (request.kind === "preview" ? undefined : problemOfConfirmation(request))
  );
}

function problemOfKind({ kind, wish }: WishRequest): string | undefined {
  if (kind === "preview" || kind === wish.kind) return undefined;
  return `The request says ${kind} but wishes for ${wish.kind}: both must say the same.`;
}

function problemOfTarget(request: WishRequest): string | undefined {
  const { wish, object, controller } = request;
  if (isControlWish(wish)) return problemOfController(request);
  if (wish.kind === "retry") {
    const kind = CONTROLLERS[controller].objectKind;
    return object.kind === kind ? undefined : `${controller} works on a ${kind}.`;
  }
  if (object.kind !== "Node" || controller !== NODE_CONTROLLER) {
    return `A ${wish.kind} is of a Node, and ${NODE_CONTROLLER} carries it out.`;
  }
  return object.uid === undefined
    ? `A ${wish.kind} names the node's uid, so that it cannot meet another node of the same name.`
    : undefined;
}

const NODE_CONTROLLER: ControllerName = "cloud-node-controller";
const LIFECYCLE_CONTROLLER: ControllerName = "cloud-node-lifecycle-controller";

function problemOfController({ wish, object, controller }: WishRequest): string | undefined {
  if (object.kind !== "Controller" || object.name !== controller) {
    return `A ${wish.kind} names the controller both as its object and as its controller.`;
  }
  return wish.kind === "release-guard" && controller !== LIFECYCLE_CONTROLLER
    ? `The deletion guard is ${LIFECYCLE_CONTROLLER}'s.`
    : undefined;
}

function problemOfEnd(wish: Wish, now: number): string | undefined {
  if (!("until" in wish)) return undefined;
  if (wish.until <= now) {
    return `The end of the ${wish.kind}, ${isoTime(wish.until)}, is past: choose a later one.`;
  }
  const longest = wish.kind === "pause" ? LONGEST_PAUSE_MS : LONGEST_HOLD_MS;
  return wish.until > now + longest + CLOCK_SKEW_MS
    ? `A ${wish.kind} lasts at most ${longest / 86_400_000} days: choose an earlier end.`
    : undefined;
}

const nodesSchema = z.array(
  z.object({ name: storableText(253).min(1), uid: storableText(100).min(1) }),
);

function problemOfNodes(wish: Wish): string | undefined {
  if (wish.kind !== "release-guard") return undefined;
  if (!nodesSchema.safeParse(wish.nodes).success) return "A node's name or uid cannot be one.";
  return new Set(wish.nodes.map((node) => node.uid)).size === wish.nodes.length
    ? undefined
    : "A node is listed twice: list each once.";
}

function problemOfConfirmation(request: WishRequest): string | undefined {
  if (NEEDS_PLAN.has(request.kind) && request.planHash === undefined) {
    return `A ${request.kind} is accepted only with the plan that was shown: ask for a preview first.`;
  }
  const typed = confirmationOf(request);
  return typed === undefined || request.confirmation === typed.text
    ? undefined
    : `Confirm the ${request.kind} by typing ${typed.what}, ${typed.text}.`;
}

function confirmationOf({ wish, object }: WishRequest) {
  if (wish.kind === "override") return { what: "the node's name", text: object.name };
  if (wish.kind === "release-guard") {
    return { what: "the number of nodes", text: String(wish.nodes.length) };
  }
  return undefined;
}

export function isoTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}
