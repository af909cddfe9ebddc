import { systemClock } from "@cloudwright/core/kube/system-clock";
import type { Clock } from "@cloudwright/core/model/time";

/**
 * One Ctrl-C or `timeout` often arrives twice: through the process group, and from a parent that forwards it. A signal repeated
 * this soon is not a second request.
 */
const ECHO_MS = 1_000;

/** The part of `process` that receives signals. */
export interface Program {
  on(signal: "SIGTERM" | "SIGINT", handler: () => void): unknown;
  once(event: "disconnect", handler: () => void): unknown;
  /** Present only with an IPC channel. */
  readonly send?: unknown;
  exit(code: number): void;
}

/**
 * Returns a signal that aborts at the first SIGTERM or SIGINT, or when the parent that gave us an IPC channel dies; the reason
 * names which. A second signal ends the process immediately, unless it is an echo of the first.
 */
export function stopSignal(
  program: Program = process,
  clock: Pick<Clock, "monotonic"> = systemClock,
): AbortSignal {
  const stop = new AbortController();
  let askedAt = Number.POSITIVE_INFINITY;
  const ask = (why: string) => {
    askedAt = clock.monotonic();
    stop.abort(why);
  };
  const onSignal = (signal: string) => {
    if (!stop.signal.aborted) ask(signal);
    else if (clock.monotonic() - askedAt >= ECHO_MS) program.exit(1);
  };
  program.on("SIGTERM", () => onSignal("SIGTERM"));
  program.on("SIGINT", () => onSignal("SIGINT"));
  if (program.send !== undefined) {
    program.once("disconnect", () => ask("the parent process ended"));
  }
  return stop.signal;
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
