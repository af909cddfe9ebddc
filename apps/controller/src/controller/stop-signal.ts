/**
 * Aborts at the first SIGTERM or SIGINT, or when the parent that gave us an IPC channel dies. The reason names which.
 * A second signal ends the process at once.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const onSignal = (signal: string) => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort(signal);
  };
  process.on("SIGTERM", () => onSignal("SIGTERM"));
  process.on("SIGINT", () => onSignal("SIGINT"));
  if (process.send !== undefined) {
    process.once("disconnect", () => stop.abort("the parent process ended"));
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
