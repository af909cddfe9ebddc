import { execFile } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

const COMMAND = fileURLToPath(new URL("../bin/cloudwright.mjs", import.meta.url));

let folder: string;
let command: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-by name-"));
  command = join(folder, "bin", "cloudwright.mjs");
  for (const each of ["bin", "dist", "path"]) mkdirSync(join(folder, each));
  copyFileSync(COMMAND, command);
  program("path/node", 'echo "on the path: $*"');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("runs on the Node that set-up has chosen, with its own name and arguments unchanged", async () => {
  program("dist/node", 'for each in "$@"; do echo "$each"; done');
  const link = join(folder, "cloud-controller-manager");
  symlinkSync(command, link);
  expect(await called(link, "--flag=a b", "")).toBe(`${link}\n--flag=a b\n\n`);
});

it.each([
  ["keeps what threads hold beside their heaps small", "MALLOC_ARENA_MAX", "1"],
  [
    "gives what connections were read into back when it is garbage",
    "MALLOC_MMAP_THRESHOLD_",
    "65536",
  ],
])("%s, unless somebody says otherwise", async (_, variable, ours) => {
  program("dist/node", `echo "$${variable}"`);
  vi.stubEnv(variable, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await called(command)).toBe(`${ours}\n`);
  vi.stubEnv(variable, "3");
  expect(await called(command)).toBe("3\n");
});

it("runs on the Node of the PATH if set-up has chosen none", async () => {
  expect(await called(command, "plan")).toBe(`on the path: ${command} plan\n`);
});

it("runs on the Node of the PATH if the chosen one is gone", async () => {
  symlinkSync(join(folder, "gone"), join(folder, "dist", "node"));
  expect(await called(command, "plan")).toBe(`on the path: ${command} plan\n`);
});

it("runs on the Node that starts it, whatever set-up has chosen", async () => {
  program("dist/node", "exit 3");
  writeFileSync(join(folder, "dist", "cloudwright.mjs"), "console.log(process.execPath);");
  expect(await called(process.execPath, command)).toBe(`${process.execPath}\n`);
});

// Node 20 has no compile cache.
const KEEPS_COMPILED = "enableCompileCache" in module;

describe("the compile cache", () => {
  beforeEach(() => {
    vi.stubEnv("NODE_COMPILE_CACHE", undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    writeFileSync(join(folder, "dist", "cloudwright.mjs"), "console.log('it runs');");
  });
  const kept = () => readdirSync(join(folder, "dist")).includes("compiled");

  it.runIf(KEEPS_COMPILED)("is kept beside the program for the next start", async () => {
    expect(await called(process.execPath, command)).toBe("it runs\n");
    expect(kept()).toBe(true);
    expect(await called(process.execPath, command)).toBe("it runs\n");
  });

  it.runIf(KEEPS_COMPILED)("is kept where somebody says", async () => {
    vi.stubEnv("NODE_COMPILE_CACHE", join(folder, "elsewhere"));
    expect(await called(process.execPath, command)).toBe("it runs\n");
    expect([kept(), existsSync(join(folder, "elsewhere"))]).toEqual([false, true]);
  });

  it("is left out if its folder is not writable, and the program runs without it", async () => {
    writeFileSync(join(folder, "dist", "compiled"), "no folder");
    expect(await called(process.execPath, command)).toBe("it runs\n");
  });
});

async function called(...[name = "", ...args]: readonly string[]): Promise<string> {
  const path = `${join(folder, "path")}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path };
  const { stdout } = await promisify(execFile)(name, args, { env });
  return stdout;
}

function program(name: string, line: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}
