import type { NodeTarget } from "./action-choice.ts";
import { countOf } from "./action-title.ts";

/** Retries of these very nodes, and of no others that match a filter later. */
export interface BulkChoice {
  readonly cluster: string;
  readonly kind: "bulk-retry";
  readonly targets: readonly NodeTarget[];
  /** Called once all of them have been asked for. */
  readonly onDone: () => void;
}

/** A person may ask for 60 previews and 60 actions a minute; ten are left for what comes up meanwhile. */
export const BULK_MOST = 50;

export function bulkTitle({ targets }: BulkChoice): string {
  return `Retry ${countOf(targets.length, "node")}`;
}
