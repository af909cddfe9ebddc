import { CALL_PRIORITIES, type CallPriority } from "../../model/call-priority.ts";

/** Calls that wait for their turn, the most urgent first and in order of arrival within one priority. */
export class CallQueue {
  readonly #lanes: readonly Set<PendingRequest>[] = CALL_PRIORITIES.map(
    () => new Set<PendingRequest>(),
  );

  get size(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.size, 0);
  }

  /** Returns how many would go before one that joins now. */
  ahead(priority: CallPriority): number {
    const until = CALL_PRIORITIES.indexOf(priority) + 1;
    return this.#lanes.slice(0, until).reduce((sum, lane) => sum + lane.size, 0);
  }

  /** Resolves when the call may be sent; rejects with the signal's reason when that aborts first. */
  join(priority: CallPriority, signal: AbortSignal): Promise<void> {
    const lane = this.#lanes[CALL_PRIORITIES.indexOf(priority)];
    return new Promise((resolve, reject) => {
      const leave = () => {
        lane?.delete(request);
        reject(signal.reason);
      };
      const request: PendingRequest = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      lane?.add(request);
    });
  }

  /** Returns false if nobody waits. */
  letNextGo(): boolean {
    for (const lane of this.#lanes) {
      const [first] = lane;
      if (first === undefined) continue;
      lane.delete(first);
      first();
      return true;
    }
    return false;
  }
}

type PendingRequest = () => void;
