import { Command } from "commander";
import { expect, it } from "vitest";
import { addHistoryCommand } from "./history.ts";
import { addSandboxCommands } from "./sandbox.ts";
import { addSignInLinkCommand } from "./sign-in-link.ts";
import { addWebhookCommand } from "./webhook.ts";

function commands(): readonly Command[] {
  const root = new Command("cloudwright");
  addHistoryCommand(root);
  addSandboxCommands(root);
  addSignInLinkCommand(root);
  addWebhookCommand(root);
  return root.commands.flatMap((command) => [command, ...command.commands]);
}

it.each(commands().map((command) => [command.name(), command.helpInformation()] as const))(
  "the help of %s shows durations as durations",
  (_, help) => {
    const lines = help.replaceAll(/\n {20,}/g, " ").split("\n");
    for (const line of lines.filter((each) => each.includes("<duration>"))) {
      const reported = /\(default: (.*)\)/.exec(line)?.[1];
      expect(reported, line).toMatch(/^"?(\d+h)?(\d+m)?(\d+s)?"?$/);
      expect(reported, line).not.toMatch(/\d{3,}/);
    }
  },
);

it("a sign-in link lives for 15m", () => {
  const help = commands()
    .find((command) => command.name() === "sign-in-link")
    ?.helpInformation();
  expect(help).toContain("(default: 15m)");
});
