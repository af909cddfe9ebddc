import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import { type Clock, pause } from "./clock.ts";
import { isGroupRunning, signalGroup } from "./process-group.ts";
import { ProcessLog, type ProcessLogOptions } from "./process-log.ts";

/** How long a process may take to end after SIGTERM. */
const TERM_MS = 10_000;
/** How often to check whether an ended process is gone. */
const LOOK_EVERY_MS = 50;
/** How long to keep reading its output after a process has ended. */
const LAST_WORDS_MS = 500;

export interface ChildOptions extends Omit<ProcessLogOptions, "name"> {
  readonly executable: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** One start of a provider process, from its beginning until it is known to be gone. */
export interface Child {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Resolves when it has ended or could not be started, with a description: `exited with code 3: no credentials`. */
  readonly ended: Promise<string>;
  readonly hasEnded: boolean;
  /** Ends the process and its children: SIGTERM, ten seconds, SIGKILL. Resolves when all of them are gone. */
  stop(): Promise<void>;
}

/**
 * Starts the executable. Its standard input is never written to and closes when this process ends, however that happens. It leads
 * its own process group, so that it only learns about our end from us, and its children can be ended with it.
 */
export function startChild({ executable, environment, clock, onLine }: ChildOptions): Child {
  const log = new ProcessLog({ name: basename(executable), clock, onLine });
  const child = spawn(executable, [], { env: environment, stdio: "pipe", detached: true });
  log.follow(child.stderr);
  log.follow(child.stdout);
  // It may end without reading its input.
  child.stdin.on("error", () => undefined);
  const endWithUs = () => {
    if (child.pid !== undefined) signalGroup(child.pid, "SIGTERM");
  };
  process.once("exit", endWithUs);
  let hasEnded = false;
  const ended = endOf(child, clock).then((how) => {
    hasEnded = true;
    process.off("exit", endWithUs);
    log.end();
    const { lastWords } = log;
    return lastWords === "" ? how : `${how}: ${lastWords}`;
  });
  return {
    pid: child.pid,
    ended,
    get hasEnded() {
      return hasEnded;
    },
    stop: async () => {
      child.stdin.destroy();
      await endGroup(child, clock);
      await ended;
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

/** Resolves when the process has ended and its output has been read; children that it left behind may hold its streams open for longer. */
function endOf(child: ChildProcess, clock: Clock): Promise<string> {
  return new Promise((resolve) => {
    let how = "";
    child.once("error", (error) => {
      if (child.pid === undefined) resolve(`could not be started: ${error.message}`);
    });
    child.once("exit", (code, signal) => {
      how = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
      clock.after(LAST_WORDS_MS, () => resolve(how));
    });
    child.once("close", () => resolve(how));
  });
}

/** A stopped process handles SIGTERM only once it is continued, but SIGKILL always works. */
async function endGroup({ pid }: ChildProcess, clock: Clock): Promise<void> {
  if (pid === undefined || !isGroupRunning(pid)) return;
  signalGroup(pid, "SIGTERM");
  const cancel = clock.after(TERM_MS, () => signalGroup(pid, "SIGKILL"));
  while (isGroupRunning(pid)) await pause(clock, LOOK_EVERY_MS);
  cancel();
}
