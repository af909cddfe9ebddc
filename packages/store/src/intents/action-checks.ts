import {
  type Action,
  actionOf,
  carrierOf,
  carriersOf,
  isControlAction,
  typedOf,
} from "@cloudwright/core/model/actions/action";
import { controllersOf, type IntentKind } from "@cloudwright/core/model/actions/intent";
import { problemOf } from "@cloudwright/core/model/actions/whole-actions";
import {
  type ControllerName,
  controllerOf,
  isKnownController,
} from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { isOfCloudAlone, type ObjectRef } from "@cloudwright/core/model/object-ref";
import { z } from "zod";
import { storableText } from "../text/storable-text.ts";

export interface ActionRequest {
  readonly kind: IntentKind;
  readonly action: Action;
  readonly controller: ControllerName;
  readonly object: ObjectRef;
  readonly planHash?: string | undefined;
  readonly confirmation?: string | undefined;
}

/** A browser's clock that is slightly ahead requests slightly more than the maximum. */
const CLOCK_SKEW_MS = 60_000;

/** Returns why an action cannot be accepted, as a sentence; undefined when it can. `now` is in milliseconds since the epoch. */
export function problemOfAction(request: ActionRequest, now: number): string | undefined {
  return (
    problemOfKind(request) ??
    problemOfTarget(request) ??
    problemOf(request.action, request.object) ??
    problemOfEnd(request.action, now) ??
    problemOfNodes(request.action) ??
    (request.kind === "preview" ? undefined : problemOfConfirmation(request))
  );
}

function problemOfKind({ kind, action }: ActionRequest): string | undefined {
  if (kind === "preview" || kind === action.kind) return undefined;
  return t`The request says ${kind}, but its action is ${action.kind}: both must match.`;
}

function problemOfTarget(request: ActionRequest): string | undefined {
  const { action, object, controller } = request;
  const { carriers } = actionOf(action.kind);
  if (carriers === "any") return problemOfRetry(request);
  const isOfControl = isControlAction(action);
  if (isOfControl && (object.kind !== "Controller" || object.name !== controller)) {
    return t`A ${action.kind} must name the controller both as its object and as its controller.`;
  }
  if (carriers === "named") return undefined;
  if (carrierOf(action.kind, object.kind, controller) !== controller) {
    const allowed = carriersOf(action.kind).map(([kind, by]) => `${kind} (${by})`);
    return t`A ${action.kind} is only for these kinds of objects, by these controllers: ${allowed.join(", ")}.`;
  }
  return isOfControl ? undefined : problemOfNames(request);
}

/** An object that exists only in the cloud has no UID: its id is its name. */
function problemOfNames({ action, object }: ActionRequest): string | undefined {
  if (isOfCloudAlone(object)) return undefined;
  if (object.kind === "Service" && object.namespace === undefined) {
    return t`A ${action.kind} of a Service must name its namespace.`;
  }
  return object.uid === undefined
    ? t`A ${action.kind} must name the uid of the ${object.kind}, so that it cannot affect another one with the same name.`
    : undefined;
}

function problemOfRetry(request: ActionRequest): string | undefined {
  const { object } = request;
  for (const controller of controllersOf(request).filter(isKnownController)) {
    const { objectKind, alsoRetries = [] } = controllerOf(controller);
    const kinds = [objectKind, ...alsoRetries];
    if (!kinds.includes(object.kind))
      return t`${controller} only works on objects of these kinds: ${kinds.join(", ")}.`;
  }
  return object.kind === "Service" && object.namespace === undefined
    ? t`A retry of a Service must name its namespace.`
    : undefined;
}

function problemOfEnd(action: Action, now: number): string | undefined {
  if (!("until" in action)) return undefined;
  if (action.until <= now) {
    return t`The chosen end, ${isoTime(action.until)}, has already passed: choose a later one.`;
  }
  const { longest = 0 } = actionOf(action.kind).lengths ?? {};
  return action.until > now + longest + CLOCK_SKEW_MS
    ? t`It can last at most ${longest / DAY_MS} days: choose an earlier end.`
    : undefined;
}

const DAY_MS = 86_400_000;

const nodesSchema = z.array(
  z.object({ name: storableText(253).min(1), uid: storableText(100).min(1) }),
);

function problemOfNodes(action: Action): string | undefined {
  if (!("nodes" in action) || nodesSchema.safeParse(action.nodes).success) return undefined;
  return t`A node's name or UID is not valid.`;
}

function problemOfConfirmation(request: ActionRequest): string | undefined {
  if (actionOf(request.action.kind).needsPlan === true && request.planHash === undefined) {
    return t`This action is only accepted with the plan that was shown: request a preview first.`;
  }
  const typed = typedOf(request.action, request.object);
  return typed === undefined || request.confirmation === typed.text
    ? undefined
    : t`Confirm it by typing ${typed.what}, ${typed.text}.`;
}

export function isoTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}
