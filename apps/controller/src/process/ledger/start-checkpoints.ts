import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { CheckpointKeeper } from "@cloudwright/core/reconcile/checkpoints/checkpoint-ports";
import {
  type CheckpointOptions,
  type Checkpoints,
  keepCheckpoints,
} from "@cloudwright/core/reconcile/checkpoints/keep-checkpoints";
import { recordKeeper } from "@cloudwright/core/reconcile/checkpoints/record-keeper";
import type { Controls } from "@cloudwright/core/reconcile/controls/open-controls";
import type { ProcessContext } from "../../wiring/process-context.ts";
import type { LedgerAudit } from "./ledger.ts";

/**
 * Writes the heads of the audit chains to the control record, and to the anchor if there is one, while this process leads. A dry
 * run writes nothing.
 */
export function startCheckpoints(
  processContext: ProcessContext,
  audit: LedgerAudit | undefined,
  controls: Controls,
): Checkpoints | undefined {
  const { flags } = processContext;
  if (audit === undefined || flags["dry-run"]) return undefined;
  const { chains, anchor } = audit;
  const record = recordKeeper(controls, flags["leader-elect-resource-namespace"]);
  const within = controls.settings.of("audit-checkpoint-period");
  const kept = [keepIn(processContext, record, { chains, within })];
  // Pages show the copy in the cluster, so this one is not noted.
  const unnoted = { ...chains, note: () => Promise.resolve() };
  if (anchor !== undefined) kept.push(keepIn(processContext, anchor, { chains: unnoted, within }));
  return {
    stop: async (mostMs) => {
      await Promise.all(kept.map((one) => one.stop(mostMs)));
    },
  };
}

function keepIn(
  { clock, log }: ProcessContext,
  keeper: CheckpointKeeper,
  means: Pick<CheckpointOptions, "chains" | "within">,
): Checkpoints {
  return keepCheckpoints({
    keeper,
    ...means,
    clock,
    onBroken: (sentence) => log.error({ problem: sentence }, "The audit log was tampered with"),
    onError: (error) =>
      // Usually the database is unavailable, which is not a bug that needs a stack.
      log.warn(
        { error: messageOf(error), place: keeper.place },
        "The audit log's checkpoint could not be written; trying again",
      ),
  });
}
