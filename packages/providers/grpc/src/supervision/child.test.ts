import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Child, startChild } from "./child.ts";
import type { LogLine } from "./log-line.ts";
import { isGroupRunning } from "./process-group.ts";

let folder: string;
let children: Child[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-child-"));
  children = [];
});

afterEach(async () => {
  await Promise.all(children.map((child) => child.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** Real processes, with time running a hundred times as fast. */
const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now() * 100,
  after: (delayMs: number, callback: () => void) => {
    const timer = setTimeout(callback, delayMs / 100);
    return () => clearTimeout(timer);
  },
};

function start(script: string) {
  const executable = join(folder, "cloudwright-provider-script");
  writeFileSync(executable, `#!/bin/sh\n${script}\n`);
  chmodSync(executable, 0o755);
  const lines: LogLine[] = [];
  const environment = { ...process.env, FOLDER: folder };
  const options = { executable, environment, clock, onLine: (line: LogLine) => lines.push(line) };
  const child = startChild(options);
  children.push(child);
  return { child, lines, group: child.pid ?? 0 };
}

/** Resolves when the process reports, through a file, that it is ready. */
async function ready(name = "ready"): Promise<string> {
  const file = join(folder, name);
  while (!existsSync(file) || readFileSync(file, "utf8") === "") {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return readFileSync(file, "utf8").trim();
}

it("reports a process's exit code and its last line", async () => {
  const { child, lines } = start(
    'echo starting; echo \'{"level":"error","msg":"no region"}\' >&2; exit 3',
  );
  expect(await child.ended).toBe("exited with code 3: no region");
  expect(child.hasEnded).toBe(true);
  expect(lines.map(({ level, message }) => [level, message])).toEqual([
    ["info", "starting"],
    ["error", "no region"],
  ]);
});

it("reports the signal that ended a process without output", async () => {
  const { child } = start("kill -9 $$");
  expect(await child.ended).toBe("was killed by SIGKILL");
});

it("reports why a process cannot be started", async () => {
  const options = { environment: {}, clock, onLine: () => undefined };
  const child = startChild({ ...options, executable: join(folder, "none") });
  expect(await child.ended).toMatch(/^could not be started: .*ENOENT/);
  await child.stop();
});

it("ends a process by closing its standard input", async () => {
  const { child } = start(
    "echo yes > $FOLDER/ready; cat > /dev/null; trap '' TERM; echo end of input > $FOLDER/input",
  );
  await ready();
  await child.stop();
  expect(child.hasEnded).toBe(true);
});

it("ends a process that ignores SIGTERM, and its children, with SIGKILL", async () => {
  const { child, group } = start(
    "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo $! > $FOLDER/ready; while :; do sleep 1; done",
  );
  const grandchild = Number(await ready());
  await child.stop();
  expect(isGroupRunning(group)).toBe(false);
  expect(isRunning(grandchild)).toBe(false);
  expect(await child.ended).toBe("was killed by SIGKILL");
});

it("ends a stopped process", async () => {
  const { child, group } = start("echo yes > $FOLDER/ready; while :; do sleep 1; done");
  await ready();
  process.kill(group, "SIGSTOP");
  await child.stop();
  expect(isGroupRunning(group)).toBe(false);
});

it("ends what a process has left behind", async () => {
  const { child, group } = start("sleep 1000 & echo $! > $FOLDER/ready");
  const orphan = Number(await ready());
  expect(await child.ended).toBe("exited with code 0");
  expect(isRunning(orphan)).toBe(true);
  await child.stop();
  expect(isRunning(orphan)).toBe(false);
  expect(isGroupRunning(group)).toBe(false);
});

/** A zombie, which has ended but has not been reaped, is not running. */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}
