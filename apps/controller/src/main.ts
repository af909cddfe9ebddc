import { errorText, exitCodeOf } from "./plain-error.ts";

process.exitCode = await main(process.argv.slice(2));
// What a command left open, such as a keep-alive connection, must not hold the process.
process.exit();

/** Loads only what the command needs: the controller holds neither the other commands nor their database client. */
async function main(args: readonly string[]): Promise<number> {
  try {
    // Upstream's flags have semantics of their own (spec/00 §5), so they never pass through commander.
    if (args[0] === "controller") {
      const { runControllerCommand } = await import("./controller-command.ts");
      return await runControllerCommand(args.slice(1));
    }
    if (args[0] === "plan") {
      const { runPlanCommand } = await import("./plan-command.ts");
      return await runPlanCommand(args.slice(1));
    }
    const { runOtherCommand } = await import("./other-commands.ts");
    return await runOtherCommand(args);
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n`);
    return exitCodeOf(error);
  }
}
