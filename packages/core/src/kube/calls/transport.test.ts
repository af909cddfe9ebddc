import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Credentials } from "../access/credentials.ts";
import type { ClusterAccess } from "../access/kubeconfig.ts";
import { systemClock } from "../system-clock.ts";
import { sendJson, startApiServer } from "../testing/api-server.ts";
import { createDeadline } from "./deadline.ts";
import { createTransport } from "./transport.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0).reverse()) await close();
});

interface Proxy {
  readonly url: string;
  readonly tunnels: string[];
}

/** Starts a proxy that connects to the given port, whatever the requested target. */
async function startProxy(port: number): Promise<Proxy> {
  const tunnels: string[] = [];
  const proxy: Server = createServer();
  proxy.on("connect", (request, socket) => {
    tunnels.push(request.url ?? "");
    const upstream = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, tunnels };
}

async function startServer() {
  const server = await startApiServer((_, response) => sendJson(response, { kind: "Node" }));
  closers.push(server.close);
  return { server, port: Number(new URL(server.access.server).port) };
}

function send(access: ClusterAccess, onLookup: (durationMs: number) => void = () => undefined) {
  const transport = createTransport(access, { clock: systemClock, onLookup });
  closers.push(transport.close);
  const deadline = createDeadline({ clock: systemClock, timeoutMs: 30_000, signal: undefined });
  const request = { method: "GET", path: "/api/v1/nodes", headers: {}, deadline } as const;
  return { transport, get: () => transport.send(request), open: () => transport.open(request) };
}

describe("the transport", () => {
  it("keeps the path of the server's address", async () => {
    const { server } = await startServer();
    const { get } = send({ ...server.access, server: `${server.access.server}/k8s/clusters/c-1` });
    await get();
    expect(server.requests[0]?.path).toBe("/k8s/clusters/c-1/api/v1/nodes");
  });

  it("reports how long the lookup of the server's name took, and none for an address", async () => {
    const { server, port } = await startServer();
    const lookups: number[] = [];
    const note = (durationMs: number) => lookups.push(durationMs);
    await send(server.access, note).get();
    expect(lookups).toEqual([]);
    const named = { ...server.access, server: `http://localhost:${port}` };
    await send(named, note).get();
    expect(lookups).toEqual([expect.any(Number)]);
  });

  it("reopens connections when the certificate changes, and only then", async () => {
    const { server } = await startServer();
    let credentials: Credentials = { headers: {}, tls: { cert: "one" } };
    const { get } = send({ ...server.access, credentials: async () => credentials });
    await get();
    credentials = { headers: { authorization: "Bearer new" }, tls: { cert: "one" } };
    await get();
    const before = server.connections;
    credentials = { headers: {}, tls: { cert: "two" } };
    await get();
    expect(server.requests[1]?.headers.authorization).toBe("Bearer new");
    expect(server.connections).toBe(before + 1);
  });

  it("lets a running answer end on its old connection", async () => {
    const finish: (() => void)[] = [];
    const server = await startApiServer((_, response) => {
      response.write("begin ");
      finish.push(() => response.end("end"));
    });
    closers.push(server.close);
    let credentials: Credentials = { headers: {}, tls: { cert: "one" } };
    const { open } = send({ ...server.access, credentials: async () => credentials });
    const first = await open();
    credentials = { headers: {}, tls: { cert: "two" } };
    const second = await open();
    for (const end of finish) end();
    expect(await first.body.text()).toBe("begin end");
    expect(await second.body.text()).toBe("begin end");
  });

  it("uses the proxy of the kubeconfig", async () => {
    const { server, port } = await startServer();
    const proxy = await startProxy(port);
    const { get } = send({
      ...server.access,
      server: "http://api.example.test:6443",
      credentials: async () => ({ headers: {}, tls: {}, proxyUrl: proxy.url }),
    });
    expect((await get()).statusCode).toBe(200);
    expect(proxy.tunnels).toEqual(["api.example.test:6443"]);
  });

  it("uses the environment's proxy for its scheme, but not for NO_PROXY and loopback", async () => {
    const { server, port } = await startServer();
    const proxy = await startProxy(port);
    for (const name of ["http_proxy", "https_proxy", "no_proxy"]) vi.stubEnv(name, undefined);
    vi.stubEnv("HTTP_PROXY", proxy.url);
    const far = send({ ...server.access, server: "http://api.example.test:6443" });
    expect((await far.get()).statusCode).toBe(200);
    expect(proxy.tunnels).toEqual(["api.example.test:6443"]);
    expect((await send(server.access).get()).statusCode).toBe(200);
    vi.stubEnv("NO_PROXY", "nowhere.invalid");
    const excluded = send({ ...server.access, server: "http://nowhere.invalid:6443" });
    await expect(excluded.get()).rejects.toThrow(/nowhere\.invalid/);
    expect(proxy.tunnels).toHaveLength(1);
  });

  it("aborts open requests when it is closed", async () => {
    const server = await startApiServer((_, response) => {
      response.write("begin ");
    });
    closers.push(server.close);
    const { transport, get, open } = send(server.access);
    const whole = get();
    const reading = (await open()).body.text();
    await vi.waitFor(() => expect(server.requests).toHaveLength(2));
    const broken = [expect(whole).rejects.toThrow(), expect(reading).rejects.toThrow()];
    await transport.close();
    await Promise.all(broken);
  });

  it("never sends a request whose caller gave up while it waited for a connection", async () => {
    const finish: (() => void)[] = [];
    const server = await startApiServer((_, response) => {
      finish.push(() => sendJson(response, { kind: "Node" }));
    });
    closers.push(server.close);
    const transport = createTransport(server.access, {
      clock: systemClock,
      onLookup: () => undefined,
    });
    closers.push(transport.close);
    const caller = new AbortController();
    const request = (path: string, signal: AbortSignal) => {
      const deadline = createDeadline({ clock: systemClock, timeoutMs: 30_000, signal });
      return transport.send({ method: "GET", path, headers: {}, deadline });
    };
    const busy = Array.from({ length: 24 }, () => request("/busy", new AbortController().signal));
    await vi.waitFor(() => expect(server.requests).toHaveLength(24));
    const waiting = request("/waiting", caller.signal);
    const left = expect(waiting).rejects.toThrow("enough");
    // The request waits for a connection once its credentials are there.
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort(new Error("enough"));
    await left;
    for (const end of finish.splice(0)) end();
    await Promise.all(busy);
    const next = request("/next", new AbortController().signal);
    await vi.waitFor(() => expect(server.requests).toHaveLength(25));
    for (const end of finish.splice(0)) end();
    expect((await next).statusCode).toBe(200);
    expect(server.requests.map(({ path }) => path)).not.toContain("/waiting");
  });
});
