import type { VolumeFacts, VolumeLookup } from "@cloudwright/provider-api";
import type { PersistentVolumeClaim } from "../../kube/client.ts";

/** What we know of a volume beside what the API server and the cloud keep; lost with the process, and then learnt anew. */
export interface VolumeMemory {
  /** The last answer of the cloud, and when it came. */
  readonly lookup?: VolumeLookup | undefined;
  readonly answeredAt?: number;
  readonly facts?: VolumeFacts | undefined;
  /** The answer to our last write of its claim, while the cache may lag behind. */
  readonly writtenClaim?: PersistentVolumeClaim | undefined;
  /** When we last changed something of it or of its disk. */
  readonly changedAt?: number | undefined;
  /** The versions that the last run left (`versionsOf`): what comes with them is the echo of our own writes. */
  readonly leftAt?: string;
  /** The same, when that run ended with nothing more to do. */
  readonly settledAt?: string | undefined;
  /** Why growing failed when that was last reported on the claim; the same is reported once. */
  readonly reportedFailure?: string | undefined;
}

export const NO_MEMORY: VolumeMemory = {};
