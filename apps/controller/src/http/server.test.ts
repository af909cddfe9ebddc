import { once } from "node:events";
import { get as getPlainly } from "node:https";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { KubeError } from "@cloudwright/core/kube/errors";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import { Registry } from "prom-client";
import { Agent, fetch } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaults } from "../flags/parse-flags.ts";
import { createHealthMetrics } from "../metrics/health-metrics.ts";
import { type AccessOptions, createAccess } from "./access.ts";
import { NO_AUTHORITIES } from "./client-authorities.ts";
import { createPages, type HealthCheck } from "./pages.ts";
import { type HttpsServer, startHttpsServer } from "./server.ts";
import { tlsSource } from "./tls-material.ts";

const agent = new Agent({ connect: { rejectUnauthorized: false } });
let server: HttpsServer;
let checks: HealthCheck[];
let reviews: object[];
let errors: unknown[];

beforeEach(() => {
  checks = [well("leaderElection"), well("cloud-node-controller")];
  reviews = [];
  errors = [];
});

afterEach(() => server.close());

describe("health", () => {
  it.each(["/healthz", "/livez", "/readyz"])("answers ok to anybody on %s", async (path) => {
    await serve({});
    expect(await get(path)).toEqual({ status: 200, body: "ok" });
  });

  it("lists the checks if requested", async () => {
    await serve({});
    expect(await get("/healthz?verbose")).toEqual({
      status: 200,
      body: "[+]leaderElection ok\n[+]cloud-node-controller ok\nhealthz check passed\n",
    });
  });

  it("answers 500 with the list of checks, but not the reason", async () => {
    checks.push({ name: "wedged", check: () => "a worker hangs in node-7" });
    await serve({});
    const { status, body } = await get("/healthz");
    expect(status).toBe(500);
    expect(body).toContain("[-]wedged failed: reason withheld\nhealthz check failed\n");
    expect(body).not.toContain("node-7");
    expect(errors).toEqual(["healthz wedged: a worker hangs in node-7"]);
  });

  it("leaves out excluded checks, and warns of unknown names", async () => {
    checks.push({ name: "wedged", check: () => "broken" });
    await serve({});
    const { status, body } = await get("/healthz?exclude=wedged&exclude=nonsense&verbose");
    expect(status).toBe(200);
    expect(body).toContain("[+]wedged excluded: ok");
    expect(body).toContain(
      'warn: some health checks cannot be excluded: no matches for "nonsense"',
    );
  });

  it("names the leader in a verbose answer", async () => {
    checks = [{ name: "leadership", check: () => undefined, note: () => "standby of a_1" }];
    await serve({});
    expect((await get("/readyz?verbose")).body).toContain("[+]leadership ok (standby of a_1)");
  });

  it("serves exact paths only", async () => {
    await serve({ authorization: reviewer({ allowed: true }) });
    expect((await get("/healthz/leaderElection")).status).toBe(404);
  });

  it("answers 400 to an invalid target, and logs nothing", async () => {
    await serve({});
    expect(await statusOf("//")).toBe(400);
    expect(errors).toEqual([]);
  });

  it("refuses writes", async () => {
    await serve({});
    expect((await get("/healthz", { method: "POST" })).status).toBe(405);
  });
});

describe("who may read /metrics", () => {
  it("nobody without a cluster that authorises", async () => {
    await serve({});
    const { status, body } = await get("/metrics");
    expect(status).toBe(403);
    expect(body).toBe('forbidden: User "system:anonymous" cannot get path "/metrics"\n');
  });

  it("treats a token as anonymous without a cluster that authenticates", async () => {
    await serve({});
    expect((await get("/metrics", { token: "t" })).status).toBe(403);
  });

  it("refuses a token that the cluster rejects", async () => {
    await serve({ authentication: reviewer({ authenticated: false }) });
    expect((await get("/metrics", { token: "wrong" })).status).toBe(401);
  });

  it("admits callers that the cluster allows, and caches the answer", async () => {
    const user = { username: "prometheus", groups: ["g"] };
    await serve({
      authentication: reviewer({ authenticated: true, user }),
      authorization: reviewer({ allowed: true }),
    });
    const first = await get("/metrics", { token: "t" });
    expect(first.status).toBe(200);
    expect((await get("/metrics", { token: "t" })).status).toBe(200);
    expect(reviews).toEqual([
      expect.objectContaining({ kind: "TokenReview", spec: { token: "t" } }),
      expect.objectContaining({
        kind: "SubjectAccessReview",
        spec: {
          user: "prometheus",
          groups: ["g"],
          nonResourceAttributes: { path: "/metrics", verb: "get" },
        },
      }),
    ]);
  });

  it("admits members of system:masters without a review", async () => {
    const user = { username: "root", groups: ["system:masters"] };
    await serve({ authentication: reviewer({ authenticated: true, user }) });
    expect((await get("/metrics", { token: "t" })).status).toBe(200);
  });

  it("refuses callers that the cluster does not allow", async () => {
    await serve({ authorization: reviewer({ allowed: false }) });
    expect((await get("/metrics")).status).toBe(403);
  });

  it("reports that the cluster cannot be reached", async () => {
    const error = new KubeError("Unavailable", "down", { verb: "create", resource: "x" });
    await serve({ authorization: { create: () => Promise.reject(error) } });
    expect((await get("/metrics")).status).toBe(503);
    expect(errors).toEqual([error]);
  });

  it("can be made public by --authorization-always-allow-paths", async () => {
    await serve({ alwaysAllow: ["/metrics"] });
    expect((await get("/metrics")).status).toBe(200);
    expect((await get("/healthz")).status).toBe(403);
  });
});

