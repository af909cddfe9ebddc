import { afterEach, describe, expect, it } from "vitest";
import { EVENTS, type KubeCall, NODES } from "../client.ts";
import { systemClock } from "../system-clock.ts";
import {
  type Answer,
  sendJson,
  sendStatus,
  startApiServer,
  type TestApiServer,
} from "../testing/api-server.ts";
import type { KubeCallReport } from "./call.ts";
import { createKubeClient, type KubeClientOptions, type KubeConnection } from "./kube-client.ts";

const NODE = { resource: NODES, name: "w-1" };
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Setup {
  readonly server: TestApiServer;
  readonly client: KubeConnection;
  readonly reports: KubeCallReport[];
}

async function setUp(answer: Answer, change: Partial<KubeClientOptions> = {}): Promise<Setup> {
  const server = await startApiServer(answer);
  const reports: KubeCallReport[] = [];
  const client = createKubeClient({
    access: server.access,
    qps: 0,
    burst: 1,
    clock: systemClock,
    userAgent: "cloudwright/test",
    onCall: (call) => reports.push(call),
    ...change,
  });
  open.push(client, server);
  return { server, client, reports };
}

describe("the kube client", () => {
  it("reuses its connection between calls and identifies itself", async () => {
    const { server, client } = await setUp((_, response) => sendJson(response, { kind: "Node" }));
    for (let time = 0; time < 20; time += 1) await client.get(NODE);
    // There may be a second one, if the first is still being returned to the pool when the next
    // call starts.
    expect(server.connections).toBeLessThanOrEqual(2);
    expect(server.requests[0]?.headers).toMatchObject({
      "user-agent": "cloudwright/test",
      authorization: "Bearer token-0",
      accept: "application/json",
    });
    expect(server.requests[0]?.headers["accept-encoding"]).toBeUndefined();
  });

  it.each([
    ["strategic", "application/strategic-merge-patch+json"],
    ["merge", "application/merge-patch+json"],
    ["json", "application/json-patch+json"],
  ] as const)("sends a %s patch as %s", async (kind, contentType) => {
    const { server, client } = await setUp((_, response) => sendJson(response, { kind: "Node" }));
    await client.patch({ ...NODE, subresource: "status" }, { kind, body: [{ a: "ü" }] });
    expect(server.requests[0]).toMatchObject({
      method: "PATCH",
      path: "/api/v1/nodes/w-1/status",
      body: '[{"a":"ü"}]',
    });
    expect(server.requests[0]?.headers["content-type"]).toBe(contentType);
  });

  it("deletes with its preconditions", async () => {
    const { server, client } = await setUp((_, response) => sendJson(response, { kind: "Status" }));
    await client.delete(NODE, { uid: "u-1" });
    expect(server.requests[0]?.method).toBe("DELETE");
    expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual({
      apiVersion: "v1",
      kind: "DeleteOptions",
      preconditions: { uid: "u-1" },
    });
  });

  it("creates in the collection", async () => {
    const { server, client, reports } = await setUp((_, response) => sendJson(response, {}, 201));
    await client.create(NODE, { metadata: { name: "w-1" } });
    expect(server.requests[0]).toMatchObject({ method: "POST", path: "/api/v1/nodes" });
    expect(reports[0]).toMatchObject({ verb: "create", name: "w-1", status: 201 });
  });

  it("reports the size of the request and the answer, in bytes", async () => {
    const { client, reports } = await setUp((_, response) => sendJson(response, { kind: "Nöde" }));
    await client.update(NODE, { kind: "ü" });
    expect(reports).toMatchObject([{ requestBytes: 13, responseBytes: 16 }]);
  });

  it("waits as long as a throttled API server asks, even for a write, and counts the attempts", async () => {
    let left = 2;
    const { server, client, reports } = await setUp((_, response) => {
      if (left === 0) return sendJson(response, { kind: "Node" });
      left -= 1;
      response.setHeader("retry-after", "0");
      return sendStatus(response, 429, "TooManyRequests");
    });
    await client.update(NODE, {});
    expect(server.requests).toHaveLength(3);
    expect(reports).toMatchObject([{ attempts: 3, status: 200, method: "PUT" }]);
  });

  it("reports to a call's observer how often it was sent and the message of the refusal", async () => {
    let left = 1;
    const { client } = await setUp((_, response) => {
      if (left === 0) return sendStatus(response, 409, "Conflict");
      left -= 1;
      response.setHeader("retry-after", "0");
      return sendStatus(response, 429, "TooManyRequests");
    });
    const calls: KubeCall[] = [];
    const observer = (call: KubeCall) => calls.push(call);
    await expect(client.update(NODE, {}, { observer })).rejects.toMatchObject({ code: "Conflict" });
    expect(calls).toMatchObject([{ attempts: 2, status: 409, body: { reason: "Conflict" } }]);
  });

  it("gives up after ten waits and reports how long it was asked to wait", async () => {
    const { server, client } = await setUp((_, response) => {
      response.setHeader("retry-after", "0");
      sendStatus(response, 429, "TooManyRequests");
    });
    await expect(client.get(NODE)).rejects.toMatchObject({
      code: "Throttled",
      call: { retryAfterMs: 0, status: 429 },
    });
    expect(server.requests).toHaveLength(11);
  });

  it("stops waiting for a throttled API server when the caller gives up", async () => {
    const { server, client } = await setUp((_, response) => {
      response.setHeader("retry-after", "30");
      sendStatus(response, 429, "TooManyRequests");
    });
    const giveUp = new AbortController();
    const call = client.get(NODE, { signal: giveUp.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ name: "KubeError" });
  });

  it("does not wait for minutes within a call, but reports how long it was asked to", async () => {
    const { server, client } = await setUp((_, response) => {
      response.setHeader("retry-after", "60");
      sendStatus(response, 429, "TooManyRequests");
    });
    await expect(client.get(NODE)).rejects.toMatchObject({
      code: "Throttled",
      call: { retryAfterMs: 60_000 },
    });
    expect(server.requests).toHaveLength(1);
  });

  it("gives up a call whose credentials do not arrive", async () => {
    const { server } = await setUp(() => undefined);
    const client = createKubeClient({
      access: { ...server.access, credentials: () => new Promise(() => undefined) },
      qps: 0,
      burst: 1,
      clock: systemClock,
      userAgent: "test",
    });
    open.push(client);
    await expect(client.get(NODE, { timeoutMs: 20 })).rejects.toMatchObject({
      code: "Unavailable",
    });
    expect(server.requests).toHaveLength(0);
  });

  it("reads its credentials again once when they are refused", async () => {
    const { server, client } = await setUp((request, response) => {
      if (request.headers.authorization === "Bearer token-0") {
        return sendStatus(response, 401, "Unauthorized");
      }
      return sendJson(response, { kind: "Node" });
    });
    await client.get(NODE);
    expect(server.renewals).toBe(1);
  });

  it("reports that the credentials are refused when the new ones are as well", async () => {
    const { server, client } = await setUp((_, response) =>
      sendStatus(response, 401, "Unauthorized"),
    );
    await expect(client.get(NODE)).rejects.toMatchObject({ code: "Unauthorized" });
    expect(server.requests).toHaveLength(2);
  });

  it("sends no write behind the fence, but reads regardless", async () => {
    const { server, client } = await setUp((_, response) => sendJson(response, {}), {
      fence: () => false,
    });
    await client.get(NODE);
    await expect(client.patch(NODE, { kind: "merge", body: {} })).rejects.toMatchObject({
      code: "Unavailable",
      message: expect.stringContaining("not the leader"),
    });
    await expect(client.delete(NODE, {})).rejects.toMatchObject({ code: "Unavailable" });
    expect(server.requests.map((request) => request.method)).toEqual(["GET"]);
  });

  it("sends what decides nothing although the fence is closed", async () => {
    const { server, client } = await setUp((_, response) => sendJson(response, {}), {
      fence: () => false,
    });
    await client.create({ resource: EVENTS, namespace: "default" }, {}, { passesFence: true });
    expect(server.requests.map((request) => request.method)).toEqual(["POST"]);
  });

  it("checks the fence again before each attempt of a write", async () => {
    let leads = true;
    const { server, client } = await setUp(
      (_, response) => {
        leads = false;
        response.setHeader("retry-after", "0");
        sendStatus(response, 429, "TooManyRequests");
      },
      { fence: () => leads },
    );
    await expect(client.update(NODE, {})).rejects.toMatchObject({ code: "Unavailable" });
    expect(server.requests).toHaveLength(1);
  });

  it("checks the fence after it waited for the client-side limit", async () => {
    let leads = true;
    const { server, client } = await setUp((_, response) => sendJson(response, {}), {
      qps: 20,
      burst: 1,
      fence: () => leads,
    });
    await client.update(NODE, {});
    const late = client.update(NODE, {});
    leads = false;
    await expect(late).rejects.toMatchObject({ code: "Unavailable" });
    expect(server.requests).toHaveLength(1);
  });

  it("checks the fence once more right before the write's first byte is sent", async () => {
    const verdicts = [true, false];
    const { server, client } = await setUp((_, response) => sendJson(response, {}), {
      fence: () => verdicts.shift() ?? false,
    });
    await expect(client.update(NODE, {})).rejects.toMatchObject({
      code: "Unavailable",
      message: expect.stringContaining("not the leader"),
    });
    expect(verdicts).toEqual([]);
    expect(server.requests).toEqual([]);
    await client.get(NODE);
    expect(server.requests).toHaveLength(1);
  });

  it("gives up a call that is not answered in time", async () => {
    const { client } = await setUp(() => undefined);
    await expect(client.get(NODE, { timeoutMs: 30 })).rejects.toMatchObject({
      code: "Unavailable",
      message: "no complete answer arrived within 30 ms",
      call: { status: 0, verb: "get", resource: "nodes", name: "w-1" },
    });
  });

  it("gives up an answer that stops in the middle", async () => {
    const { client } = await setUp((_, response) => {
      response.writeHead(200);
      response.write('{"kind":');
    });
    await expect(client.get(NODE, { timeoutMs: 50 })).rejects.toMatchObject({
      code: "Unavailable",
    });
  });

  it("ends with the caller's signal", async () => {
    const { server, client } = await setUp(() => undefined);
    const giveUp = new AbortController();
    const call = client.get(NODE, { signal: giveUp.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    giveUp.abort();
    await expect(call).rejects.toMatchObject({
      code: "Unavailable",
      message: expect.stringContaining("abandoned"),
    });
  });

  it("repeats a read once when the server closed the connection, and does not repeat a write", async () => {
    const { server, client } = await setUp((request, response) => {
      if (server.requests.length === 1 || request.method === "PUT") response.socket?.destroy();
      else sendJson(response, { kind: "Node" });
    });
    await client.get(NODE);
    expect(server.requests).toHaveLength(2);
    await expect(client.update(NODE, {})).rejects.toMatchObject({ code: "Unavailable" });
    expect(server.requests).toHaveLength(3);
  });

  it("names the address on which nothing listens", async () => {
    const { server, client } = await setUp(() => undefined);
    await server.close();
    await expect(client.get(NODE)).rejects.toMatchObject({
      code: "Unavailable",
      message: expect.stringContaining("ECONNREFUSED"),
      call: { status: 0 },
    });
  });

  it.each(["<html>", "[]", "null", ""])("does not take %j for an object", async (body) => {
    const { client } = await setUp((_, response) => response.end(body));
    await expect(client.get(NODE)).rejects.toMatchObject({ code: "Unavailable" });
    await expect(client.list(NODE)).rejects.toMatchObject({ code: "Unavailable" });
  });

  it("does not mistake an object for a list", async () => {
    const { client } = await setUp((_, response) => sendJson(response, { kind: "Node" }));
    await expect(client.list(NODE)).rejects.toMatchObject({
      code: "Unavailable",
      message: expect.stringContaining("a list"),
    });
  });

  it("returns the text of a path that is not a resource", async () => {
    const { server, client } = await setUp((_, response) => response.end("ok"));
    expect(await client.raw("/healthz", { query: { verbose: "1" } })).toBe("ok");
    expect(server.requests[0]?.path).toBe("/healthz");
    expect(server.requests[0]?.query.get("verbose")).toBe("1");
  });

  it("reports to the caller's observer what went wrong with a failed call", async () => {
    const calls: KubeCall[] = [];
    const { client } = await setUp((_, response) => {
      response.setHeader("audit-id", "audit-1");
      sendStatus(response, 404, "NotFound");
    });
    const failed = client.get(NODE, { observer: (call) => calls.push(call) });
    await expect(failed).rejects.toMatchObject({ code: "NotFound", call: { auditId: "audit-1" } });
    expect(calls).toMatchObject([
      { verb: "get", resource: "nodes", name: "w-1", status: 404, error: "NotFound" },
    ]);
  });

  it("shows no token in an error", async () => {
    const { client } = await setUp((_, response) => sendStatus(response, 403, "Forbidden"));
    const error: unknown = await client.get(NODE).catch((caught: unknown) => caught);
    expect(JSON.stringify(error) + String(error)).not.toContain("token-");
  });
});
