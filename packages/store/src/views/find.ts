import type { ObjectSummary } from "@cloudwright/core/model/kinds/define-kind";
import type { RunRow } from "./views.ts";

/** Everything that a text can mean in a cluster. */
export interface Found {
  /** Objects that need a user first; at most 8 of each kind. */
  readonly objects: readonly FoundObject[];
  /** The run of that id, or the runs with a cloud call of that id, newest first, at most 8. */
  readonly runs: readonly RunRow[];
  /** For a cloud call: how many runs have it, up to 10,000; otherwise the length of `runs`. */
  readonly runCount: number;
  /** The id of the action. */
  readonly intentId: string | undefined;
}

export interface FoundObject extends Pick<ObjectSummary, "name" | "uid" | "state" | "providerID"> {
  readonly kind: string;
  /** The first address, if it has any. */
  readonly address: string | undefined;
}
