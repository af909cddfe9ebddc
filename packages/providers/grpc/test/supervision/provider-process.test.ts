import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isProviderError } from "@cloudwright/provider-api";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { connectTo } from "../../src/connection/connect.ts";
import type { Connection } from "../../src/connection.ts";
import { Provider } from "../../src/generated/cloudwright/provider/v1/provider_pb.js";
import type { LogLine } from "../../src/supervision/log-line.ts";
import {
  type ProviderProcessOptions,
  startProviderProcess,
} from "../../src/supervision/provider-process.ts";
import type { ProviderSource, SourceStatus } from "../../src/supervision/provider-source.ts";

const PROGRAM = fileURLToPath(new URL("provider.mjs", import.meta.url));
const NAME = "cloudwright-provider-fixture";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-process-"));
  vi.stubEnv("TMPDIR", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A clock that runs faster by this factor, so that pauses and limits are short; the process itself runs at normal speed. */
function clockAt(speed: number) {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now() * speed,
    after: (delayMs: number, callback: () => void) => {
      const timer = setTimeout(callback, delayMs / speed);
      return () => clearTimeout(timer);
    },
  };
}

interface Started {
  readonly source: ProviderSource;
  readonly lines: readonly LogLine[];
  readonly statuses: readonly SourceStatus[];
  readonly connections: readonly Connection[];
}

/** Starts this folder's provider with such habits; `later` are those of its further starts. */
function start(habits: string, { speed = 1, later = habits } = {}): Started {
  const executable = join(folder, NAME);
  const counter = join(folder, "starts");
  writeFileSync(
    executable,
    `#!/bin/sh\n[ -e ${counter} ] && FIXTURE="$FIXTURE_LATER"\necho $$ >> ${counter}\nexec "${process.execPath}" "${PROGRAM}"\n`,
  );
  chmodSync(executable, 0o755);
  const lines: LogLine[] = [];
  const statuses: SourceStatus[] = [];
  const connections: Connection[] = [];
  const options: ProviderProcessOptions = {
    ...{ executable, connect: connectTo, userAgent: "test/1", verbosity: 3, random: () => 0 },
    environment: { ...process.env, FIXTURE: habits, FIXTURE_LATER: later, FIXTURE_FOLDER: folder },
    clock: clockAt(speed),
    onLine: (line) => lines.push(line),
    onStatus: (status) => statuses.push(status),
  };
  const source = startProviderProcess(options);
  source.onConnected((connection) => connections.push(connection));
  onTestFinished(() => source.close());
  return { source, lines, statuses, connections };
}

async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Returns the first matching status. */
function status({ statuses }: Started, sentence: RegExp): Promise<SourceStatus> {
  return until(() => statuses.find((each) => sentence.test(each.sentence)));
}

function pids(): readonly number[] {
  const file = join(folder, "starts");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
}

