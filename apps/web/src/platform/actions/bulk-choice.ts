import { speakerFor } from "@cloudwright/core/model/controller-names";
import { BATCH_MOST, type IntentKind } from "@cloudwright/core/model/intent";
import { objectName } from "@cloudwright/core/model/object-ref";
import { countOf } from "../wording/action-title.ts";
import type { ActionChoice } from "./action-choice.ts";

/** Retries or adoptions of these very things, and of no others that match a filter later. */
export interface BulkChoice {
  readonly cluster: string;
  readonly kind: "bulk";
  /** The action on each, as a button of its own would ask for it; all of one kind. */
  readonly targets: readonly ActionChoice[];
  readonly of: BulkOf;
  /** Called once all of them have been asked for. */
  readonly onDone: () => void;
}

/**
 * What is acted on together; `routes` are all the routes of each of some nodes, `staleRoutes` those that no node asks for,
 * `adoptions` load balancers and routes of an earlier manager, `objects` those of kinds that no page is about.
 */
export type BulkOf =
  | "nodes"
  | "routes"
  | "staleRoutes"
  | "services"
  | "volumes"
  | "adoptions"
  | "objects";

/** A user may ask for 60 previews and 60 actions a minute; ten are left for what comes up meanwhile. */
export const BULK_MOST = 50;

/** Adoptions are asked for as a batch, which has room of its own. */
export function mostOf({ of }: Pick<BulkChoice, "of">): number {
  return of === "adoptions" ? BATCH_MOST : BULK_MOST;
}

/** `retried`, as in "none can be retried". */
export function bulkDone({ of }: Pick<BulkChoice, "of">): string {
  return of === "adoptions" ? "adopted" : "retried";
}

const THINGS: Readonly<Record<BulkOf, string>> = {
  nodes: "node",
  routes: "node",
  staleRoutes: "route",
  services: "Service",
  volumes: "volume",
  adoptions: "cloud resource",
  objects: "object",
};

const VERBS: Partial<Record<BulkOf, string>> = {
  routes: "Repair the routes of",
  adoptions: "Adopt",
};

export function bulkTitle(choice: BulkChoice): string {
  return bulkVerb(choice, choice.targets.length);
}

/** `Retry 3 nodes`, `Retry 1 Service`, `Repair the routes of 3 nodes`, `Adopt 2 cloud resources`. */
export function bulkVerb({ of }: Pick<BulkChoice, "of">, count: number): string {
  return `${VERBS[of] ?? "Retry"} ${countOf(count, THINGS[of])}`;
}

/** `3 nodes`, `1 Service`. */
export function bulkCount({ of }: Pick<BulkChoice, "of">, count: number): string {
  return countOf(count, THINGS[of]);
}

/** `nodes`, `Services`. */
export function bulkThings({ of }: Pick<BulkChoice, "of">): string {
  return `${THINGS[of]}s`;
}

/** What several actions like this one are called. */
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

/** Identifies a target of a choice: two nodes of one name may be two machines, one after the other. */
export function targetKey({ object }: Pick<ActionChoice, "object">): string {
  return object.uid ?? objectName(object);
}
