import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { EmittedEvent } from "@cloudwright/core/model/run";

/** A Kubernetes Event that a run emitted. */
export interface RunEvent extends Omit<EmittedEvent, "offsetMs"> {
  readonly at: number;
  readonly runId: string;
  readonly controller: ControllerName;
}

/** The Events of a run, with those that other runs of its object emitted about that time. */
export interface RunEvents {
  /** Oldest first. */
  readonly events: readonly RunEvent[];
  /** False of a run that has not ended yet, and of one whose controller's release kept none. */
  readonly isRecorded: boolean;
  /** Runs that started from then on and before `to` are looked at. */
  readonly from: number;
  readonly to: number;
}
