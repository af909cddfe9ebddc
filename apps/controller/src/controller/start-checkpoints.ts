import type { AuditChains } from "@cloudwright/core/reconcile/checkpoints/checkpoint-ports";
import {
  type Checkpoints,
  keepCheckpoints,
} from "@cloudwright/core/reconcile/checkpoints/keep-checkpoints";
import { recordKeeper } from "@cloudwright/core/reconcile/checkpoints/record-keeper";
import type { Controls } from "@cloudwright/core/reconcile/controls/open-controls";
import { messageOf } from "./connect-cluster.ts";
import type { Foundation } from "./foundation.ts";

/** Writes the audit chains' heads into the control record while this process leads. A dry run writes nothing. */
export function startCheckpoints(
  { flags, clock, log }: Foundation,
  chains: AuditChains | undefined,
  controls: Controls,
): Checkpoints | undefined {
  if (chains === undefined || flags["dry-run"]) return undefined;
  return keepCheckpoints({
    keeper: recordKeeper(controls, flags["leader-elect-resource-namespace"]),
    chains,
    clock,
    onBroken: (sentence) => log.error({ problem: sentence }, "The audit log was tampered with"),
    onError: (error) =>
      // Most often the database is away, which is no bug that needs a stack.
      log.warn(
        { error: messageOf(error) },
        "The audit log's checkpoint was not written; it is tried again",
      ),
  });
}
