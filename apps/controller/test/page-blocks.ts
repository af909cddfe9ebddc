import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cloudwrightProgram } from "./program.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** What the blocks of a page need besides the commands: a running `npm start`, or only a database. */
export type Surroundings = "start" | "database";

export interface RunnablePage {
  readonly page: string;
  readonly surroundings: Surroundings;
  /** Its blocks one after the other, run in one shell. */
  readonly script: string;
  readonly blocks: number;
}

/** Returns the pages with fences marked as runnable: ```sh run, with exit=0,2 if other exit codes than 0 are right. */
export function runnablePages(surroundings: Surroundings): readonly RunnablePage[] {
  return readdirSync(join(ROOT, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => runnablePage(file, surroundings))
    .filter(({ blocks }) => blocks > 0);
}

const FENCE = /^```sh run(?:=(\w+))?(?: exit=([\d,]+))?\n([\s\S]*?)^```$/gm;

function runnablePage(file: string, surroundings: Surroundings): RunnablePage {
  const text = readFileSync(join(ROOT, "docs", file), "utf8");
  const blocks = [...text.matchAll(FENCE)].filter(([, named = "start"]) => named === surroundings);
  const script = blocks.map(([, , codes = "0", code = ""]) => step(code, codes)).join("\n");
  return { page: `docs/${file}`, surroundings, script, blocks: blocks.length };
}

/** Ends the script at the first command that fails; a block with other allowed exit codes ends at its last command. */
function step(code: string, codes: string): string {
  if (codes === "0") return code;
  const allowed = codes.split(",").map((each) => `[ $code -eq ${each} ]`);
  return `set +e\n(set -e\n${code})\ncode=$?\nset -e\n${allowed.join(" || ")}\n`;
}

export interface Shell {
  /** The working directory, which also contains `cloudwright`. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the output of the page's commands. Throws with the output if one fails. */
export async function runPage({ script }: RunnablePage, { folder, env }: Shell): Promise<string> {
  const { DATABASE_URL: _url, ...rest } = process.env;
  const { PATH: inherited } = { ...rest, ...env };
  const path = `${await commandFolder(folder)}:${inherited}`;
  const { stdout, stderr } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
    cwd: folder,
    env: { ...rest, ...env, PATH: path, HOME: folder },
    maxBuffer: 64 * 1_024 * 1_024,
  });
  return `${stdout}${stderr}`;
}

/** Installs `cloudwright` as a user would. */
async function commandFolder(folder: string): Promise<string> {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const call = `#!/bin/sh\nexec "${process.execPath}" "${await cloudwrightProgram()}" "$@"\n`;
  writeFileSync(join(bin, "cloudwright"), call, { mode: 0o755 });
  return bin;
}