function notes(): string {
  const file = join(folder, "notes");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function describe(connection: Connection) {
  const { signal } = new AbortController();
  const request = { refs: [{ nodeName: "w-1" }] };
  return connection.call(Provider.method.describeInstances, request, { signal, timeoutMs: 10_000 });
}

it("starts a provider, logs its output, and ends it by Shutdown", async () => {
  const started = start("");
  const { source, lines } = started;
  expect(source.current()).toMatchObject({
    code: "Unavailable",
    message: `${NAME} is being started.`,
  });
  await status(started, /runs as process/);
  const [pid] = pids();
  expect(source.status()).toMatchObject({
    ...{ isUp: true, restarts: 0 },
    sentence: `${NAME} 1.2.3 runs as process ${pid}.`,
  });
  const connection = source.current();
  if (isProviderError(connection)) throw connection;
  expect((await describe(connection)).lookups[0]?.result.case).toBe("found");
  expect(lines.map(({ message }) => message)).toEqual([
    "Listening with verbosity 3",
    "Handshake with test/1",
  ]);
  const [socketFolder = ""] = readdirSync(folder).filter((each) => /-provider-\w{6}$/.test(each));
  expect(statSync(join(folder, socketFolder)).mode & 0o777).toBe(0o700);
  await source.close();
  expect(notes()).toContain(`${pid} shutdown`);
  expect(isRunning(pid)).toBe(false);
  expect(existsSync(join(folder, socketFolder))).toBe(false);
  expect(source.current()).toMatchObject({ code: "Unavailable", message: /was stopped/ });
}, 30_000);

it("reports the last words of a provider that crashes at each start, and restarts it more and more slowly", async () => {
  const started = start("crash-at-start", { speed: 20 });
  const first = await status(started, /exited with code 1/);
  expect(first.sentence).toBe(
    `${NAME} exited with code 1: Error: no credentials; it will be restarted in 1 s.`,
  );
  await status(started, /restarted in 2 s/);
  await status(started, /restarted in 4 s/);
  expect(started.source.status().isUp).toBe(false);
  expect(started.connections).toEqual([]);
}, 60_000);

it("restarts a provider that ended during a call, never two at once", async () => {
  const started = start("crash-on-call", { speed: 5, later: "" });
  const first = await until(() => started.connections[0]);
  await expect(describe(first)).rejects.toMatchObject({ code: "Unavailable" });
  await status(started, /exited with code 7/);
  const second = await until(() => started.connections[1]);
  expect(second.info.instance).not.toBe(first.info.instance);
  expect(started.source.status()).toMatchObject({ isUp: true, restarts: 1 });
  const [old, fresh] = pids();
  expect([isRunning(old), isRunning(fresh)]).toEqual([false, true]);
  expect((await describe(second)).lookups[0]?.result.case).toBe("found");
}, 60_000);

it("gives up a provider that hangs at its start", async () => {
  const started = start("hang", { speed: 100, later: "" });
  await status(started, /did not open its socket within 30 s/);
}, 60_000);

it("reports another contract version, and does not try that executable again", async () => {
  const started = start("other-version", { speed: 5, later: "" });
  const refused = await status(started, /speaks contract 2/);
  expect(refused).toMatchObject({ isUp: false, sentence: /it will be restarted in 1 s\.$/ });
  await until(() => started.connections[0]);
}, 60_000);

it("detects by health checks that a provider was stopped, ends it and starts another", async () => {
  const started = start("", { speed: 20 });
  const first = await until(() => started.connections[0]);
  const [stopped = 0] = pids();
  process.kill(stopped, "SIGSTOP");
  await status(started, /did not answer 2 health checks in a row/);
  expect(started.source.current()).toMatchObject({ code: "Unavailable" });
  const second = await until(() => started.connections[1]);
  expect(second.info.instance).not.toBe(first.info.instance);
  expect(isRunning(stopped)).toBe(false);
}, 90_000);

it("makes no calls to a provider that reports that it is not serving", async () => {
  const started = start("not-serving");
  await status(started, /is running but reports that it is not serving/);
  expect(started.source.current()).toMatchObject({ code: "Unavailable" });
}, 30_000);

it("ends a provider that ignores SIGTERM, its standard input and Shutdown", async () => {
  const started = start("ignore-term", { speed: 20 });
  await until(() => started.connections[0]);
  const [pid] = pids();
  await started.source.close();
  expect(isRunning(pid)).toBe(false);
  expect(started.lines.map(({ message }) => message)).toContain("SIGTERM ignored");
}, 30_000);

it("logs a process's standard output, and no more of it than is useful", async () => {
  const started = start("chatter", { speed: 20 });
  await until(() => started.connections[0]);
  const left = await until(() => started.lines.find(({ message }) => /more lines/.test(message)));
  expect(left.message).toMatch(/^cloudwright-provider-fixture wrote \d+ more lines within 10 s/);
}, 30_000);
