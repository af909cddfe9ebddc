import { serveUntilStopped, untilStopped } from "../process/serve-until-stopped.ts";
import { type DatabaseOptions, startDatabase } from "./start-database.ts";

const POLL_EVERY_MS = 1_000;

/**
 * Runs `cloudwright sandbox database`: serves until it is stopped, then stops PostgreSQL; announces `{url, port}`. Rejects with one
 * sentence when PostgreSQL ends on its own, so that the caller learns of it.
 */
export async function runDatabaseCommand(options: DatabaseOptions): Promise<void> {
  // PostgreSQL outlives us, so a termination signal during its start must not end us before we can stop it.
  const stopped = untilStopped();
  const { url, port, pid, stop } = await startDatabase(options);
  const watch = watchProcess(pid);
  const close = async () => {
    watch.end();
    await stop();
  };
  await Promise.race([serveUntilStopped({ url, port }, close, stopped), watch.gone]);
}

function watchProcess(pid: number): { readonly gone: Promise<never>; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const gone = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(timer);
      reject(new Error(`PostgreSQL (process ${pid}) exited unexpectedly: start it again.`));
    }, POLL_EVERY_MS);
  });
  return { gone, end: () => clearInterval(timer) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
