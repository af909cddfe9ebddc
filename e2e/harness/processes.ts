import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "./wait.ts";

export const PROJECT_ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
/** This checkout's command. */
export const COMMAND = join(PROJECT_ROOT, "apps/controller/bin/cloudwright.mjs");

/** Where `cloudwright` caches compiled code. */
export const COMPILED = join(PROJECT_ROOT, "apps/controller/dist/compiled");

/** The settings of glibc's allocator that `cloudwright` uses when it is called by its name. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "65536" } as const;

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Returns everything printed so far, on both streams. */
  readonly output: () => string;
  /** Resolves when it has ended, with the exit code or the signal's name. */
  readonly ended: Promise<number | string>;
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A file to which its output is also written. */
  readonly log?: string;
  /** A program, with its first arguments, that executes ours in its own process, like `nice`. */
  readonly through?: readonly string[];
  /** Whether it has an IPC channel for messages. */
  readonly ipc?: boolean;
}

const running = new Set<Started>();
/** The processes of `run`, whose callers wait for them. */
const commands = new Set<ChildProcess>();
process.once("exit", () => {
  for (const started of running) started.child.kill("SIGKILL");
});

/** Asks all running processes to end, and waits until they have. */
export async function stopAll(): Promise<void> {
  const ended = [...commands].map((child) => {
    child.kill("SIGTERM");
    return new Promise((done) => child.once("close", done));
  });
  await Promise.all([...ended, ...[...running].map((started) => started.stop())]);
}

/** Starts `cloudwright` with these arguments. */
export function cloudwright(args: readonly string[], options: StartOptions = {}): Started {
  const env = { ...ALLOCATOR, ...options.env };
  return start(process.execPath, [COMMAND, ...args], { ...options, env });
}

/** Starts `cloudwright` and waits for the one line of JSON that says where it serves. */
export async function cloudwrightServing<Ready>(
  args: readonly string[],
  options: StartOptions = {},
): Promise<Started & { readonly ready: Ready }> {
  const started = cloudwright(args, options);
  const ready = await firstJsonLine<Ready>(started);
  return { ...started, ready };
}

export function start(
  command: string,
  args: readonly string[],
  options: StartOptions = {},
): Started {
  const [program = command, ...given] = [...(options.through ?? []), command, ...args];
  const child = spawn(program, given, {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...options.env },
    stdio: options.ipc === true ? ["ignore", "pipe", "pipe", "ipc"] : ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const sink = options.log === undefined ? undefined : logFile(options.log);
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString("utf8")).slice(-2_000_000);
    sink?.write(chunk);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const ended = new Promise<number | string>((done) => {
    child.once("error", (error) => done(`could not start: ${messageOf(error)}`));
    child.once("close", (code, signal) => done(code ?? signal ?? "unknown"));
  });
  const started: Started = {
    child,
    pid: child.pid ?? -1,
    output: () => output,
    ended,
    stop: (signal = "SIGTERM") => stopWithin(child, ended, signal),
  };
  running.add(started);
  void ended.then(() => {
    running.delete(started);
    sink?.end();
  });
  return started;
}

/** Returns the child of this process whose command line contains that word; Linux only. */
export function childOf(pid: number, word: string): number {
  const found = readdirSync("/proc").find(
    (entry) => /^\d+$/.test(entry) && isChild(entry, pid, word),
  );
  if (found === undefined) throw new Error(`process ${pid} has no child with ${word}`);
  return Number(found);
}

function isChild(entry: string, parent: number, word: string): boolean {
  try {
    const [, rest = ""] = readFileSync(`/proc/${entry}/stat`, "utf8").split(/\) \S /);
    const words = readFileSync(`/proc/${entry}/cmdline`, "utf8").split("\0");
    return Number(rest.split(" ")[0]) === parent && words.includes(word);
  } catch {
    // It has ended since it was listed.
    return false;
  }
}

/** Runs a command to its end and returns its stdout; throws with its output if it fails. */
export async function run(
  command: string,
  args: readonly string[],
  options: StartOptions = {},
): Promise<string> {
  const child = spawn(command, [...args], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  commands.add(child);
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString("utf8");
  });
  const code = await new Promise<number | null>((done, failed) => {
    child.once("error", failed);
    child.once("close", done);
  }).finally(() => commands.delete(child));
  if (code !== 0) {
    const said = [err, out].filter((text) => text !== "").join("\n");
    throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${said}`);
  }
  return out;
}

export function runCloudwright(
  args: readonly string[],
  options: StartOptions = {},
): Promise<string> {
  return run(process.execPath, [COMMAND, ...args], options);
}

function logFile(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  return createWriteStream(path, { flags: "a" });
}

async function stopWithin(
  child: ChildProcess,
  ended: Promise<number | string>,
  signal: NodeJS.Signals,
): Promise<number | string> {
  child.kill(signal);
  const killer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  try {
    return await ended;
  } finally {
    clearTimeout(killer);
  }
}

function firstJsonLine<Ready>(started: Started): Promise<Ready> {
  return new Promise((resolveReady, reject) => {
    let text = "";
    const onData = (chunk: Buffer) => {
      text += chunk.toString("utf8");
      const line = text
        .split("\n")
        .find((candidate) => candidate.startsWith("{") && candidate.endsWith("}"));
      if (line === undefined) return;
      started.child.stdout?.off("data", onData);
      resolveReady(JSON.parse(line) as Ready);
    };
    started.child.stdout?.on("data", onData);
    void started.ended.then((code) =>
      reject(new Error(`it ended with ${code}: ${started.output()}`)),
    );
  });
}
