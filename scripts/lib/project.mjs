import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this checkout. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** A path inside the checkout. */
export function inProject(...parts) {
  return join(ROOT, ...parts);
}

/** Returns the release of this checkout. */
export function version() {
  return JSON.parse(readFileSync(inProject("package.json"), "utf8")).version;
}

/** Formats bytes as `12.3 MB`. */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Returns the environment of every tool that we start: no internet access, no telemetry. */
export function toolEnvironment(extra = {}) {
  return {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: "1",
    CHECKPOINT_DISABLE: "1",
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    // Prisma requires that an engine exists at this path, but generating a client never runs it.
    PRISMA_SCHEMA_ENGINE_BINARY: "/bin/false",
    ...extra,
  };
}

/** An error in one sentence for users: the caller prints it without a stack and exits with 1. */
export class PlainError extends Error {
  name = "PlainError";
}

/** Runs the main function of a script: prints a PlainError as one sentence, and any other error, which is a bug, with its stack. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof PlainError ? error.message : error);
    process.exitCode = 1;
  }
}
