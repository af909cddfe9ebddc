import { isProviderError } from "@cloudwright/provider-api";
import type { CloudBudget } from "../../cloud/calls/budget.ts";
import type { Recorder } from "../ports.ts";
import type { BudgetMeter } from "./budget-meter.ts";

/** Wraps a budget so that it reports its limits and the calls that it lets through to the meter. */
export function meteredBudget(
  budget: CloudBudget,
  meter: Pick<BudgetMeter, "turn" | "putOff" | "allows">,
): CloudBudget {
  return {
    acquire: async (priority, signal) => {
      try {
        const waitMs = await budget.acquire(priority, signal);
        meter.turn(priority, waitMs);
        return waitMs;
      } catch (error) {
        if (isProviderError(error)) meter.putOff(priority);
        throw error;
      }
    },
    throttled: (error, sentAt) => {
      budget.throttled(error, sentAt);
      meter.allows(budget.snapshot().allowedPerSecond);
    },
    answered: () => budget.answered(),
    failed: (error) => budget.failed(error),
    waitMs: () => budget.waitMs(),
    snapshot: () => budget.snapshot(),
  };
}

/** Wraps a recorder so that it also reports runs to the meter. */
export function meteredRecorder(
  recorder: Recorder,
  meter: Pick<BudgetMeter, "runEnded">,
): Recorder {
  return {
    append: (record) => {
      if (record.type === "run.end") meter.runEnded(record);
      recorder.append(record);
    },
  };
}
