import { objectName } from "@cloudwright/core/model/object-ref";
import type { ActionChoice } from "./action-choice.ts";
import { countOf } from "./action-title.ts";

/** Retries of these very things, and of no others that match a filter later. */
export interface BulkChoice {
  readonly cluster: string;
  readonly kind: "bulk-retry";
  /** The retry of each, as a button of its own would ask for it. */
  readonly targets: readonly ActionChoice[];
  readonly of: BulkOf;
  /** Called once all of them have been asked for. */
  readonly onDone: () => void;
}

/** What is retried together; `routes` are all the routes of each of some nodes, `staleRoutes` those that no node asks for. */
export type BulkOf = "nodes" | "routes" | "staleRoutes" | "services" | "volumes";

/** A person may ask for 60 previews and 60 actions a minute; ten are left for what comes up meanwhile. */
export const BULK_MOST = 50;

const THINGS: Readonly<Record<BulkOf, string>> = {
  nodes: "node",
  routes: "node",
  staleRoutes: "route",
  services: "Service",
  volumes: "volume",
};

export function bulkTitle(choice: BulkChoice): string {
  return bulkVerb(choice, choice.targets.length);
}

/** `Retry 3 nodes`, `Retry 1 Service`, `Repair the routes of 3 nodes`. */
export function bulkVerb({ of }: Pick<BulkChoice, "of">, count: number): string {
  return `${of === "routes" ? "Repair the routes of" : "Retry"} ${countOf(count, THINGS[of])}`;
}

/** `3 nodes`, `1 Service`. */
export function bulkCount({ of }: Pick<BulkChoice, "of">, count: number): string {
  return countOf(count, THINGS[of]);
}

/** `nodes`, `Services`. */
export function bulkThings({ of }: Pick<BulkChoice, "of">): string {
  return `${THINGS[of]}s`;
}

/** What several retries like this one are called. */
export function bulkOf({
  controller,
  object,
  scope,
}: Pick<ActionChoice, "controller" | "object" | "scope">): BulkOf {
  switch (object.kind) {
    case "Service":
      return "services";
    case "PersistentVolume":
      return "volumes";
    case "Route":
      return "staleRoutes";
    default:
      return controller === "node-route-controller" && scope !== "object" ? "routes" : "nodes";
  }
}

/** Tells the targets of a choice apart: two nodes of one name may be two machines, one after the other. */
export function targetKey({ object }: Pick<ActionChoice, "object">): string {
  return object.uid ?? objectName(object);
}
