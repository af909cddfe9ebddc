import type { Action, RequestedAction } from "../../model/actions/action.ts";
import type { Intent, LoopProgress } from "../../model/actions/intent.ts";
import type { ControllerName } from "../../model/controller-names.ts";
import type { Clock } from "../../model/time.ts";
import type { IntentTarget } from "../loop-port.ts";
import type { ControlTarget } from "./control-target.ts";

/** One intent, and what it is carried out with. */
export interface IntentWork {
  readonly intent: Intent;
  /** The loop of the controller that it names; absent when that does not run here. */
  readonly loop: IntentTarget | undefined;
  /** Those that run here, for what several of them carry out. */
  readonly loops: ReadonlyMap<ControllerName, IntentTarget>;
  /** Absent when this process keeps no control record. */
  readonly controls: ControlTarget | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when a run begins to write in the intent's name. */
  onWriting(runId: string): void;
  /** Called when one of several loops begins or ends its part. */
  onProgress(loops: readonly LoopProgress[]): void;
}

/** The action, with who asks for it and why. */
export function requestedActionOf<Kind extends Action>(
  intent: Intent,
  action: Kind,
): RequestedAction<Kind> {
  return { action, intentId: intent.id, by: intent.actor, why: intent.why };
}

/** The hash to compare; undefined after a write in this intent's name, when the work is carried on whatever the plan is by now. */
export function hashToCompare({ planHash, runIds }: Intent): string | undefined {
  return runIds.length > 0 ? undefined : planHash;
}
