import { afterEach, describe, expect, it } from "vitest";
import type { Clock } from "../../model/time.ts";
import { createKubeClient, type KubeConnection } from "../calls/kube-client.ts";
import { NODES } from "../client.ts";
import { systemClock } from "../system-clock.ts";
import {
  type Answer,
  sendJson,
  sendStatus,
  startApiServer,
  type TestApiServer,
} from "../testing/api-server.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { accessAsServiceAccount } from "./service-account.ts";

const ACCOUNT = "/api/v1/namespaces/kube-system/serviceaccounts/node-controller";
const ACCOUNTS = "/api/v1/namespaces/kube-system/serviceaccounts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Fixture {
  readonly server: TestApiServer;
  /** The controller's client. */
  readonly client: KubeConnection;
  /** Answers in place of the API server, by method and path. */
  readonly answers: Map<string, Answer>;
}

/** Starts an API server on which the account exists, and whose tokens are numbered. */
async function fixture(clock: Clock = systemClock): Promise<Fixture> {
  let issued = 0;
  const answers = new Map<string, Answer>([
    [`GET ${ACCOUNT}`, (_, response) => sendJson(response, { kind: "ServiceAccount" })],
    [
      `POST ${ACCOUNT}/token`,
      (_, response) => {
        issued += 1;
        const expirationTimestamp = new Date(clock.now() + 3_600_000).toISOString();
        sendJson(response, { status: { token: `issued-${issued}`, expirationTimestamp } }, 201);
      },
    ],
    ["GET /api/v1/nodes/n", (_, response) => sendJson(response, { kind: "Node" })],
  ]);
  const server = await startApiServer((request, response) => {
    const answer = answers.get(`${request.method} ${request.path}`);
    if (answer === undefined) sendStatus(response, 404, "NotFound");
    else answer(request, response);
  });
  const common = { clock, qps: 0, burst: 0, userAgent: "test" };
  const root = createKubeClient({ ...common, access: server.access });
  const access = accessAsServiceAccount({
    client: root,
    access: server.access,
    namespace: "kube-system",
    name: "node-controller",
    clock,
    onError: () => undefined,
  });
  const client = createKubeClient({ ...common, access });
  closers.push(server.close, root.close, client.close);
  return { server, client, answers };
}

const NODE = { resource: NODES, name: "n" };

describe("a client with the identity of a service account", () => {
  it("requests a token for an hour with the root identity, and calls only with that", async () => {
    const { server, client } = await fixture();
    await client.get(NODE);
    const seen = server.requests.map(
      ({ method, path, headers }) => `${method} ${path} ${headers.authorization}`,
    );
    expect(seen).toEqual([
      `GET ${ACCOUNT} Bearer token-0`,
      `POST ${ACCOUNT}/token Bearer token-0`,
      "GET /api/v1/nodes/n Bearer issued-1",
    ]);
    expect(JSON.parse(server.requests[1]?.body ?? "")).toMatchObject({
      kind: "TokenRequest",
      spec: { expirationSeconds: 3_600 },
    });
  });

  it("creates an account that does not exist", async () => {
    const { server, client, answers } = await fixture();
    answers.delete(`GET ${ACCOUNT}`);
    answers.set(`POST ${ACCOUNTS}`, (_, response) => sendJson(response, {}, 201));
    await client.get(NODE);
    const made = server.requests.find(({ method, path }) => method === "POST" && path === ACCOUNTS);
    expect(JSON.parse(made?.body ?? "")).toEqual({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { namespace: "kube-system", name: "node-controller" },
    });
  });

  it("goes on when another replica created it first", async () => {
    const { client, answers } = await fixture();
    answers.delete(`GET ${ACCOUNT}`);
    answers.set(`POST ${ACCOUNTS}`, (_, response) => sendStatus(response, 409, "AlreadyExists"));
    await expect(client.get(NODE)).resolves.toEqual({ kind: "Node" });
  });

  it("gets a new token, and with it a new account, when the old one is refused", async () => {
    const clock = createManualClock();
    const { client, answers } = await fixture(clock);
    await client.get(NODE);
    answers.set("GET /api/v1/nodes/n", ({ headers }, response) => {
      if (headers.authorization === "Bearer issued-1") sendStatus(response, 401, "Unauthorized");
      else sendJson(response, { kind: "Node" });
    });
    await clock.advance(5_000);
    await expect(client.get(NODE)).resolves.toEqual({ kind: "Node" });
  });

  it.each([
    {
      status: 403,
      reason: "Forbidden",
      code: "Unauthorized",
      says: /returned no token: Forbidden; apply the kustomize component .*, or grant this process get and create/,
    },
    { status: 404, reason: "NotFound", code: "Unavailable", says: /returned no token: / },
    { status: 409, reason: "Conflict", code: "Unavailable", says: /returned no token: / },
    { status: 429, reason: "TooManyRequests", code: "Unavailable", says: /returned no token: / },
  ])(
    "that gets no token ($status $reason) fails as such, never as if the requested object were missing",
    async ({ status, reason, code, says }) => {
      const { client, answers } = await fixture(IMPATIENT);
      answers.set(`POST ${ACCOUNT}/token`, (_, response) => sendStatus(response, status, reason));
      await expect(client.get(NODE)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(says),
      });
    },
  );

  it("treats an answer without a token as none", async () => {
    const { client, answers } = await fixture(IMPATIENT);
    answers.set(`POST ${ACCOUNT}/token`, (_, response) => sendJson(response, { status: {} }, 201));
    await expect(client.get(NODE)).rejects.toMatchObject({ code: "Unavailable" });
  });
});

/** Pauses between attempts take no time; deadlines do. */
const IMPATIENT: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs <= 2_000 ? 0 : delayMs, callback),
};
