import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { instanceSchema } from "./instances/instance.ts";
import { type RunningCloud, startCloud } from "./start-cloud.ts";
import { callsSchema } from "./testing/cloud-under-test.ts";

let folder: string;
let cloud: RunningCloud;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-cloud-"));
  cloud = await start();
});

afterEach(async () => {
  await cloud.close();
  await rm(folder, { recursive: true, force: true });
});

function start(token?: string): Promise<RunningCloud> {
  return startCloud({ listen: "127.0.0.1:0", stateFile: join(folder, "state.jsonl"), token });
}

interface Call {
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

async function call(method: string, path: string, options: Call = {}) {
  const response = await fetch(`${cloud.endpoint}${path}`, {
    method,
    headers: { authorization: `Bearer ${options.token ?? cloud.token}`, ...options.headers },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

const pageSchema = z.object({ items: z.array(instanceSchema), next: z.string().nullable() });
const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), requestId: z.string() }),
});
async function create(body: unknown) {
  const answer = await call("POST", "/v1/instances", { body });
  expect(answer).toMatchObject({ status: 201 });
  return instanceSchema.parse(answer.body);
}

async function list(query = "") {
  const answer = await call("GET", `/v1/instances${query}`);
  expect(answer).toMatchObject({ status: 200 });
  return pageSchema.parse(answer.body);
}

async function faults(body: unknown) {
  expect(await call("PUT", "/admin/faults", { body })).toMatchObject({ status: 200 });
}

async function calls() {
  return callsSchema.parse((await call("GET", "/admin/calls")).body);
}

describe("requests that are wrong", () => {
  it.each([
    [{}, "name"],
    [{ name: "" }, "name"],
    [{ name: "n", colour: "red" }, "colour"],
    [{ name: "n", addresses: [{ type: "IP", address: "1.2.3.4" }] }, "addresses.0.type"],
    [{ name: "n", labels: { a: 1 } }, "labels.a"],
    [["n"], "body"],
  ])("answers %j with 400 and names the field", async (body, field) => {
    const refused = await call("POST", "/v1/instances", { body });
    expect(refused.status).toBe(400);
    expect(errorSchema.parse(refused.body).error.message).toContain(`field ${field} `);
  });

  it("answers a body that is not JSON with 400", async () => {
    const response = await fetch(`${cloud.endpoint}/v1/instances`, {
      method: "POST",
      headers: { authorization: `Bearer ${cloud.token}` },
      body: "{",
    });
    expect(response.status).toBe(400);
  });

  it("answers an unknown call with 400, never with a 404 that looks like proof of absence", async () => {
    for (const path of ["/v1/machines", "/v1/instances/", "/v2/instances/i-1", "/"]) {
      expect(await call("GET", path)).toMatchObject({
        status: 400,
        body: { error: { code: "invalid" } },
      });
    }
  });

  it("requires the token on /v1", async () => {
    for (const token of ["wrong", `${cloud.token}x`]) {
      expect(await call("GET", "/v1/instances", { token })).toMatchObject({
        status: 401,
        body: { error: { code: "unauthorized" } },
      });
    }
    const bare = await fetch(`${cloud.endpoint}/v1/instances`);
    expect(bare.status).toBe(401);
    expect(bare.headers.get("x-request-id")).toMatch(/^req-/);
  });

  it("puts the same request id in header and error", async () => {
    const refused = await call("GET", "/v1/instances/i-none");
    expect(errorSchema.parse(refused.body).error.requestId).toBe(
      refused.headers.get("x-request-id"),
    );
  });

  it("keeps web pages out of /admin", async () => {
    const fromPage = { headers: { origin: "http://evil.example" } };
    expect(await call("POST", "/admin/reset", fromPage)).toMatchObject({ status: 403 });
  });
});

