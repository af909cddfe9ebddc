import { objectName } from "@cloudwright/core/model/object-ref";
import type { Outcome } from "@cloudwright/core/model/run";
import { eventMessage } from "@cloudwright/core/model/sentence";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import type { Log } from "../logging/log.ts";

/**
 * What the log keeps of a run: each that changed something, and failures thinned out as they repeat (the 1st, 10th,
 * 100th …). The rest shows from `-v=2` on.
 */
export function logOutcome(log: Log, outcome: RunOutcome): void {
  const level = levelOf(outcome);
  if (!log.isLevelEnabled(level)) return;
  const { controller, object, runId, reason, durationMs, failures } = outcome;
  const fields = {
    controller,
    object: `${object.kind}/${objectName(object)}`,
    runId,
    outcome: outcome.outcome,
    trigger: outcome.trigger.kind,
    why: eventMessage(reason),
    durationMs: Math.round(durationMs),
    ...(failures === 0 ? {} : { failures }),
    ...(outcome.dryRun ? { dryRun: true } : {}),
  };
  log[level](fields, "Run ended");
}

const BAD: ReadonlySet<Outcome> = new Set(["failed", "timedOut", "interrupted", "blocked"]);

function levelOf({ outcome, reason, failures }: RunOutcome): "info" | "warn" | "debug" {
  // The loss of the Lease has a line of its own; what it held back is no failure of the cloud or the cluster.
  if (outcome === "changed" || reason.code === "LeaseLost") return "info";
  if (!BAD.has(outcome)) return "debug";
  return failures <= 1 || Number.isInteger(Math.log10(failures)) ? "warn" : "debug";
}
