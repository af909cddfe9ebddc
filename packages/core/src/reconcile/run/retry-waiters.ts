import { type Plan, planHash } from "../../model/plan.ts";
import type { Trigger } from "../../model/run.ts";
import { refusalOf } from "../intents/refusal.ts";
import type { RetryReport, RetryRequest } from "../loop-port.ts";

export interface RetryWaiter {
  readonly request: RetryRequest;
  readonly report: (report: RetryReport) => void;
}

/** The persons' wishes that wait for a run of their key. A run answers those that it took when it began. */
export class RetryWaiters {
  readonly #byKey = new Map<string, readonly RetryWaiter[]>();
  #stopped: boolean = false;

  /** Resolves with what came of it; at once when the loop has stopped. */
  wait(key: string, request: RetryRequest): Promise<RetryReport> {
    if (this.#stopped) return Promise.resolve({ kind: "stopped" });
    return new Promise((report) => {
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), { request, report }]);
    });
  }

  /**
   * Those that a run of this key, which begins now, has to answer: all mere retries that come first, or the one wish of
   * another kind. What is left needs a run of its own.
   */
  take(key: string): readonly RetryWaiter[] {
    const waiters = this.#byKey.get(key) ?? [];
    const other = waiters.findIndex((waiter) => !isMereRetry(waiter));
    const count = other === -1 ? waiters.length : Math.max(1, other);
    const left = waiters.slice(count);
    if (left.length === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, left);
    return waiters.slice(0, count);
  }

  /** The trigger of the run that the key's next wish needs, if one waits. */
  nextTrigger(key: string): Trigger | undefined {
    return triggerOf(this.#byKey.get(key) ?? []);
  }

  /** Answers all that wait, whatever their key. */
  tellOff(answer: RetryReport): void {
    const waiting = [...this.#byKey.values()].flat();
    this.#byKey.clear();
    for (const { report } of waiting) report(answer);
  }

  stop(): void {
    this.#stopped = true;
    this.tellOff({ kind: "stopped" });
  }
}

/** The trigger of a run for these wishes; that of the first names it. */
export function triggerOf(waiters: readonly RetryWaiter[]): Trigger | undefined {
  const [first] = waiters;
  if (first === undefined) return undefined;
  const { intentId, actor } = first.request;
  return { kind: "intent", intentId, actor };
}

/** Tells those off whose wish the plan refuses or who were shown another plan; answers those that go on. */
export async function keepWilling(
  waiters: readonly RetryWaiter[],
  plan: Plan,
): Promise<readonly RetryWaiter[]> {
  const willing = waiters.filter((waiter) => !refused(waiter, plan));
  if (willing.every(({ request }) => request.planHash === undefined)) return willing;
  const look = { plan, planHash: await planHash(plan) };
  return willing.filter(({ request, report }) => {
    if (request.planHash === undefined || request.planHash === look.planHash) return true;
    report({ kind: "planChanged", look });
    return false;
  });
}

function refused({ request, report }: RetryWaiter, plan: Plan): boolean {
  const reason = refusalOf(plan, request.asked.wish);
  if (reason === undefined) return false;
  report({ kind: "refused", reason });
  return true;
}

function isMereRetry({ request }: RetryWaiter): boolean {
  return request.asked.wish.kind === "retry";
}

/** A run whose intents were told off goes on without them. */
export function inNobodysName(trigger: Trigger): Trigger {
  return trigger.kind === "intent" ? { kind: "retry" } : trigger;
}
