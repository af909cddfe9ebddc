import { Command, CommanderError } from "commander";
import { runControllerCommand } from "./controller-command.ts";
import { addHistoryCommand } from "./history-command.ts";
import { addMigrateCommand } from "./migrate-command.ts";
import { errorText, exitCodeOf } from "./plain-error.ts";
import { addSandboxCommands } from "./sandbox-commands.ts";
import { addSignInLinkCommand } from "./sign-in-link-command.ts";
import { versionText } from "./version.ts";

process.exitCode = await main(process.argv.slice(2));
// What a command left open, such as a keep-alive connection, must not hold the process.
process.exit();

async function main(args: readonly string[]): Promise<number> {
  try {
    // Upstream's flags have semantics of their own (spec/00 §5), so they never pass through commander.
    if (args[0] === "controller") return await runControllerCommand(args.slice(1));
    await program().parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${errorText(error)}\n`);
    return exitCodeOf(error);
  }
}

function program(): Command {
  const root = new Command("cloudwright")
    .description("A Kubernetes cloud controller manager that writes down everything it decides.")
    .version(versionText(false).trim())
    .exitOverride();
  root
    .command("controller")
    .description("run the control loops; see cloudwright controller --help for its flags");
  addMigrateCommand(root);
  addHistoryCommand(root);
  addSignInLinkCommand(root);
  addSandboxCommands(root);
  return root;
}
