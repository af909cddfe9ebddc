import {
  type ControllerName,
  controllerOf,
  speakerFor,
} from "@cloudwright/core/model/controller-names";
import type { KnownObject, StoredPart } from "@cloudwright/core/model/kinds/known-object";
import type { ReasonOf } from "@cloudwright/core/model/reason";
import { shownOf } from "@cloudwright/core/model/reasons/deepest-cause";
import type { State } from "@cloudwright/core/model/state";
import { UNINITIALIZED_TAINT } from "@cloudwright/core/model/taints";
import type { Expected } from "./expected-controllers.ts";
import { listParts } from "./object-projection.ts";

/** What lists show of an object: whose report, since when, and what comes next. */
export type ShownPart = Pick<
  StoredPart,
  "controller" | "state" | "reason" | "since" | "nextAt" | "failures"
>;

/**
 * Returns the part that lists show, from those that are expected of the object, not those that happen to exist (DESIGN.md "State"): a
 * responsible controller that has not reported is waited for, one that no longer runs anywhere is ignored, and a node with the
 * uninitialized taint is never OK. Undefined without any part.
 */
export function shownPart(object: KnownObject, expected: Expected): ShownPart | undefined {
  const shown = shownOf<ShownPart>(expectedParts(object, expected));
  return shown?.state === "ok" && isUninitialised(object)
    ? notInitialised(object, expected)
    : shown;
}

/** Returns what each expected controller reports on the object, or that it has not yet. */
export function expectedParts(object: KnownObject, expected: Expected): readonly ShownPart[] {
  return [...countedParts(object, expected), ...missingParts(object, expected)];
}

/** Returns what an expected controller reports on the object, or that it has not yet. */
export function partOf(
  object: KnownObject,
  expected: Expected,
  controller: ControllerName,
): ShownPart | undefined {
  return (
    object.parts[controller] ??
    missingParts(object, expected).find((part) => part.controller === controller)
  );
}

/** Returns the parts of controllers that run; if none of them runs, all known parts. */
export function countedParts(object: KnownObject, expected: Expected): readonly StoredPart[] {
  const all = listParts(object.parts);
  const running = all.filter(({ controller }) => expected?.includes(controller) ?? true);
  return running.length === 0 ? all : running;
}

function missingParts(object: KnownObject, expected: Expected): readonly ShownPart[] {
  return (expected ?? [])
    .filter((controller) => isWaitedFor(object, controller))
    .map((controller) => ({
      controller,
      state: "working",
      reason: { code: "NotReportedYet", controller },
      since: knownSince(object),
      failures: 0,
    }));
}

function isWaitedFor({ kind, node, parts }: KnownObject, controller: ControllerName): boolean {
  const { objectKind, reportsOn } = controllerOf(controller);
  if (objectKind !== kind || parts[controller] !== undefined) return false;
  return reportsOn === "all" || node?.ready !== "True";
}

function isUninitialised({ node }: KnownObject): boolean {
  return node?.taints.some(({ key }) => key === UNINITIALIZED_TAINT) ?? false;
}

/** Waiting when none of our controllers initialises nodes: then somebody else lifts the taint. */
function notInitialised(object: KnownObject, expected: Expected): ShownPart {
  const controller = speakerFor("Node");
  const state: State = (expected ?? [controller]).includes(controller) ? "working" : "waiting";
  const reason: ReasonOf<"Uninitialised"> = { code: "Uninitialised" };
  return { controller, state, reason, since: knownSince(object), failures: 0 };
}

function knownSince({ node, createdAt, parts }: KnownObject): number {
  return node?.createdAt ?? createdAt ?? Math.min(...listParts(parts).map(({ since }) => since));
}
