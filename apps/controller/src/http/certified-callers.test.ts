import { connect } from "node:http2";
import { text } from "node:stream/consumers";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import { Registry } from "prom-client";
import { Agent, request } from "undici";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaults } from "../flags/parse-flags.ts";
import { createHealthMetrics } from "../metrics/health-metrics.ts";
import { createAccess } from "./access.ts";
import {
  type ClientAuthorities,
  caBundle,
  NO_AUTHORITIES,
  trustedBy,
} from "./client-authorities.ts";
import { createPages } from "./pages.ts";
import { type HttpsServer, type HttpsServerOptions, startHttpsServer } from "./server.ts";
import { authority, clientPair, type KeyPair } from "./testing/certificates.ts";
import { tlsSource } from "./tls-material.ts";

let clientCa: KeyPair;
let otherCa: KeyPair;
let proxyCa: KeyPair;
let authorities: ClientAuthorities;
let server: HttpsServer;
let asked: unknown[];
let errors: unknown[];

beforeAll(async () => {
  [clientCa, otherCa, proxyCa] = await Promise.all([
    authority("clients"),
    authority("others"),
    authority("proxies"),
  ]);
});

beforeEach(() => {
  asked = [];
  errors = [];
  authorities = { ...NO_AUTHORITIES, clients: caBundle(clientCa.cert) };
});

afterEach(async () => {
  await server.close();
  expect(errors).toEqual([]);
});

describe("a caller with a certificate", () => {
  it("is reviewed by its name and groups", async () => {
    await serve();
    const pair = await clientPair(clientCa, { commonName: "kim", organization: "ops" });
    expect(await get("/metrics", pair)).toBe(200);
    expect(asked).toEqual([
      { user: "kim", groups: ["ops", "system:authenticated"], path: "/metrics" },
    ]);
  });

  it("is allowed without a review as a member of system:masters", async () => {
    await serve();
    const pair = await clientPair(clientCa, { commonName: "root", organization: "system:masters" });
    expect(await get("/metrics", pair)).toBe(200);
    expect(asked).toEqual([]);
  });

  it("is rejected if another authority signed it, but can still read health", async () => {
    await serve();
    const pair = await clientPair(otherCa, { commonName: "kim" });
    expect(await get("/metrics", pair)).toBe(401);
    expect(await get("/healthz", pair)).toBe(200);
  });

  it("is anonymous without one", async () => {
    await serve();
    expect(await get("/metrics")).toBe(200);
    expect(asked).toEqual([
      { user: "system:anonymous", groups: ["system:unauthenticated"], path: "/metrics" },
    ]);
  });

  it("is accepted under a new authority as soon as it is trusted, and no longer under the old one", async () => {
    await serve();
    authorities = { ...NO_AUTHORITIES, clients: caBundle(otherCa.cert) };
    server.trust(trustedBy(authorities));
    expect(await get("/metrics", await clientPair(otherCa, { commonName: "kim" }))).toBe(200);
    expect(await get("/metrics", await clientPair(clientCa, { commonName: "kim" }))).toBe(401);
  });

  it("has the identity that a front proxy names", async () => {
    authorities = {
      ...authorities,
      frontProxy: {
        ca: caBundle(proxyCa.cert),
        allowedNames: ["front-proxy"],
        usernameHeaders: ["x-remote-user"],
        uidHeaders: [],
        groupHeaders: ["x-remote-group"],
        extraHeaderPrefixes: ["x-remote-extra-"],
      },
    };
    await serve();
    const pair = await clientPair(proxyCa, { commonName: "front-proxy" });
    const headers = { "x-remote-user": "jane", "x-remote-group": "dev" };
    expect(await get("/metrics", pair, headers)).toBe(200);
    expect(asked).toEqual([
      { user: "jane", groups: ["dev", "system:authenticated"], path: "/metrics" },
    ]);
  });
});

describe("HTTP/2", () => {
  it("is used by default, and identifies callers as well", async () => {
    await serve();
    const pair = await clientPair(clientCa, { commonName: "kim" });
    expect(await getByHttp2("/metrics", pair)).toBe(200);
    expect(asked).toMatchObject([{ user: "kim" }]);
  });

  it("is not used with --disable-http2-serving", async () => {
    await serve({ http2: false });
    await expect(getByHttp2("/healthz")).rejects.toThrow();
    expect(await get("/healthz")).toBe(200);
  });

  it("does not keep the server from closing while a connection is open", async () => {
    await serve();
    const session = connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
    await new Promise((resolve) => session.once("connect", resolve));
    await server.close();
    session.destroy();
  });
});

async function serve({ http2 = true } = {}): Promise<void> {
  const access = createAccess({
    authentication: undefined,
    authorization: {
      create: (_target, object) => {
        const { spec } = object as unknown as {
          spec: { user: string; groups: string[]; nonResourceAttributes: { path: string } };
        };
        asked.push({
          user: spec.user,
          groups: spec.groups,
          path: spec.nonResourceAttributes.path,
        });
        return Promise.resolve({ ...object, status: { allowed: true } });
      },
    },
    alwaysAllow: ["/healthz"],
    authorities: () => authorities,
    clock: systemClock,
    tokenTtlMs: 0,
    allowedTtlMs: 0,
    deniedTtlMs: 0,
  });
  const options: HttpsServerOptions = {
    host: "127.0.0.1",
    port: 0,
    tls: (await tlsSource(defaults())).read().options,
    ...(http2 ? { http2: { maxStreams: 250 } } : {}),
    asksForCertificates: true,
    pages: createPages({
      registry: new Registry(),
      health: () => [],
      liveness: () => [],
      readiness: () => [],
      configuration: () => ({}),
      healthMetrics: createHealthMetrics(),
      onUnhealthy: () => undefined,
    }),
    access,
    onError: (error) => errors.push(error),
  };
  server = await startHttpsServer(options);
  server.trust(trustedBy(authorities));
}

async function get(
  path: string,
  pair?: KeyPair,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, ...pair } });
  try {
    const answer = await request(`https://127.0.0.1:${server.port}${path}`, {
      dispatcher,
      headers,
    });
    await answer.body.text();
    return answer.statusCode;
  } finally {
    await dispatcher.close();
  }
}

async function getByHttp2(path: string, pair?: KeyPair): Promise<number> {
  const session = connect(`https://127.0.0.1:${server.port}`, {
    rejectUnauthorized: false,
    ...pair,
  });
  try {
    return await new Promise<number>((resolve, reject) => {
      session.once("error", reject);
      const stream = session.request({ ":path": path });
      stream.once("error", reject);
      stream.once("response", (headers) => {
        text(stream).then(() => resolve(Number(headers[":status"])), reject);
      });
    });
  } finally {
    session.destroy();
  }
}
