import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isProviderError } from "@cloudwright/provider-api";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connectTo } from "../../src/connection/connect.ts";
import type { Connection } from "../../src/connection.ts";
import type { ProviderSource, SourceStatus } from "../../src/supervision/provider-source.ts";
import { followSidecar } from "../../src/supervision/sidecar.ts";

const PROGRAM = fileURLToPath(new URL("provider.mjs", import.meta.url));
const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs: number, callback: () => void) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

let root: string;
let folder: string;
let socket: string;
let sidecars: ChildProcess[];
let source: ProviderSource;
let statuses: SourceStatus[];
let connections: Connection[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cloudwright-sidecar-"));
  folder = join(root, "provider");
  socket = join(folder, "fixture.sock");
  mkdirSync(folder, { mode: 0o700 });
  [sidecars, statuses, connections] = [[], [], []];
  source = followSidecar({
    ...{ socket, owner: { user: undefined, group: undefined } },
    ...{ connect: connectTo, userAgent: "test/1", clock, random: () => 0 },
    onStatus: (status) => statuses.push(status),
  });
  source.onConnected((connection) => connections.push(connection));
});

afterEach(async () => {
  await source.close();
  for (const sidecar of sidecars) sidecar.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

/** Starts it as somebody else would: its input stays open. */
function startSidecar(): ChildProcess {
  const sidecar = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, CLOUDWRIGHT_PROVIDER_SOCKET: socket },
    stdio: ["pipe", "ignore", "inherit"],
  });
  sidecars.push(sidecar);
  return sidecar;
}

async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function status(sentence: RegExp): Promise<SourceStatus> {
  return until(() => statuses.find((each) => sentence.test(each.sentence)));
}

it("waits for a sidecar that is not there yet", async () => {
  const { sentence } = await status(/does not exist/);
  expect(sentence).toBe(
    `The provider at ${socket} is not available yet: ${socket} does not exist; it is tried again every few seconds.`,
  );
  expect(source.current()).toMatchObject({ code: "Unavailable", message: sentence });
  startSidecar();
  await until(() => connections[0]);
  expect(source.status()).toMatchObject({
    ...{ isUp: true, restarts: 0 },
    sentence: `The provider at ${socket} serves fixture 1.2.3.`,
  });
}, 60_000);

it("repeats the handshake with a restarted sidecar, however fast it restarted", async () => {
  const first = startSidecar();
  const before = await until(() => connections[0]);
  first.kill("SIGKILL");
  const ended = await until(() => {
    const current = source.current();
    return isProviderError(current) ? current : undefined;
  });
  expect(ended.code).toBe("Unavailable");
  rmSync(socket);
  startSidecar();
  const after = await until(() => connections[1]);
  expect(after.info.instance).not.toBe(before.info.instance);
  expect(source.status()).toMatchObject({ isUp: true, restarts: 1 });
}, 60_000);

it("does not connect in a folder that everybody may write to, and connects once that is fixed", async () => {
  chmodSync(folder, 0o777);
  startSidecar();
  await status(/is not trusted: everybody may write to the folder/);
  expect(connections).toEqual([]);
  chmodSync(folder, 0o700);
  await until(() => connections[0]);
}, 60_000);

it("ends neither the sidecar nor its socket when it ends itself", async () => {
  const sidecar = startSidecar();
  await until(() => connections[0]);
  await source.close();
  expect(sidecar.exitCode).toBeNull();
  expect(source.current()).toMatchObject({ code: "Unavailable" });
}, 60_000);
