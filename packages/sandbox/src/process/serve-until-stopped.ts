/**
 * Keeps a long-running command alive until it is asked to end. Reports to whoever started it that it serves: by one message
 * `{type: "ready", ...ready}` when it was started with an IPC channel, else by `ready` as one line of JSON on stdout.
 * Resolves after SIGTERM, SIGINT or the parent's death (`disconnect`), when `close` is through; a failing `close` rejects.
 * Call it once a process. Never logs what is in `ready`, which may hold a token.
 */
export async function serveUntilStopped(
  ready: object,
  close: () => Promise<void>,
  stopped: Promise<void> = untilStopped(),
): Promise<void> {
  // Waiting for a signal does not keep a process alive, and what it serves may be another process.
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
 * Resolves when this process is asked to end, and keeps it from ending by that. For a command that starts what would outlive
 * it: it calls this before it starts that, and hands the answer to `serveUntilStopped`.
 */
export function untilStopped(): Promise<void> {
  return new Promise<void>((resolve) => {
    // Kept: one Ctrl-C often comes twice, and the second must not end what `close` has begun.
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
