import { shutdown } from "./server/shutdown.ts";

const PATIENCE_MS = 3_000;

/**
 * Open event streams keep Next's server alive after a signal, so they are ended and the process exits soon after. The death of its
 * supervisor ends it as well, because nothing else would.
 */
export function endInOrder(): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, end);
  if (process.connected) process.once("disconnect", end);
}

function end(): void {
  shutdown().abort();
  setTimeout(() => process.exit(0), PATIENCE_MS).unref();
}
