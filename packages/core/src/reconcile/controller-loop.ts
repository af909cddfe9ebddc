import type { Change } from "../model/plan.ts";
import type { ControllerLoop, ControllerLoopOptions } from "./loop-port.ts";

export declare function startControllerLoop<Observed, Typed extends Change>(
  options: ControllerLoopOptions<Observed, Typed>,
): ControllerLoop;
