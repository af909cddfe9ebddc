import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { type Announced, announcementOf, startCloudProcess } from "../testing/cloud-process.ts";

const LOAD_BALANCERS = "/v1/load-balancers";
const ROUNDS = 2;
const WORKERS = 8;
const KILL_AFTER = 120;

let folder: string;
let child: ChildProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "killed-cloud-"));
});

afterEach(async () => {
  if (child.exitCode === null) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

it("has every change of a load balancer that it confirmed, and creates none twice for one key", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const confirmed = await withCloud((cloud) => churnUntilKilled(cloud, round));
    await withCloud(async (cloud) => {
      for (const { key, id, state } of confirmed) {
        const read = await call(cloud, { method: "GET", path: `${LOAD_BALANCERS}/${id}` });
        expect({ key, ...summaryOf(read) }).toEqual({ key, ...expectedOf(state, read) });
        if (state === "created") {
          const again = await create(cloud, key);
          expect(again).toMatchObject({ status: 200, body: { id } });
        }
      }
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    });
  }
});

/** The last confirmed change; one in progress after it may or may not have happened. */
interface Confirmed {
  readonly key: string;
  readonly id: string;
  state: "created" | "edited" | "deleted";
}

async function churnUntilKilled(cloud: Announced, round: number): Promise<Confirmed[]> {
  const all: Confirmed[] = [];
  let answers = 0;
  const count = (): void => {
    answers += 1;
    if (answers === KILL_AFTER) child.kill("SIGKILL");
  };
  const work = async (worker: number): Promise<void> => {
    for (let number = 0; ; number += 1) {
      const key = `${round}-${worker}-${number}`;
      const made = await create(cloud, key);
      const one: Confirmed = { key, id: idSchema.parse(made.body).id, state: "created" };
      all.push(one);
      count();
      const path = `${LOAD_BALANCERS}/${one.id}`;
      await call(cloud, { method: "PATCH", path, body: { proxyProtocol: true } });
      one.state = "edited";
      count();
      if (number % 2 === 1) {
        await call(cloud, { method: "DELETE", path });
        one.state = "deleted";
        count();
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: WORKERS }, (_, n) => work(n)));
  expect(ends.map(({ status }) => status)).not.toContain("fulfilled");
  expect(answers).toBeGreaterThanOrEqual(KILL_AFTER);
  expect(child.signalCode ?? (await once(child, "exit"))[1]).toBe("SIGKILL");
  return all;
}

const idSchema = z.object({ id: z.string() });
const readSchema = z.object({ proxyProtocol: z.boolean() });

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

function summaryOf({ status, body }: Answer): object {
  return status === 200 ? { status, ...readSchema.parse(body) } : { status };
}

/** One step further than confirmed is also right: only its answer was lost. */
function expectedOf(state: Confirmed["state"], read: Answer): object {
  switch (state) {
    case "created":
      return { status: 200, proxyProtocol: expect.any(Boolean) };
    case "edited":
      return read.status === 404 ? { status: 404 } : { status: 200, proxyProtocol: true };
    case "deleted":
      return { status: 404 };
  }
}

function create(cloud: Announced, key: string): Promise<Answer> {
  const headers = { "idempotency-key": key };
  return call(cloud, {
    method: "POST",
    path: LOAD_BALANCERS,
    body: { name: `lb-${key}` },
    headers,
  });
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function call(
  { endpoint, token }: Announced,
  { method, path, body, headers }: Sent,
): Promise<Answer> {
  const response = await fetch(`${endpoint}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function withCloud<T>(work: (cloud: Announced) => Promise<T>): Promise<T> {
  child = startCloudProcess(join(folder, "state.jsonl"));
  return await work(await announcementOf(child));
}
