import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { COMMAND, PROJECT_ROOT, type Started, start } from "./processes.ts";

/** Returns the fenced blocks of a language below a heading of a docs page; `sh` is for commands to type. */
export function blocksOf(page: string, heading: string, language = "sh"): readonly string[] {
  const text = readFileSync(join(PROJECT_ROOT, "docs", page), "utf8");
  const [, section] = text.split(new RegExp(`^#+ ${escaped(heading)}$`, "m"));
  if (section === undefined) throw new Error(`docs/${page} has no heading "${heading}"`);
  const [own = ""] = section.split(/^#+ /m);
  const blocks = own.matchAll(new RegExp(`^( *)\`\`\`${language}\n(.*?)^ *\`\`\`$`, "gms"));
  return [...blocks].map(([, indent = "", lines = ""]) =>
    lines.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A shell in which `cloudwright` is this checkout's, with the variables that a page mentions. It keeps a transcript. */
export class Shell {
  /** Its working directory. */
  readonly dir: string;
  readonly #env: Readonly<Record<string, string>>;

  /** `programs`: folders with other commands that are called. */
  constructor(
    dir: string,
    { env, programs }: { env: Readonly<Record<string, string>>; programs: readonly string[] },
  ) {
    this.dir = dir;
    const bin = join(dir, "bin");
    mkdirSync(bin, { recursive: true });
    const command = join(bin, "cloudwright");
    writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${COMMAND} "$@"\n`);
    chmodSync(command, 0o755);
    this.#env = { ...env, PATH: [bin, ...programs, process.env.PATH].join(delimiter) };
  }

  /** Returns its output on both streams. Throws with the output if the exit code is not allowed. */
  async run(commands: string, allowed: readonly number[] = [0]): Promise<string> {
    const started = this.#begin(commands);
    const code = await started.ended;
    this.#note(`${started.output()}(ended with ${code})`);
    if (!allowed.some((each) => each === code))
      throw new Error(`${commands} ended with ${code}: ${started.output()}`);
    return started.output();
  }

  /** Starts a command that runs until it is stopped. */
  start(command: string): Started {
    return this.#begin(`exec ${command}`);
  }

  #begin(script: string): Started {
    this.#note(`$ ${script.trim()}`);
    const bash = ["-euo", "pipefail", "-c", `cd '${this.dir}'\n${script}`];
    return start("bash", bash, { env: this.#env });
  }

  #note(text: string): void {
    appendFileSync(join(this.dir, "transcript.txt"), `${new Date().toISOString()} ${text}\n`);
  }
}