describe("/metrics/slis", () => {
  const masters = {
    authentication: reviewer({
      authenticated: true,
      user: { username: "root", groups: ["system:masters"] },
    }),
  };
  const slis = (method = "GET") => get("/metrics/slis", { token: "t", method });

  it("reports each check's last result, and how often it ran", async () => {
    checks.push({ name: "wedged", check: () => "broken" });
    await serve(masters);
    await get("/healthz");
    await get("/healthz?exclude=leaderElection");
    await get("/readyz?exclude=wedged");
    const { status, body } = await slis();
    expect(status).toBe(200);
    const series = body.split("\n").filter((line) => line.startsWith("kubernetes_"));
    expect(series.sort()).toEqual([
      'kubernetes_healthchecks_total{name="cloud-node-controller",type="healthz",status="success"} 2',
      'kubernetes_healthchecks_total{name="cloud-node-controller",type="readyz",status="success"} 1',
      'kubernetes_healthchecks_total{name="leaderElection",type="healthz",status="success"} 1',
      'kubernetes_healthchecks_total{name="leaderElection",type="readyz",status="success"} 1',
      'kubernetes_healthchecks_total{name="wedged",type="healthz",status="error"} 2',
      'kubernetes_healthcheck{name="cloud-node-controller",type="healthz"} 1',
      'kubernetes_healthcheck{name="cloud-node-controller",type="readyz"} 1',
      'kubernetes_healthcheck{name="leaderElection",type="healthz"} 1',
      'kubernetes_healthcheck{name="leaderElection",type="readyz"} 1',
      'kubernetes_healthcheck{name="wedged",type="healthz"} 0',
    ]);
  });

  it("starts over after DELETE", async () => {
    await serve(masters);
    await get("/livez");
    expect(await slis("DELETE")).toEqual({ status: 200, body: "metrics reset\n" });
    expect((await slis()).body).not.toContain("kubernetes_healthchecks_total{");
  });

  it("is not public, and no other page can be deleted", async () => {
    await serve(masters);
    expect((await get("/metrics/slis")).status).toBe(403);
    expect((await get("/metrics", { token: "t", method: "DELETE" })).status).toBe(405);
  });
});

it("says what to do if the port is in use", async () => {
  await serve({});
  await expect(
    startHttpsServer({ ...(await serverOptions({})), port: server.port }),
  ).rejects.toThrow(
    /^HTTPS cannot listen on 127.0.0.1 port \d+: it is in use; choose another address with/,
  );
});

describe("the end of the server", () => {
  it.each<[string, string]>([
    ["says nothing", ""],
    ["stops in the middle of a request", "GET /healthz HTTP/1.1\r\nhost:"],
  ])("does not wait for a caller that %s", async (_, said) => {
    await serve({});
    const socket = connectTls({ host: "127.0.0.1", port: server.port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    socket.on("error", () => undefined).write(said);
    const lost = once(socket, "close");
    await Promise.all([server.close(), lost]);
  });

  it("does not wait for a caller that never starts TLS", async () => {
    await serve({});
    const socket = connectTcp({ host: "127.0.0.1", port: server.port });
    await once(socket, "connect");
    const lost = once(socket.on("error", () => undefined).resume(), "close");
    await Promise.all([server.close(), lost]);
  });
});

async function serve(access: Partial<AccessOptions>): Promise<void> {
  server = await startHttpsServer(await serverOptions(access));
}

async function serverOptions(access: Partial<AccessOptions>) {
  const pages = createPages({
    registry: new Registry(),
    health: () => checks,
    liveness: () => checks,
    readiness: () => checks,
    configuration: () => ({}),
    healthMetrics: createHealthMetrics(),
    onUnhealthy: (path, name, problem) => errors.push(`${path} ${name}: ${problem}`),
  });
  return {
    host: "127.0.0.1",
    port: 0,
    tls: (await tlsSource(defaults())).read().options,
    pages,
    access: createAccess({
      authentication: undefined,
      authorization: undefined,
      alwaysAllow: ["/healthz", "/readyz", "/livez"],
      authorities: () => NO_AUTHORITIES,
      clock: systemClock,
      tokenTtlMs: 10_000,
      allowedTtlMs: 10_000,
      deniedTtlMs: 10_000,
      ...access,
    }),
    onError: (error: unknown) => errors.push(error),
  };
}

function reviewer(status: object): NonNullable<AccessOptions["authentication"]> {
  return {
    create: (_target, object) => {
      reviews.push(object);
      return Promise.resolve({ ...object, status });
    },
  };
}

async function get(
  path: string,
  { token, method = "GET" }: { token?: string; method?: string } = {},
) {
  const answer = await fetch(`https://127.0.0.1:${server.port}${path}`, {
    method,
    dispatcher: agent,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, body: await answer.text() };
}

/** Requests a target that fetch would normalise. */
function statusOf(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = { host: "127.0.0.1", port: server.port, path, rejectUnauthorized: false };
    getPlainly(asked, (answer) => resolve(answer.resume().statusCode)).once("error", reject);
  });
}

function well(name: string): HealthCheck {
  return { name, check: () => undefined };
}
