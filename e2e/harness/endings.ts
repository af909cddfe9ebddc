import { constants } from "node:os";
import { stopAll } from "./processes.ts";

/** What goes on without the suite that has started it, such as a lab. */
const endings = new Set<() => Promise<void>>();
let isEnding = false;

/**
 * The ending of what is about to be started: the suite calls the answer when it is done with it, and a signal calls it when that
 * ends the suite before, also while the start is on its way.
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
  // A terminal's signal comes from there and from npm as well: the first one counts.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      if (!isEnding) void endBy(signal);
    });
}

async function endBy(signal: "SIGINT" | "SIGTERM"): Promise<void> {
  isEnding = true;
  // What the suite is at fails now, and must not end the process before the rest is ended.
  for (const event of ["unhandledRejection", "uncaughtException"]) process.on(event, () => {});
  console.log(`# ${signal}: what the suite has started is ended`);
  await stopAll();
  const ended = await Promise.allSettled([...endings].reverse().map((end) => end()));
  for (const each of ended) if (each.status === "rejected") console.log(`# ${each.reason}`);
  process.exit(128 + constants.signals[signal]);
}
