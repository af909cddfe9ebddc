import { controllerHelp } from "../flags/help.ts";
import { readFlags } from "../flags/read-flags.ts";
import { createLog } from "../logging/log.ts";
import { keepHeapSmall } from "../process/heap.ts";
import { runController } from "../process/run.ts";
import { versionText } from "../version.ts";

/** `cloudwright controller`: returns the exit code (spec/00 §16). Does nothing before the flags have been checked. */
export async function runControllerCommand(args: readonly string[]): Promise<number> {
  const parsed = readFlags(args);
  switch (parsed.kind) {
    case "help":
      process.stdout.write(controllerHelp());
      return 0;
    case "version":
      process.stdout.write(versionText(parsed.raw));
      return 0;
    case "refused":
      return refuse(parsed.problems);
    case "run": {
      const { "logging-format": format, v: verbosity } = parsed.values;
      keepHeapSmall();
      const log = createLog({ format, verbosity });
      return await runController({ flags: parsed.values, given: parsed.given, log });
    }
  }
}

function refuse(problems: readonly string[]): number {
  process.stderr.write(`${problems.join("\n")}\n`);
  return 1;
}
