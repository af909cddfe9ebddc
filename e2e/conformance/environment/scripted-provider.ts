import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Flags } from "../../harness/controller.ts";
import { PROJECT_ROOT } from "../../harness/processes.ts";

/** Returns the flags that load the plug-in by name from where it is installed. */
export function scripted({ dir }: { readonly dir: string }, name: string, script: object): Flags {
  const modules = join(dir, `${name}-installed`, "node_modules");
  mkdirSync(modules, { recursive: true });
  symlinkSync(
    join(PROJECT_ROOT, "e2e/plugins/scripted"),
    join(modules, "cloudwright-provider-scripted"),
  );
  const config = join(dir, `${name}-script.json`);
  writeFileSync(config, JSON.stringify(script));
  return {
    "--cloud-provider": "scripted",
    "--provider-path": join(dir, `${name}-installed`),
    "--cloud-config": config,
  };
}
