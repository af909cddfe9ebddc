import { parseAuditCheckpoint } from "../../model/audit/audit-checkpoint.ts";
import { CONTROL_RECORD_NAME } from "../controls/control-store.ts";
import type { Controls } from "../controls/open-controls.ts";
import type { CheckpointKeeper } from "./checkpoint-ports.ts";

/** The checkpoint's key in the control record. */
export const CHECKPOINT_KEY = "audit-checkpoint";

/** Keeps checkpoints in the control record. A value there that is not a checkpoint is ignored. */
export function recordKeeper(
  controls: Pick<Controls, "text">,
  namespace: string,
): CheckpointKeeper {
  const checkpoint = controls.text(CHECKPOINT_KEY);
  return {
    read: () => {
      const text = checkpoint.read();
      return Promise.resolve(text === undefined ? undefined : parseAuditCheckpoint(text));
    },
    write: (kept) => checkpoint.write(JSON.stringify(kept)),
    place: checkpointPlace(namespace),
  };
}

export function checkpointPlace(namespace: string): string {
  return `ConfigMap ${namespace}/${CONTROL_RECORD_NAME}`;
}
