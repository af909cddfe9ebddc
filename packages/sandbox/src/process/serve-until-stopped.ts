/**
 * Keeps a long-running command alive until it is stopped. Announces that it serves: by one message `{type: "ready", ...ready}` if it was
 * started with an IPC channel, else by `ready` as one line of JSON on stdout. Resolves after SIGTERM, SIGINT or the parent's death
 * (`disconnect`), when `close` has finished; a failing `close` rejects. Call it once per process. Never logs the contents of `ready`, which
 * may include a token.
 */
export async function serveUntilStopped(
  ready: object,
  close: () => Promise<void>,
  stopped: Promise<void> = untilStopped(),
): Promise<void> {
  // Waiting for a signal does not keep a process alive, and the served program may be another process.
  const alive = setInterval(() => undefined, ONE_DAY_MS);
  announce(ready);
  await stopped.finally(() => clearInterval(alive));
  await close();
  if (process.connected) {
    process.disconnect();
  }
}

const ONE_DAY_MS = 86_400_000;

/**
 * Resolves when this process is asked to end, and prevents it from ending. For a command that starts something that would outlive it: it
 * calls this first, and passes the result to `serveUntilStopped`.
 */
export function untilStopped(): Promise<void> {
  return new Promise<void>((resolve) => {
    // Never removed: one Ctrl-C often arrives twice, and the second must not interrupt what `close` has begun.
    process.on("SIGTERM", resolve);
    process.on("SIGINT", resolve);
    if (process.send === undefined) {
      return;
    }
    process.once("disconnect", resolve);
    if (!process.connected) {
      resolve();
    }
  });
}

function announce(ready: object): void {
  if (process.send === undefined) {
    process.stdout.write(`${JSON.stringify(ready)}\n`);
  } else if (process.connected) {
    process.send({ type: "ready", ...ready });
  }
}
