import { CONTROLLERS, type ControllerName } from "@cloudwright/core/model/controller-names";
import { controllersOf, type IntentKind, NEEDS_PLAN } from "@cloudwright/core/model/intent";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import {
  isControlWish,
  LONGEST_HOLD_MS,
  LONGEST_PAUSE_MS,
  type Wish,
  type WishOf,
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
    problemOfAdoption(request) ??
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
  if (wish.kind === "retry") return problemOfRetry(request);
  if (wish.kind === "remove-orphan") return problemOfOrphan(wish, request);
  const carriers = CARRIERS[wish.kind];
  if (carriers[object.kind] !== controller) {
    const allowed = Object.entries(carriers).map(([kind, by]) => `a ${kind}, by ${by}`);
    return `A ${wish.kind} is of ${allowed.join(", or of ")}.`;
  }
  if (object.kind === "Service" && object.namespace === undefined) {
    return `A ${wish.kind} of a Service names its namespace.`;
  }
  return object.uid === undefined
    ? `A ${wish.kind} names the ${object.kind.toLowerCase()}'s uid, so that it cannot meet another one of the same name.`
    : undefined;
}

const NODE_CONTROLLER: ControllerName = "cloud-node-controller";
const SERVICE_CONTROLLER: ControllerName = "service-lb-controller";
const HOLDS: Carriers = {
  Node: NODE_CONTROLLER,
  Service: SERVICE_CONTROLLER,
  PersistentVolume: "volume-label-controller",
};

function problemOfRetry(request: WishRequest): string | undefined {
  const { object } = request;
  for (const controller of controllersOf(request)) {
    const kinds = [CONTROLLERS[controller].objectKind, ...(ALSO_RETRIED[controller] ?? [])];
    if (!kinds.includes(object.kind)) return `${controller} works on a ${kinds.join(" or a ")}.`;
  }
  return object.kind === "Service" && object.namespace === undefined
    ? "A retry of a Service names its namespace."
    : undefined;
}

/** What controllers work on beside their own kind of object: a route that no Node asks for has none. */
const ALSO_RETRIED: Partial<Record<ControllerName, readonly ObjectRef["kind"][]>> = {
  "node-route-controller": ["Route"],
};

type Carriers = Partial<Record<ObjectRef["kind"], ControllerName>>;

/** On what kinds of object a wish can be, and which loop carries it out there. */
const CARRIERS: Readonly<Record<"hold" | "release" | "override" | "reensure" | "adopt", Carriers>> =
  {
    hold: HOLDS,
    release: HOLDS,
    override: { Node: NODE_CONTROLLER },
    reensure: { Service: SERVICE_CONTROLLER },
    adopt: { Service: SERVICE_CONTROLLER, Node: "node-route-controller" },
  };

/** An orphan has no object in the cluster: the cloud's id is its name. */
function problemOfOrphan(
  { balancer }: WishOf<"remove-orphan">,
  { object, controller }: WishRequest,
): string | undefined {
  const isOrphan = object.kind === "LoadBalancer" && object.name === balancer;
  return isOrphan && controller === SERVICE_CONTROLLER
    ? undefined
    : `A remove-orphan names the balancer both as its object, a LoadBalancer, and in the wish, and ${SERVICE_CONTROLLER} carries it out.`;
}

const LIFECYCLE_CONTROLLER: ControllerName = "cloud-node-lifecycle-controller";

function problemOfController({ wish, object, controller }: WishRequest): string | undefined {
  if (object.kind !== "Controller" || object.name !== controller) {
    return `A ${wish.kind} names the controller both as its object and as its controller.`;
  }
  return wish.kind === "release-guard" && controller !== LIFECYCLE_CONTROLLER
    ? `The deletion guard is ${LIFECYCLE_CONTROLLER}'s.`
    : undefined;
}

function problemOfAdoption({ wish, object }: WishRequest): string | undefined {
  if (wish.kind !== "adopt") return undefined;
  const { balancer, route } = wish;
  const isOfNode = object.kind === "Node";
  return (isOfNode ? route : balancer) !== undefined && (isOfNode ? balancer : route) === undefined
    ? undefined
    : "An adopt names the load balancer that a Service adopts, or the route that a Node does, and nothing else.";
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
  if (wish.kind === "adopt") {
    const { balancer, route } = wish;
    return balancer === undefined
      ? { what: "the route's id", text: route ?? "" }
      : { what: "the balancer's id", text: balancer };
  }
  if (wish.kind === "remove-orphan") return { what: "the balancer's id", text: wish.balancer };
  return undefined;
}

export function isoTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}
