import type { NodeTarget } from "./action-choice.ts";
import { countOf } from "./action-title.ts";

/** Retries of these very nodes, and of no others that match a filter later. */
export interface BulkChoice {
  readonly cluster: string;
  readonly kind: "bulk-retry";
  readonly targets: readonly NodeTarget[];
  /** What is retried of the nodes; all unless given. */
  readonly of?: "routes" | undefined;
  /** Called once all of them have been asked for. */
  readonly onDone: () => void;
}

/** A person may ask for 60 previews and 60 actions a minute; ten are left for what comes up meanwhile. */
export const BULK_MOST = 50;

export function bulkTitle(choice: BulkChoice): string {
  return bulkVerb(choice, choice.targets.length);
}

/** `Retry 3 nodes`, `Repair the routes of 3 nodes`. */
export function bulkVerb({ of }: Pick<BulkChoice, "of">, count: number): string {
  return `${of === "routes" ? "Repair the routes of" : "Retry"} ${countOf(count, "node")}`;
}
