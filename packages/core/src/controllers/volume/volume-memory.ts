import type { VolumeFacts, VolumeLookup } from "@cloudwright/provider-api";
import type { PersistentVolumeClaim } from "../../kube/client.ts";

/**
 * What we know of a volume beyond what the API server and the cloud store. It is lost with the process, and then learnt
 * again.
 */
export interface VolumeMemory {
  /** The last answer of the cloud, with its time. */
  readonly lookup?: VolumeLookup | undefined;
  readonly answeredAt?: number;
  readonly facts?: VolumeFacts | undefined;
  /** The response to our last write of its claim, while the cache may lag behind. */
  readonly writtenClaim?: PersistentVolumeClaim | undefined;
  /** When we last changed the volume or its disk. */
  readonly changedAt?: number | undefined;
  /**
   * The versions that the last run left (`versionsOf`): a change with the same versions is the echo of our own
   * writes.
   */
  readonly leftAt?: string;
  /** The same, if that run ended with nothing left to do. */
  readonly settledAt?: string | undefined;
  /** Why growing failed when that was last reported on the claim; the same cause is reported only once. */
  readonly reportedFailure?: string | undefined;
}

export const NO_MEMORY: VolumeMemory = {};
