"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { ActionButton } from "../actions/action-button.tsx";
import { controllerAction } from "../actions/action-choice.ts";

type Controller = ControllerInstanceView["controllers"][number];

/** Pauses a controller, or extends and ends its pause. `obstacle` is why neither can be done now. */
export function PauseButtons({
  cluster,
  controller: { name, paused },
  obstacle,
}: {
  readonly cluster: string;
  readonly controller: Controller;
  readonly obstacle: string | undefined;
}) {
  const { label } = controllerOf(name);
  return (
    <>
      <ActionButton
        choice={{ ...controllerAction(cluster, name, "pause"), isExtension: paused !== undefined }}
        of={label}
        obstacle={obstacle}
      />
      {paused === undefined ? null : (
        <ActionButton
          choice={controllerAction(cluster, name, "resume")}
          of={label}
          obstacle={obstacle}
        />
      )}
    </>
  );
}

/** Returns why the leader cannot store a pause; undefined if it can. */
export function pauseObstacle({ controls, dryRun }: ControllerInstanceView): string | undefined {
  if (dryRun) return t`This controller is in dry run: it can be neither paused nor resumed.`;
  if (controls === undefined)
    return t`The leader has not reported yet whether it can store pauses.`;
  return controls.unavailable;
}
