import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { EmittedEvent } from "@cloudwright/core/model/run";

/** A Kubernetes Event that a run emitted. */
export interface RunEvent extends Omit<EmittedEvent, "offsetMs"> {
  readonly at: number;
  readonly runId: string;
  readonly controller: ControllerName;
}

/** The Events of a run, with those that other runs of its object emitted around that time. */
export interface RunEvents {
  /** Oldest first. */
  readonly events: readonly RunEvent[];
  /** False for a run that has not ended yet, or whose controller's release stored none. */
  readonly isRecorded: boolean;
  /** Covers runs that started from then on and before `to`. */
  readonly from: number;
  readonly to: number;
}
