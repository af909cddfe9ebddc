import { checkFlags } from "../../flags/check-flags.ts";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { parseFlags } from "../../flags/parse-flags.ts";
import { createLog } from "../../logging/log.ts";
import { PlainError } from "../../plain-error.ts";
import { versionText } from "../../version.ts";
import type { ControllerStart } from "../../wiring/process-context.ts";
import { keepingAlive } from "./keep-alive.ts";
import { print } from "./print.ts";

export interface FlaggedCommand {
  help(): string;
  /** Overrides of the controller's flags that the command needs. */
  readonly overrides?: Partial<FlagValues>;
  /** Returns the exit code. */
  run(start: ControllerStart): Promise<number>;
}

/** Runs a command that takes the controller's flags beside its own, with a quiet log. Throws PlainError for invalid flags. */
export async function runWithControllerFlags(
  args: readonly string[],
  { help, overrides, run }: FlaggedCommand,
): Promise<number> {
  const parsed = parseFlags(args);
  switch (parsed.kind) {
    case "help":
      await print(help());
      return 0;
    case "version":
      await print(versionText(parsed.raw));
      return 0;
    case "refused":
      throw new PlainError(parsed.problems.join("\n"));
    case "run": {
      const flags = { ...parsed.values, ...overrides };
      const problems = checkFlags(flags);
      if (problems.length > 0) throw new PlainError(problems.join("\n"));
      const { "logging-format": format, v: verbosity } = flags;
      const log = createLog({ format, verbosity, quiet: true });
      return await keepingAlive(() => run({ flags, given: parsed.given, log }));
    }
  }
}
