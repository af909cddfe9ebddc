import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startApiServer, type TestApiServer } from "../testing/api-server.ts";
import { answerForLease, LeaseState } from "../testing/lease-state.ts";

const LEADER = fileURLToPath(new URL("../testing/hanging-leader.ts", import.meta.url));
/**
 * The deadline of a renewal, during which the Lease is renewed without a sign of the main thread, and the lease's
 * duration.
 */
const DEADLINE_MS = 4_000;
const LEASE_MS = 6_000;
const PATIENCE = { timeout: 40_000, interval: 20 };

let dir: string;
let state: LeaseState;
let server: TestApiServer;
let child: ChildProcess;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "cloudwright-hanging-"));
  state = new LeaseState();
  server = await startApiServer((request, response) => answerForLease(state, request, response));
  child = fork(LEADER, [server.access.server], { execArgv: ["--import", "tsx"] });
  expect(await nextMessage()).toEqual({ type: "leads" });
});

afterEach(async () => {
  child.kill("SIGKILL");
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

it("renews its Lease while its main thread hangs, and keeps leading when that resumes in time", async () => {
  const before = renewals();
  child.send(goAhead());
  await vi.waitFor(() => expect(renewals()).toBeGreaterThan(before + 5), PATIENCE);
  const goesOn = nextMessage();
  writeFileSync(goAhead(), "");
  expect(await goesOn).toEqual({ type: "goesOn", mayWrite: true });
  const after = renewals();
  await vi.waitFor(() => expect(renewals()).toBeGreaterThan(after), PATIENCE);
}, 90_000);

it("lets its Lease run out when its main thread keeps hanging, and then may not write", async () => {
  const hungAt = performance.now();
  child.send(goAhead());
  await vi.waitFor(
    () => expect(performance.now() - state.renewedAt).toBeGreaterThan(LEASE_MS),
    PATIENCE,
  );
  expect(state.renewedAt - hungAt).toBeGreaterThan(DEADLINE_MS / 2);
  state.takeOver();
  const written = writes().length;
  const goesOn = nextMessage();
  writeFileSync(goAhead(), "");
  expect(await goesOn).toEqual({ type: "goesOn", mayWrite: false });
  expect(await nextMessage()).toEqual({ type: "stopped", reason: "renewalFailed" });
  expect(writes()).toHaveLength(written);
}, 90_000);

function goAhead(): string {
  return join(dir, "go-ahead");
}

function writes() {
  return server.requests.filter(({ method }) => method !== "GET");
}

function renewals(): number {
  return writes().filter(({ method }) => method === "PUT").length;
}

async function nextMessage(): Promise<unknown> {
  const [message] = await once(child, "message");
  return message;
}
