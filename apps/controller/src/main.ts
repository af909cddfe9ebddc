import { invocationOf } from "./invocation.ts";
import { endWithOutput } from "./lost-output.ts";
import { errorText, exitCodeOf, PlainError } from "./plain-error.ts";

endWithOutput(process);
process.exitCode = await main();
// Exits although a command may have left something open, such as a keep-alive connection.
process.exit();

async function main(): Promise<number> {
  try {
    const { argv0, argv } = process;
    const [, program = "", ...args] = argv;
    const invocation = invocationOf({ argv0, program, args });
    if (invocation.kind === "refused") throw new PlainError(invocation.problem);
    return await runCommand(invocation.args);
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n`);
    return exitCodeOf(error);
  }
}

/** Loads only what the command needs: the controller loads neither the other commands nor their database client. */
async function runCommand(args: readonly string[]): Promise<number> {
  // Upstream's flags have semantics of their own (spec/00 §5), so they never pass through commander.
  if (args[0] === "controller") {
    const { runControllerCommand } = await import("./commands/controller.ts");
    return await runControllerCommand(args.slice(1));
  }
  if (args[0] === "plan") {
    const { runPlanCommand } = await import("./commands/plan.ts");
    return await runPlanCommand(args.slice(1));
  }
  if (args[0] === "doctor") {
    const { runDoctorCommand } = await import("./commands/doctor.ts");
    return await runDoctorCommand(args.slice(1));
  }
  if (args[0] === "cleanup") {
    const { runCleanupCommand } = await import("./commands/cleanup.ts");
    return await runCleanupCommand(args.slice(1));
  }
  const { runOtherCommand } = await import("./commands/program.ts");
  return await runOtherCommand(args);
}
