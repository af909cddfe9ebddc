import type { State } from "@cloudwright/core/model/state";
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

export interface FoundObject {
  readonly kind: string;
  /** With its namespace, where it has one. */
  readonly name: string;
  readonly uid: string;
  readonly state: State;
  readonly providerID: string | undefined;
  /** The first one, where it has any. */
  readonly address: string | undefined;
}
