/** Thrown by a check that does not hold yet; its message says what was seen instead. */
class NotYet extends Error {}

export interface Watchable {
  /** Resolves at the next change, or after `atMostMs`. */
  changed(atMostMs: number): Promise<void>;
}

const TIMER: Watchable = {
  changed: (atMostMs) => new Promise((resolve) => setTimeout(resolve, Math.min(atMostMs, 100))),
};

/**
 * Repeats the check at each change until it no longer throws, and returns its value. Once `withinMs` have passed, throws its last
 * error.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { withinMs = 30_000, on = TIMER }: { withinMs?: number; on?: Watchable } = {},
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`not within ${withinMs / 1_000} s: ${messageOf(error)}`);
      await on.changed(left);
    }
  }
}

/** Repeats the check at each change for this long; fails as soon as it throws. */
export async function always(
  check: () => void | Promise<void>,
  { forMs, on = TIMER }: { forMs: number; on?: Watchable },
): Promise<void> {
  const deadline = Date.now() + forMs;
  for (;;) {
    await check();
    const left = deadline - Date.now();
    if (left <= 0) return;
    await on.changed(left);
  }
}

export function demand(condition: boolean, complaint: string): asserts condition {
  if (!condition) throw new NotYet(complaint);
}

export function same(actual: unknown, wanted: unknown, what: string): void {
  const left = JSON.stringify(actual);
  const right = JSON.stringify(wanted);
  if (left !== right) throw new NotYet(`${what} is ${left}, wanted ${right}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
