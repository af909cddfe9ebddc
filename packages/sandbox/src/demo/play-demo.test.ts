import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callCloud } from "../cloud/client.ts";
import { type RunningCloud, startCloud } from "../cloud/start-cloud.ts";
import { playDemo, steps } from "./play-demo.ts";

let folder: string;
let cloud: RunningCloud;
let over: AbortController;
let overridden: string[];
let played: Promise<void> | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "demo-"));
  cloud = await startCloud({ listen: "127.0.0.1:0", stateFile: join(folder, "cloud"), token: "t" });
  over = new AbortController();
  overridden = [];
});

afterEach(async () => {
  over.abort();
  await played;
  await cloud.close();
  await rm(folder, { recursive: true, force: true });
});

it("lets three things happen within a visitor's first 15 seconds, and a failing lookup heal within the minute", () => {
  const at: Record<string, number> = {};
  let now = 0;
  for (const { afterMs, does } of steps("node-")) {
    now += afterMs;
    at[does] ??= now;
    if (does === "start") break;
  }
  expect(at).toEqual({ join: 2_000, hide: 6_000, stop: 14_000, show: 49_000, start: 64_000 });
});

it("deletes no more nodes within ten minutes than the deletion guard lets through", () => {
  const left: number[] = [];
  let now = 0;
  for (const { afterMs, does } of steps("node-")) {
    now += afterMs;
    if (does === "leave") left.push(now);
    if (now > 3_600_000) break;
  }
  const inWindow = left.map(
    (from) => left.filter((at) => at >= from && at < from + 600_000).length,
  );
  expect(Math.max(...inWindow)).toBeLessThanOrEqual(5);
});

it("makes, hides, stops, starts and removes its own machines and leaves others and their faults alone", async () => {
  await call("POST", "/v1/instances", { name: "node-1" });
  const fault = { method: "GET", instance: "node-1", status: 500 };
  await call("PUT", "/admin/faults", { rules: [fault] });
  start();
  await until("node-102: hide");
  expect(await faults()).toEqual([fault, { method: "GET", instance: "node-102", status: 503 }]);
  await until("node-101: leave");
  expect(overridden.slice(0, 7)).toEqual([
    "node-101: join",
    "node-102: hide",
    "node-102: join",
    "node-101: stop",
    "node-102: show",
    "node-101: start",
    "node-101: leave",
  ]);
  expect(await faults()).toEqual([fault]);
  expect(await names()).toEqual(["node-1", "node-102"]);
});

it("starts again after a restart, without what the previous run left behind", async () => {
  start();
  await until("node-102: join");
  over.abort();
  await played;
  const before = await ids();
  expect(before).toHaveLength(2);
  over = new AbortController();
  overridden = [];
  start();
  await until("node-101: join");
  const after = await ids();
  expect(before.filter((id) => after.includes(id))).toEqual([]);
});

function start(): void {
  played = playDemo({
    cloud: { endpoint: cloud.endpoint, admin: cloud.admin, token: cloud.token },
    namePrefix: "node-",
    pace: 1_000,
    signal: over.signal,
    log: (message) => {
      overridden.push(message);
    },
  });
}

function until(message: string): Promise<void> {
  return expect.poll(() => overridden, { timeout: 10_000 }).toContain(message) as Promise<void>;
}

async function faults(): Promise<unknown> {
  return ((await call("GET", "/admin/faults")) as { rules: unknown }).rules;
}

async function names(): Promise<readonly string[]> {
  return (await machines()).map(({ name }) => name);
}

async function ids(): Promise<readonly string[]> {
  return (await machines()).map(({ id }) => id);
}

async function machines(): Promise<readonly { id: string; name: string }[]> {
  const answer = (await call("GET", "/v1/instances")) as { items: { id: string; name: string }[] };
  return answer.items;
}

function call(method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<unknown> {
  const { endpoint, admin, token } = cloud;
  const signal = new AbortController().signal;
  return callCloud({ endpoint, admin, token }, { method, path, body, signal });
}
