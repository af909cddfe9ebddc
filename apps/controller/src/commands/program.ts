import { Command, CommanderError } from "commander";
import { versionText } from "../version.ts";

/** Every command but `controller`, and what commander answers itself; answers the exit code. */
export async function runOtherCommand(args: readonly string[]): Promise<number> {
  try {
    const root = args[0] === "sandbox" ? await sandboxProgram() : await program();
    await root.parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
}

/** All commands with their options; those that take the controller's flags have only their names here. */
export async function program(): Promise<Command> {
  const root = newRoot();
  const { addOtherCommands } = await import("./other-commands.ts");
  addOtherCommands(root);
  return await withSandbox(root);
}

/** Its parts are started by the hundred, and need nothing of the ledger that the other commands bring along. */
async function sandboxProgram(): Promise<Command> {
  return await withSandbox(newRoot());
}

async function withSandbox(root: Command): Promise<Command> {
  const { addSandboxCommands } = await import("./sandbox.ts");
  addSandboxCommands(root);
  return root;
}

function newRoot(): Command {
  const root = new Command("cloudwright")
    .description("A Kubernetes cloud controller manager that records every decision it makes.")
    .version(versionText(false).trim())
    // Otherwise the options after `audit verify` would be taken for those of `audit`.
    .enablePositionalOptions()
    .exitOverride();
  root
    .command("controller")
    .description("run the control loops; see cloudwright controller --help for its flags");
  root
    .command("plan")
    .description("print what the control loops would do right now, without writing anything");
  root
    .command("doctor")
    .description(
      "examine the cluster, the cloud and the ledger for anything that would keep a controller from working",
    );
  root
    .command("cleanup")
    .description("remove what a dead cluster has left in the cloud, after showing the list");
  return root;
}
