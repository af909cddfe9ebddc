import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { chartRoles, roleManifests } from "../permissions/manifests.ts";
import { print, writeOut } from "./terminal/print.ts";

interface Where {
  readonly directory?: string;
  readonly chart?: string;
}

/** `cloudwright permissions`: prints the roles that the controller needs, as they are in `deploy/rbac`. */
export function addPermissionsCommand(root: Command): void {
  root
    .command("permissions")
    .description("print the roles that the controller needs, as YAML")
    .option("--directory <folder>", "write one file per part to this directory instead")
    .option(
      "--chart <file>",
      "write them to this file instead, in the form that the Helm chart reads",
    )
    .action(async ({ directory, chart }: Where) => {
      if (chart !== undefined) {
        writeOut("--chart", () => writeFileSync(chart, chartRoles()));
        return;
      }
      if (directory === undefined) {
        await print([...roleManifests().values()].join("---\n"));
        return;
      }
      writeOut("--directory", () => {
        for (const [name, text] of roleManifests()) {
          const file = join(directory, name);
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, text);
        }
      });
    });
}
