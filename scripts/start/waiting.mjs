import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { PlainError } from "../lib/project.mjs";
import { runtime } from "../lib/runtime.mjs";

const run = promisify(execFile);

const LOG_EVERY_MS = 30_000;

/** Prints every half minute what it is waiting for. */
export async function waitingFor(
  what,
  work,
  { everyMs = LOG_EVERY_MS, report = console.log } = {},
) {
  const timer = setInterval(() => report(`Still waiting for ${what} …`), everyMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Returns the output of a command that ends by itself. Throws PlainError with its output if it fails, and if it has not ended
 * within the limit, which is far more than any such command takes: then something that it asks does not respond. Ends the command
 * when the signal aborts.
 */
export async function runTool(title, { args, env, limitMs, signal }) {
  try {
    const { stdout } = await run(runtime(), args, { env, timeout: limitMs, signal });
    return stdout;
  } catch (error) {
    if (signal?.aborted) throw new PlainError(`${title} was broken off, as everything ends.`);
    if (error.killed) {
      const seconds = Math.round(limitMs / 1_000);
      throw new PlainError(
        `${title} did not end within ${seconds} s and was given up; start again.`,
      );
    }
    throw new PlainError((error.stderr || error.message).trim());
  }
}
