import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { type Presentation, STATE_PRESENTATION } from "../../components/presentation/states.ts";

/** How a controller that runs fares. */
export function controllerState(
  { queueDepth, paused }: ControllerInstanceView["controllers"][number],
  isUnknown: boolean,
): Presentation {
  if (isUnknown) return STATE_PRESENTATION.unknown;
  if (paused !== undefined) {
    return {
      ...STATE_PRESENTATION.held,
      label: "Paused",
      help: "It takes up nothing until it is resumed or the pause ends.",
    };
  }
  if (queueDepth === 0) {
    return { ...STATE_PRESENTATION.ok, label: "Idle", help: "Nothing is waiting to be checked." };
  }
  return { ...STATE_PRESENTATION.working, help: "Keys are waiting to be checked." };
}
