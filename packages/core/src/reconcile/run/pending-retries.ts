import { isOwnWork } from "../../model/actions/action.ts";
import { type Plan, planHash } from "../../model/plan.ts";
import type { Trigger } from "../../model/run.ts";
import { refusalOf } from "../intents/refusal.ts";
import type { RetryReport, RetryRequest } from "../loop-port.ts";

export interface RetryPending {
  readonly request: RetryRequest;
  readonly report: (report: RetryReport) => void;
}

/** The users' actions that wait for a run of their key. A run reports to the actions that it took at its start. */
export class PendingRetries {
  readonly #byKey = new Map<string, readonly RetryPending[]>();
  #stopped: boolean = false;

  /** Resolves with the outcome, or at once when the loop has stopped. */
  wait(key: string, request: RetryRequest): Promise<RetryReport> {
    if (this.#stopped) return Promise.resolve({ kind: "stopped" });
    return new Promise((report) => {
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), { request, report }]);
    });
  }

  /**
   * Takes the requests that a run of this key, starting now, has to report to: all plain retries at the front, or one
   * action of another kind. The rest need a run of their own.
   */
  take(key: string): readonly RetryPending[] {
    const pending = this.#byKey.get(key) ?? [];
    const other = pending.findIndex((request) => !isMereRetry(request));
    const count = other === -1 ? pending.length : Math.max(1, other);
    const left = pending.slice(count);
    if (left.length === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, left);
    return pending.slice(0, count);
  }

  /** Returns the trigger of the run that the key's next request needs, if one is pending. */
  nextTrigger(key: string): Trigger | undefined {
    return triggerOf(this.#byKey.get(key) ?? []);
  }

  /** Gives all pending requests the same answer, whatever their key. */
  reject(answer: RetryReport): void {
    const waiting = [...this.#byKey.values()].flat();
    this.#byKey.clear();
    for (const { report } of waiting) report(answer);
  }

  stop(): void {
    this.#stopped = true;
    this.reject({ kind: "stopped" });
  }
}

/** Returns the trigger of a run for these actions, named after the first. */
export function triggerOf(pending: readonly RetryPending[]): Trigger | undefined {
  const [first] = pending;
  if (first === undefined) return undefined;
  const { intentId, actor } = first.request;
  return { kind: "intent", intentId, actor };
}

/** Rejects the requests whose action the plan refuses or whose user was shown another plan. Returns the others. */
export async function keepWilling(
  pending: readonly RetryPending[],
  plan: Plan,
): Promise<readonly RetryPending[]> {
  const willing = pending.filter((request) => !refused(request, plan));
  if (willing.every(({ request }) => request.planHash === undefined)) return willing;
  const preview = { plan, planHash: await planHash(plan) };
  return willing.filter(({ request, report }) => {
    if (request.planHash === undefined || request.planHash === preview.planHash) return true;
    report({ kind: "planChanged", preview });
    return false;
  });
}

function refused({ request, report }: RetryPending, plan: Plan): boolean {
  const reason = refusalOf(plan, request.requested.action);
  if (reason === undefined) return false;
  report({ kind: "refused", reason });
  return true;
}

function isMereRetry({ request }: RetryPending): boolean {
  return isOwnWork(request.requested.action);
}

/** A run whose intents were rejected goes on without them. */
export function asNoUser(trigger: Trigger): Trigger {
  return trigger.kind === "intent" ? { kind: "retry" } : trigger;
}