describe("the call log", () => {
  it("counts by operation without identifiers and keeps the newest calls", async () => {
    const { id } = await create({ name: "n1" });
    await call("GET", `/v1/instances/${id}`);
    await call("GET", "/v1/instances/i-none");
    await call("GET", "/v1/instances?name=n1");
    await call("GET", "/v1/nowhere/i-1");
    const report = await calls();
    expect(report.total).toBe(5);
    expect(report.byOperation).toEqual({
      "POST /v1/instances": { count: 1, errors: 0, throttled: 0 },
      "GET /v1/instances/{id}": { count: 2, errors: 1, throttled: 0 },
      "GET /v1/instances": { count: 1, errors: 0, throttled: 0 },
      "GET (unknown)": { count: 1, errors: 1, throttled: 0 },
    });
    expect(report.recent.map(({ path, query, status }) => ({ path, query, status }))).toEqual([
      { path: "/v1/instances", query: "", status: 201 },
      { path: `/v1/instances/${id}`, query: "", status: 200 },
      { path: "/v1/instances/i-none", query: "", status: 404 },
      { path: "/v1/instances", query: "name=n1", status: 200 },
      { path: "/v1/nowhere/i-1", query: "", status: 400 },
    ]);
    expect(await call("DELETE", "/admin/calls")).toMatchObject({ status: 204 });
    expect(await calls()).toEqual({ total: 0, byOperation: {}, recent: [] });
  });

  it("keeps a thousand calls", async () => {
    for (let batch = 0; batch < 21; batch += 1) {
      await Promise.all(Array.from({ length: 50 }, () => call("GET", "/v1/instances?limit=1")));
    }
    const report = await calls();
    expect(report.total).toBe(1_050);
    expect(report.recent).toHaveLength(1_000);
  });
});

describe("the watch", () => {
  it("shows the current machines, then `synced`, then each change", async () => {
    const before = await create({ name: "before" });
    const response = await fetch(`${cloud.admin}/admin/watch`);
    const lines: unknown[] = [];
    const reading = (async () => {
      let rest = "";
      for await (const chunk of response.body ?? []) {
        const parts = (rest + Buffer.from(chunk).toString()).split("\n");
        rest = parts.pop() ?? "";
        lines.push(...parts.map((line) => JSON.parse(line)));
      }
    })();
    await expect.poll(() => lines).toHaveLength(2);
    const after = await create({ name: "after" });
    await call("POST", `/v1/instances/${after.id}/stop`);
    await call("DELETE", `/v1/instances/${before.id}`);
    await call("POST", "/admin/reset");
    await expect.poll(() => lines).toHaveLength(6);
    expect(lines).toMatchObject([
      { type: "put", instance: { name: "before" } },
      { type: "synced" },
      { type: "put", instance: { name: "after", state: "running" } },
      { type: "put", instance: { name: "after", state: "stopped" } },
      { type: "delete", instance: { id: before.id } },
      { type: "delete", instance: { id: after.id } },
    ]);
    expect((await calls()).total).toBe(0);
    const ending = expect(reading).rejects.toThrow();
    await cloud.close();
    await ending;
  });
});

describe("the state", () => {
  it("comes back after a restart with its token, without faults", async () => {
    const kept = await create({ name: "kept", labels: { a: "b" } });
    const gone = await create({ name: "gone" });
    await call("DELETE", `/v1/instances/${gone.id}`);
    await call("POST", `/v1/instances/${kept.id}/stop`);
    await faults({ latencyMs: 1 });
    const { token } = cloud;
    await cloud.close();
    cloud = await start();
    expect(cloud.token).toBe(token);
    expect((await list()).items).toEqual([{ ...kept, state: "stopped" }]);
    expect(await call("GET", "/admin/faults")).toMatchObject({ body: { latencyMs: 0 } });
  });

  it("prefers a given token, and does not store it", async () => {
    const { token } = cloud;
    await cloud.close();
    cloud = await start("given");
    expect(cloud.token).toBe("given");
    await cloud.close();
    cloud = await start();
    expect(cloud.token).toBe(token);
  });

  it("is empty after a reset, also after a restart", async () => {
    await create({ name: "n1" });
    await faults({ latencyMs: 1 });
    expect(await call("POST", "/admin/reset")).toMatchObject({ status: 204 });
    expect((await list()).items).toEqual([]);
    expect(await call("GET", "/admin/faults")).toMatchObject({ body: { latencyMs: 0 } });
    await cloud.close();
    cloud = await start();
    expect((await list()).items).toEqual([]);
  });

  it("finishes a change of power that was in progress", async () => {
    await faults({ provisioningMs: 150 });
    const { id } = await create({ name: "n1" });
    await cloud.close();
    cloud = await start();
    await expect
      .poll(async () => (await call("GET", `/v1/instances/${id}`)).body)
      .toMatchObject({ state: "running" });
  });

  it("is not shared with a second cloud", async () => {
    await expect(start()).rejects.toThrow(/in use by process \d+/);
    expect((await list()).items).toEqual([]);
  });

  it("reports in one sentence that the address is in use", async () => {
    const listen = new URL(cloud.endpoint).host;
    const stateFile = join(folder, "other.jsonl");
    await expect(startCloud({ listen, stateFile })).rejects.toThrow(/is in use: stop/);
    await expect(startCloud({ listen: "here", stateFile })).rejects.toThrow(/is not valid/);
  });
});
