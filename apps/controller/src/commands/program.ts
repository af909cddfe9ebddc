import { Command, CommanderError } from "commander";
import { versionText } from "../version.ts";

/** Runs any command but `controller`, and what commander answers itself; returns the exit code. */
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

/** Returns all commands with their options; commands that take the controller's flags appear by name only. */
export async function program(): Promise<Command> {
  const root = newRoot();
  const { addOtherCommands } = await import("./other-commands.ts");
  addOtherCommands(root);
  return await withSandbox(root);
}

/** Sandbox parts are started by the hundred, and need none of the ledger code that the other commands load. */
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
    // Otherwise options after `audit verify` would be parsed as those of `audit`.
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
