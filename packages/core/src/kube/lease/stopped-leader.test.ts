import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import {
  type SeenRequest,
  sendJson,
  startApiServer,
  type TestApiServer,
} from "../testing/api-server.ts";
import { answerForLease, isForLease, LeaseState } from "../testing/lease-state.ts";

const LEADER = fileURLToPath(new URL("../testing/busy-leader.ts", import.meta.url));
const LEASE_MS = 4_000;
/** Slower than the leader writes, so that more writes wait for a connection than are in progress. */
const ANSWER_AFTER_MS = 100;

let child: ChildProcess | undefined;
let server: TestApiServer | undefined;

afterEach(async () => {
  child?.kill("SIGKILL");
  await server?.close();
});

/** Answers everything but the Lease late. */
function answer(state: LeaseState, request: SeenRequest, response: ServerResponse): void {
  if (isForLease(request)) answerForLease(state, request, response);
  else setTimeout(() => sendJson(response, {}), ANSWER_AFTER_MS);
}

function isWork(request: SeenRequest): boolean {
  return request.method !== "GET" && !isForLease(request);
}

/** Stops it until another process could lead, and lets another one lead. */
async function stopPastItsLease(stopped: ChildProcess, state: LeaseState): Promise<void> {
  stopped.kill("SIGSTOP");
  state.letRead();
  await vi.waitFor(
    () => expect(performance.now() - state.renewedAt).toBeGreaterThan(LEASE_MS + 500),
    20_000,
  );
  state.takeOver();
}

async function messageOf(process: ChildProcess): Promise<unknown> {
  const [message] = await once(process, "message");
  return message;
}

it("does not send what was waiting when it was stopped past its lease", async () => {
  const state = new LeaseState();
  server = await startApiServer((request, response) => answer(state, request, response));
  const { requests, access } = server;
  child = fork(LEADER, [access.server], { execArgv: ["--import", "tsx"] });
  expect(await messageOf(child)).toEqual({ type: "leads" });
  const stopped = messageOf(child);
  await vi.waitFor(() => expect(requests.filter(isWork).length).toBeGreaterThan(100), 10_000);

  await stopPastItsLease(child, state);
  const sentBefore = requests.length;
  child.kill("SIGCONT");

  const { reason, refused } = (await stopped) as { reason: string; refused: number };
  expect(["renewalFailed", "takenOver"]).toContain(reason);
  expect(refused).toBeGreaterThan(10);
  // It may have been stopped just between the fence and the first byte: that is one write, and no fence can be closer.
  const late = requests.slice(sentBefore).filter(isWork);
  expect(late.length).toBeLessThanOrEqual(1);
  const paths = new Set(
    requests.filter(isWork).map(({ method, path }) => `${method} ${path.split("/")[3] ?? ""}`),
  );
  expect(paths).toEqual(
    new Set(["PATCH nodes", "DELETE nodes", "PUT namespaces", "POST namespaces"]),
  );
}, 60_000);

it("sends no renewal that it had started before it was stopped past its lease", async () => {
  const state = new LeaseState();
  server = await startApiServer((request, response) => answer(state, request, response));
  const { requests, access } = server;
  child = fork(LEADER, [access.server], { execArgv: ["--import", "tsx"] });
  expect(await messageOf(child)).toEqual({ type: "leads" });
  const stopped = messageOf(child);
  // A renewal after a failure reads the Lease and then writes it: the process is stopped between
  // the two.
  state.isAiling = true;
  await vi.waitFor(() => expect(state.readers).toBeGreaterThan(0), {
    interval: 5,
    timeout: 10_000,
  });
  await stopPastItsLease(child, state);
  const sentBefore = requests.length;
  child.kill("SIGCONT");
  expect(await stopped).toMatchObject({ reason: "renewalFailed" });
  // Only Lease requests: its other thread may have been stopped between the fence and the first
  // byte of a first write.
  const late = requests
    .slice(sentBefore)
    .filter((request) => request.method !== "GET" && isForLease(request));
  expect(late.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
}, 60_000);
