import type { Clock } from "../../model/time.ts";

/** When work must end: at the caller's signal, or when the time is up. */
export interface Deadline {
  /** Why it must end; undefined while it need not. */
  readonly ended: { readonly reason: unknown } | undefined;
  /** True if the time ran out, rather than the caller giving up. */
  readonly expired: boolean;
  /** The deadline as a signal. It is created on demand: it costs more than the rest of a deadline, and each call has one. */
  readonly signal: AbortSignal;
  /** Calls back when the work must end, which must not be the case yet; one listener at a time. */
  onEnd(listener: (reason: unknown) => void): void;
  /** Must be called when the work has ended, or the caller's signal keeps the deadline alive. */
  clear(): void;
}

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export function createDeadline(options: DeadlineOptions): Deadline {
  return new RunningDeadline(options);
}

class RunningDeadline implements Deadline {
  ended: { readonly reason: unknown } | undefined;
  expired = false;
  readonly #caller: AbortSignal | undefined;
  readonly #cancel: () => void;
  #controller: AbortController | undefined;
  #listener: ((reason: unknown) => void) | undefined;
  readonly #giveUp = (): void => this.#end(this.#caller?.reason);

  constructor({ clock, timeoutMs, signal }: DeadlineOptions) {
    this.#caller = signal;
    if (signal?.aborted) this.#giveUp();
    signal?.addEventListener("abort", this.#giveUp, { once: true });
    this.#cancel = clock.after(timeoutMs, () => {
      this.expired = true;
      this.#end(new Error("the time is over"));
    });
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.ended !== undefined) this.#controller.abort(this.ended.reason);
    return this.#controller.signal;
  }

  onEnd(listener: (reason: unknown) => void): void {
    this.#listener = listener;
  }

  clear(): void {
    this.#cancel();
    this.#listener = undefined;
    this.#caller?.removeEventListener("abort", this.#giveUp);
  }

  #end(reason: unknown): void {
    if (this.ended !== undefined) return;
    this.ended = { reason };
    this.#controller?.abort(reason);
    this.#listener?.(reason);
  }
}
