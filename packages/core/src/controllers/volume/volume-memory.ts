import type { VolumeFacts, VolumeLookup } from "@cloudwright/provider-api";
import type { PersistentVolumeClaim } from "../../kube/client.ts";

/** What we know of a volume beside what the API server and the cloud keep; lost with the process, and then learnt anew. */
export interface VolumeMemory {
  /** The last answer of the cloud, when it came, and which run asked. */
  lookup?: VolumeLookup;
  lookedAt?: number;
  lookedBy?: string;
  facts?: VolumeFacts;
  /** The answer to our last write of its claim, while the cache may lag behind. */
  writtenClaim?: PersistentVolumeClaim;
  /** When we last changed something of it or of its disk. */
  changedAt?: number;
  /** The versions that the last run left (`versionsOf`): what comes with them is the echo of our own writes. */
  leftAt?: string;
  /** The same, when that run ended with nothing more to do. */
  settledAt?: string | undefined;
  /** Why growing failed when that was last reported on the claim; the same is reported once. */
  toldFailure?: string | undefined;
}

/** By UID, so that a volume made anew under an old name starts empty. */
export class VolumeMemories {
  readonly #byUid = new Map<string, VolumeMemory>();

  of(uid: string): VolumeMemory {
    const known = this.#byUid.get(uid);
    if (known !== undefined) return known;
    const fresh: VolumeMemory = {};
    this.#byUid.set(uid, fresh);
    return fresh;
  }

  forget(uid: string): void {
    this.#byUid.delete(uid);
  }
}
