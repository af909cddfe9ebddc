import { type ActionKind, actionOf } from "@cloudwright/core/model/actions/action";
import type { IntentKind } from "@cloudwright/core/model/actions/intent";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import { t, worded } from "@cloudwright/core/model/language/text";
import { objectName } from "@cloudwright/core/model/object-ref";
import { type Counted, countOf } from "../wording/action-title.ts";
import type { ActionChoice } from "./action-choice.ts";

/** One action on exactly these targets, not on others that match a filter later. */
export interface BulkChoice {
  readonly cluster: string;
  readonly kind: "bulk";
  /** The action on each target, as its own button would request it; all of one kind. */
  readonly targets: readonly ActionChoice[];
  /** Called once all of them have been requested. */
  readonly onDone: () => void;
}

/**
 * The kind of targets. `routes` means all routes of each node, `staleRoutes` routes that no node asks for, `adoptions` load balancers and
 * routes of an earlier manager, `objects` kinds without a page of their own.
 */
export type BulkOf =
  | "nodes"
  | "routes"
  | "staleRoutes"
  | "services"
  | "volumes"
  | "adoptions"
  | "objects";

/** An action on several targets, and what the targets are called. */
export interface BulkAct {
  readonly kind: ActionKind;
  readonly of: BulkOf;
}

const THINGS: Readonly<Record<BulkOf, Counted>> = {
  nodes: "node",
  routes: "node",
  staleRoutes: "route",
  services: "Service",
  volumes: "volume",
  adoptions: "cloud resource",
  objects: "object",
};

const MANY: Readonly<Record<BulkOf, string>> = worded({
  nodes: () => t`nodes`,
  routes: () => t`nodes`,
  staleRoutes: () => t`routes`,
  services: () => t`Services`,
  volumes: () => t`volumes`,
  adoptions: () => t`cloud resources`,
  objects: () => t`objects`,
});

/** Derived from the first target, because all are alike. */
export function actOf({ targets: [first] }: Pick<BulkChoice, "targets">): BulkAct {
  return first === undefined
    ? { kind: "retry", of: "objects" }
    : { kind: first.kind, of: bulkOf(first) };
}

/** `Retry 3 nodes`, `Hold 1 Service`, `Repair the routes of 3 nodes`, `Adopt 2 cloud resources`. */
export function bulkTitle({ kind, of }: BulkAct, count: number): string {
  const things = countOf(count, THINGS[of]);
  if (of === "routes" && kind === "retry") return t`Repair the routes of ${things}`;
  return actionOf(kind).inBulk?.title(things) ?? t`${kind} of ${things}`;
}

/** Returns a participle such as `retried`, for "none can be retried". */
export function bulkDone({ kind }: BulkAct): string {
  return actionOf(kind).inBulk?.done() ?? t`changed`;
}

/** `3 nodes`, `1 Service`. */
export function bulkCount(of: BulkOf, count: number): string {
  return countOf(count, THINGS[of]);
}

/** `nodes`, `Services`. */
export function bulkThings(of: BulkOf): string {
  return MANY[of];
}

/** Returns what kind of targets several actions like this one have. */
export function bulkOf({
  kind,
  controller,
  object,
  scope,
}: Pick<ActionChoice, "controller" | "object" | "scope"> & {
  readonly kind: IntentKind;
}): BulkOf {
  if (kind === "adopt") return "adoptions";
  switch (object.kind) {
    case "Service":
      return "services";
    case "PersistentVolume":
      return "volumes";
    case "Route":
      return "staleRoutes";
    case "Node":
      return controller === speakerFor("NodeRoutes") && scope !== "object" ? "routes" : "nodes";
    default:
      return "objects";
  }
}

/** Identifies a target of a choice: two nodes with the same name may be different machines. */
export function targetKey({ object }: Pick<ActionChoice, "object">): string {
  return object.uid ?? objectName(object);
}
