import type { InstanceFacts, Lookup } from "@cloudwright/provider-api";
import type { TimelineStep } from "../../model/node-record.ts";

/** What we know of a node beside what the API server keeps; lost with the process, and then learnt anew. */
export interface NodeMemory {
  /** The last answer of the cloud, and when it came. */
  lookup?: Lookup;
  lookedAt?: number;
  /** The same in monotonic milliseconds, and by which run. */
  answeredAt?: number;
  lookedBy?: string;
  facts?: InstanceFacts;
  /** The last run that tried to write; a dry run tries nothing, and so nothing has failed in it. */
  attemptedBy?: string;
  /** The resource version that the last run has left the node with, if nothing more was to be done. */
  settledAt?: string | undefined;
  timeline?: readonly TimelineStep[];
  initialisedAt?: number;
}

/** By UID, so that a node registered anew under an old name starts empty. */
export class NodeMemories {
  readonly #byUid = new Map<string, NodeMemory>();

  of(uid: string): NodeMemory {
    const known = this.#byUid.get(uid);
    if (known !== undefined) return known;
    const fresh: NodeMemory = {};
    this.#byUid.set(uid, fresh);
    return fresh;
  }

  forget(uid: string): void {
    this.#byUid.delete(uid);
  }
}
