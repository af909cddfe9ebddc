import type { Command } from "commander";
import { CLEANUP_HELP } from "../../apps/controller/src/commands/cleanup.ts";
import { DOCTOR_HELP } from "../../apps/controller/src/commands/doctor.ts";
import { planHelp } from "../../apps/controller/src/commands/plan/plan-options.ts";
import { program } from "../../apps/controller/src/commands/program.ts";
import { controllerHelp } from "../../apps/controller/src/flags/help.ts";

/** Commands that take the controller's flags beside their own; commander only knows their names. */
const FLAGGED: Readonly<Record<string, () => string>> = {
  controller: controllerHelp,
  plan: planHelp,
  doctor: () => DOCTOR_HELP,
  cleanup: () => CLEANUP_HELP,
};

export interface DocumentedCommand {
  /** Without the program's name: `database grant`. */
  readonly name: string;
  readonly help: string;
  /** Whether it also takes the controller's flags. */
  readonly isFlagged: boolean;
}

/** Returns every command of `cloudwright`, with the text of its --help. */
export async function documentedCommands(): Promise<readonly DocumentedCommand[]> {
  const { commands } = await program();
  return commands.flatMap((command) => commandsIn(command, []));
}

function commandsIn(command: Command, above: readonly string[]): readonly DocumentedCommand[] {
  const words = [...above, command.name()];
  const name = words.join(" ");
  const flagged = FLAGGED[name];
  if (flagged !== undefined) return [{ name, help: flagged(), isFlagged: true }];
  command.configureOutput({ getOutHelpWidth: () => WIDTH, getOutHasColors: () => false });
  const own = { name, help: command.helpInformation(), isFlagged: false };
  return [own, ...command.commands.flatMap((each) => commandsIn(each, words))];
}

const WIDTH = 110;

/** Returns docs/commands.md: the --help of each command. */
export async function commandsPage(): Promise<string> {
  const sections = (await documentedCommands())
    .filter(({ name }) => name !== "controller")
    .map(({ name, help }) => `## ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`);
  return `# Commands

What \`cloudwright COMMAND --help\` prints. \`cloudwright controller\` has [its own page](flags.md).

${sections.join("\n")}
Written from the commands by \`npx tsx scripts/docs/write-pages.ts\`.
`;
}

/** Returns docs/flags.md: the text of `cloudwright controller --help`. */
export function flagsPage(): string {
  return `# Flags

What \`cloudwright controller --help\` prints. Flags of upstream keep their names and meanings; where a default differs,
[differences.md](differences.md) says why. \`_\` in a flag's name is read as \`-\`.

\`\`\`text
${controllerHelp().trimEnd()}
\`\`\`
`;
}
