import type { CheckpointKeeper } from "@cloudwright/core/reconcile/checkpoints/checkpoint-ports";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { PlainError } from "../../plain-error.ts";
import { anchorKeeper, anchorPath } from "./anchor-file.ts";
import { signingKey } from "./anchor-key.ts";

/** The second place that checkpoints go to; undefined without `--audit-anchor`. Throws PlainError for flags that cannot be. */
export function openAnchor(flags: FlagValues, cluster: string): CheckpointKeeper | undefined {
  const address = flags["audit-anchor"];
  const keyFile = flags["audit-anchor-key"];
  if (address === "" && keyFile === "") return undefined;
  if (address === "" || keyFile === "") {
    throw new PlainError(
      "Give --audit-anchor and --audit-anchor-key together: one signs the other.",
    );
  }
  const path = anchorPath("--audit-anchor", address);
  return anchorKeeper({ path, cluster, key: signingKey(keyFile) });
}
