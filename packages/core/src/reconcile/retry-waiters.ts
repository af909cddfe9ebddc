import type { RetryReport, RetryRequest } from "./loop-port.ts";

export interface RetryWaiter {
  readonly request: RetryRequest;
  readonly report: (report: RetryReport) => void;
}

/** The persons' retries that wait for a run of their key. A run answers those that were there when it began. */
export class RetryWaiters {
  readonly #byKey = new Map<string, RetryWaiter[]>();
  #stopped: boolean = false;

  /** Resolves with what came of it; at once when the loop has stopped. */
  wait(key: string, request: RetryRequest): Promise<RetryReport> {
    if (this.#stopped) return Promise.resolve({ kind: "stopped" });
    return new Promise((report) => {
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), { request, report }]);
    });
  }

  /** Those that a run of this key, which begins now, has to answer. */
  take(key: string): readonly RetryWaiter[] {
    const waiters = this.#byKey.get(key) ?? [];
    this.#byKey.delete(key);
    return waiters;
  }

  stop(): void {
    this.#stopped = true;
    for (const key of [...this.#byKey.keys()]) {
      for (const { report } of this.take(key)) report({ kind: "stopped" });
    }
  }
}

/** Tells those off that were shown another plan; answers those that go on. */
export function keepMatching(
  waiters: readonly RetryWaiter[],
  planHash: string,
): readonly RetryWaiter[] {
  const matches = ({ request }: RetryWaiter) =>
    request.planHash === undefined || request.planHash === planHash;
  for (const waiter of waiters) {
    if (!matches(waiter)) waiter.report({ kind: "planChanged", planHash });
  }
  return waiters.filter(matches);
}
