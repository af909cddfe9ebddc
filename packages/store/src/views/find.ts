import type { ObjectSummary } from "@cloudwright/core/model/kinds/define-kind";
import type { RunRow } from "./views.ts";

/** What a text can mean in a cluster. */
export interface Found {
  /** What needs a user first; of each kind at most 8. */
  readonly objects: readonly FoundObject[];
  /** The run of that id, or those of the cloud call of that id, newest first, at most 8. */
  readonly runs: readonly RunRow[];
  /** Of a cloud call: how many runs have it, up to 10,000; of all else as many as are in `runs`. */
  readonly runCount: number;
  /** Id of the action. */
  readonly intentId: string | undefined;
}

export interface FoundObject extends Pick<ObjectSummary, "name" | "uid" | "state" | "providerID"> {
  readonly kind: string;
  /** The first one, where it has any. */
  readonly address: string | undefined;
}
