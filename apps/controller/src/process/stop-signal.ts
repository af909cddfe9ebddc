import { systemClock } from "@cloudwright/core/kube/system-clock";
import type { Clock } from "@cloudwright/core/model/time";

/**
 * One Ctrl-C, or one `timeout`, often arrives twice: by the process group, and from whoever started us and passes it on. What
 * comes again so soon is no second request.
 */
const ECHO_MS = 1_000;

/** The part of `process` that receives signals. */
export interface Program {
  on(signal: "SIGTERM" | "SIGINT", handler: () => void): unknown;
  once(event: "disconnect", handler: () => void): unknown;
  /** There with an IPC channel alone. */
  readonly send?: unknown;
  exit(code: number): void;
}

/**
 * Aborts at the first SIGTERM or SIGINT, or when the parent that gave us an IPC channel dies. The reason names which.
 * A second signal ends the process at once, unless it is the first one's echo.
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
