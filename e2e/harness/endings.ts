import { constants } from "node:os";
import { stopAll } from "./processes.ts";

/** Functions that end what would outlive the suite that started it, such as a lab. */
const endings = new Set<() => Promise<void>>();
let isEnding = false;

/**
 * Registers how to end something before it is started. The suite calls the returned function when it is done; a signal that ends
 * the suite calls it earlier, even during the start.
 */
export function endedWithSuite(end: () => Promise<unknown>): () => Promise<void> {
  if (isEnding) throw new Error("the suite is ending");
  listen();
  let ended: Promise<void> | undefined;
  const once = () => {
    ended ??= end().then(() => {
      endings.delete(once);
    });
    return ended;
  };
  endings.add(once);
  return once;
}

let isListening = false;

function listen(): void {
  if (isListening) return;
  isListening = true;
  // A signal from a terminal also arrives through npm, so only the first one counts.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      if (!isEnding) void endBy(signal);
    });
}

async function endBy(signal: "SIGINT" | "SIGTERM"): Promise<void> {
  isEnding = true;
  // The suite's current work fails now, which must not end the process before everything has been ended.
  for (const event of ["unhandledRejection", "uncaughtException"]) process.on(event, () => {});
  console.log(`# ${signal}: what the suite has started is ended`);
  await stopAll();
  const ended = await Promise.allSettled([...endings].reverse().map((end) => end()));
  for (const each of ended) if (each.status === "rejected") console.log(`# ${each.reason}`);
  process.exit(128 + constants.signals[signal]);
}
