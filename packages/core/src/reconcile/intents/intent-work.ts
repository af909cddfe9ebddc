import type { Action, RequestedAction } from "../../model/actions/action.ts";
import type { Intent, LoopProgress } from "../../model/actions/intent.ts";
import type { ControllerName } from "../../model/controller-names.ts";
import type { Clock } from "../../model/time.ts";
import type { IntentTarget } from "../loop-port.ts";
import type { ControlTarget } from "./control-target.ts";

/** One intent, and what is needed to carry it out. */
export interface IntentWork {
  readonly intent: Intent;
  /** The loop of the controller that the intent names; absent if that does not run here. */
  readonly loop: IntentTarget | undefined;
  /** All loops that run here, for actions that several of them carry out. */
  readonly loops: ReadonlyMap<ControllerName, IntentTarget>;
  /** Absent if this process keeps no control record. */
  readonly controls: ControlTarget | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when a run starts to write in the intent's name. */
  onWriting(runId: string): void;
  /** Called when one of several loops starts or ends its part. */
  onProgress(loops: readonly LoopProgress[]): void;
}

/** Returns the action, with who asks for it and why. */
export function requestedActionOf<Kind extends Action>(
  intent: Intent,
  action: Kind,
): RequestedAction<Kind> {
  return { action, intentId: intent.id, by: intent.actor, why: intent.why };
}

/** Returns the hash to compare; undefined after a write in this intent's name, when the work goes on whatever the plan is now. */
export function hashToCompare({ planHash, runIds }: Intent): string | undefined {
  return runIds.length > 0 ? undefined : planHash;
}
