import { randomUUID } from "node:crypto";
import { newApiToken } from "@cloudwright/store/users/api-token-text";
import { beforeAll, describe, expect, it } from "vitest";
import { CLUSTER } from "../../../packages/store/testing/records.ts";
import { namesIn } from "../src/server/http-api/api-route.ts";
import { BASE } from "../src/server/http-api/base.ts";
import { openApiDocument } from "../src/server/http-api/open-api.ts";
import { ROUTES } from "../src/server/http-api/routes.ts";
import { ledger } from "../src/server/ledger.ts";
import { appRouter } from "../src/server/root.ts";
import { type ApiCall, callApi, descriptionCheck, schemaOf, tokenOf } from "./testing/api-calls.ts";
import { addressesOf, INTENT, OTHER, RUN, RUN_AT, testApiServer } from "./testing/api-fixture.ts";
import { type Browser, owner } from "./testing/dashboard-server.ts";

const server = testApiServer();
let admin: Browser;
let filled: (path: string) => string;
let token: string;

beforeAll(async () => {
  admin = await server.signedIn("admin");
  filled = await addressesOf(admin);
  token = await tokenOf(admin, { kind: "service", name: "tests" });
});

type Given = Partial<ApiCall>;

/** Calls with the tests' token, unless another one, or none, is given. */
function call(path: string, given: Given = {}) {
  return callApi(path, { authorization: `Bearer ${token}`, ...given });
}

const CLUSTER_PATH = `${BASE}/clusters/${CLUSTER}`;

const problemsOf = descriptionCheck();

describe("every address", () => {
  const document = openApiDocument();
  const { paths } = document;

  it.each(ROUTES.map(({ path }) => path))("%s answers as its description says", async (path) => {
    const { status, body, headers } = await call(filled(path));
    expect(status, JSON.stringify(body)).toBe(200);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(problemsOf(schemaOf(path), body)).toEqual([]);
  });

  it.each(ROUTES.map(({ path, procedure }) => [path, procedure] as const))(
    "%s is answered by a procedure that changes nothing: %s",
    (_path, procedure) => {
      const procedures = appRouter._def.procedures as unknown as Readonly<
        Record<string, { readonly _def: { readonly type: string } }>
      >;
      expect(procedures[procedure]?._def.type).toBe("query");
    },
  );

  it("is described, with each of its parameters", async () => {
    expect(Object.keys(paths)).toEqual(ROUTES.map(({ path }) => path));
    for (const [path, { get }] of Object.entries(paths)) {
      const inPath = get.parameters.filter((each) => each.in === "path").map(({ name }) => name);
      expect(inPath.toSorted(), path).toEqual(namesIn(path).toSorted());
      for (const { name, description } of get.parameters) {
        expect(description, `${path} ${name}`).not.toBe("");
      }
    }
    const ids = Object.values(paths).map(({ get }) => get.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is in the public description, in which every reference resolves", async () => {
    const { status, body } = await call(`${BASE}/openapi.json`, { authorization: undefined });
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    const known = Object.keys(document.components.schemas);
    expect(names.filter((name) => !known.includes(name ?? ""))).toEqual([]);
    expect(text).not.toContain('"__shared"');
  });
});

/** Queries of the pages that scripts cannot make, each with the reason. */
const WITHOUT_ADDRESS: Readonly<Record<string, string>> = {
  "people.me": "is about the session that asks: a token has none",
  "sessions.mine": "is about the session that asks: a token has none",
  "tokens.mine": "is for a user who has lost count of their tokens, not for a token",
  "people.admins": "names people for a page that tells a user whom to ask",
  "people.list": "has e-mail addresses and roles, which a leaked token must not give away",
  "sessions.list": "has addresses and browsers, which a leaked token must not give away",
  "tokens.list": "says which other tokens there are, which a leaked token must not give away",
  "webhooks.list": "says where notifications go, which a leaked token must not give away",
  "webhooks.deliveries": "says where notifications go, which a leaked token must not give away",
};

describe("every query of the pages", () => {
  const procedures = Object.entries(
    appRouter._def.procedures as unknown as Readonly<
      Record<string, { readonly _def: { readonly type: string } }>
    >,
  );
  const queries = procedures.flatMap(([name, { _def }]) => (_def.type === "query" ? [name] : []));

  it("has an address, or a reason for having none", () => {
    const addressed = new Set(ROUTES.map(({ procedure }) => procedure));
    const left = queries.filter((name) => !addressed.has(name));
    expect(new Set(left)).toEqual(new Set(Object.keys(WITHOUT_ADDRESS)));
  });
});

describe("a list", () => {
  it("is filtered, ordered and paged as on the pages", async () => {
    const first = await call(`${CLUSTER_PATH}/nodes?sort=-name&limit=1`);
    expect(first.body).toMatchObject({
      rows: [{ name: "w-2" }],
      total: { kind: "exact", count: 2 },
    });
    const { nextCursor = "" } = first.body as { readonly nextCursor?: string };
    const second = await call(`${CLUSTER_PATH}/nodes?sort=-name&limit=1&cursor=${nextCursor}`);
    expect(second.body).toMatchObject({ rows: [{ name: "w-1" }] });
    const asked = { filter: {}, sort: { by: "name", descending: true }, limit: 1 };
    const page = await admin.query("nodes.list", { ...asked, cluster: CLUSTER });
    expect(first.body).toEqual(JSON.parse(JSON.stringify(page.data)));
    expect((await call(`${CLUSTER_PATH}/nodes?text=W-1`)).body).toMatchObject({
      rows: [{ name: "w-1" }],
    });
    expect((await call(`${CLUSTER_PATH}/nodes?states=stuck&states=held`)).body).toMatchObject({
      rows: [],
    });
  });

  it("accepts times in RFC 3339 and in milliseconds", async () => {
    const at = RUN_AT + 1_000;
    for (const time of [String(at), new Date(at).toISOString()]) {
      expect((await call(`${CLUSTER_PATH}/runs?from=${time}`)).body, time).toMatchObject({
        rows: [],
      });
      expect((await call(`${CLUSTER_PATH}/runs?to=${time}`)).body, time).toMatchObject({
        rows: [{ id: RUN }],
      });
    }
  });

  it("takes the last day of February and another zone", async () => {
    for (const time of ["2024-02-29T23:30:00-05:00", "2026-12-31T00:00:00.5%2B14:00"]) {
      expect((await call(`${CLUSTER_PATH}/runs?to=${time}`)).status, time).toBe(200);
    }
  });

  it("accepts members of an object with a dot", async () => {
    const found = await call(`${CLUSTER_PATH}/actions?object.kind=Node&object.name=w-1&open=true`);
    expect(found.body).toMatchObject({ rows: [{ id: INTENT }] });
    const none = await call(`${CLUSTER_PATH}/runs?not.controller=cloud-node-controller`);
    expect(none.body).toMatchObject({ rows: [] });
  });
});

describe("a request that cannot be answered", () => {
  it.each([
    ["nodes?colour=red", "colour"],
    ["nodes?limit=0", "limit"],
    ["nodes?limit=201", "limit"],
    ["nodes?limit=1.5", "limit"],
    ["nodes?limit=", "limit"],
    ["nodes?limit=1&limit=2", "limit"],
    ["nodes?sort=height", "sort"],
    ["nodes?states=stuck&states=red", "states"],
    ["nodes?reason=%00", "reason"],
    ["runs?from=2026-02-30T12:00:00Z", "from"],
    ["runs?to=2025-02-29T24:00:00%2B01:00", "to"],
    ["runs?to=2026-11-29T25:00:00Z", "to"],
    ["nodes?cursor=x", "cursor"],
    ["nodes?filter=x", "filter"],
    ["nodes?cluster=x", "cluster"],
    ["nodes?__proto__=x", "__proto__"],
    [`nodes?text=${"x".repeat(300)}`, "text"],
    ["runs?from=yesterday", "from"],
    ["runs?from=-1", "from"],
    ["runs?to=9999999999999999", "to"],
    ["runs?minCalls=-1", "minCalls"],
    ["runs?requestId=abc", "requestId"],
    ["actions?open=yes", "open"],
    ["actions?object.kind=Node", "object.name"],
    ["audit?seq=0", "seq"],
    ["budget?range=year", "range"],
    ["runs-histogram?parts=0", "parts"],
    ["runs-histogram?sort=started", "sort"],
    ["audit-histogram?seq=0", "seq"],
    ["search", "text"],
    ["topology/nodes?text=w", "text"],
    ["dry-run?show=nothing", "show"],
    [`nodes?${"y".repeat(500)}=1`, `${"y".repeat(100)}…`],
  ])("names the parameter: %s", async (path, parameter) => {
    const { status, body } = await call(`${CLUSTER_PATH}/${path}`);
    expect(body).toMatchObject({ status: 400, code: "BAD_REQUEST", parameter });
    expect(status).toBe(400);
    expect((body as { readonly detail: string }).detail).toContain(parameter);
  });

  it("is refused for another list's cursor", async () => {
    const first = await call(`${CLUSTER_PATH}/nodes?limit=1`);
    const { nextCursor = "" } = first.body as { readonly nextCursor?: string };
    const { body } = await call(`${CLUSTER_PATH}/nodes?limit=1&sort=name&cursor=${nextCursor}`);
    expect(body).toMatchObject({ status: 400, parameter: "cursor" });
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("is refused by %s", async (method) => {
    for (const path of [`${BASE}/clusters`, `${BASE}/openapi.json`, `${BASE}/nothing`]) {
      const { status, headers, body } = await call(path, { method });
      expect(status, path).toBe(405);
      expect(headers.get("allow")).toBe("GET, HEAD");
      expect(body).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
    }
  });

  it.each([
    BASE,
    `${BASE}/`,
    `${BASE}/nodes`,
    `${BASE}/clusters/`,
    `${BASE}/clusters/${CLUSTER}/nodes/`,
    `${BASE}/clusters/${CLUSTER}/nodes/w-1/x`,
    `${BASE}/constructor`,
  ])("there is nothing at %s", async (path) => {
    expect((await call(path)).body).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it.each([
    `${BASE}/clusters/nowhere`,
    `${BASE}/clusters/nowhere/nodes`,
    `${CLUSTER_PATH}/nodes/w-9`,
    `${CLUSTER_PATH}/runs/${randomUUID()}`,
    `${CLUSTER_PATH}/runs/x`,
    `${CLUSTER_PATH}/runs/${randomUUID()}/comments`,
    `${CLUSTER_PATH}/actions/${RUN}/comments`,
    `${CLUSTER_PATH}/incidents/${randomUUID()}`,
    `${CLUSTER_PATH}/load-balancers/shop/none`,
    `${CLUSTER_PATH}/objects/Node/w%2F9`,
  ])("is refused if its object does not exist: %s", async (path) => {
    const { body, status, headers } = await call(path);
    expect(status).toBe(404);
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(problemsOf("Problem", body)).toEqual([]);
    expect(headers.get("x-request-id")).toBe((body as { readonly requestId: string }).requestId);
  });

  it("has no body in answer to HEAD, and the same headers", async () => {
    const { status, headers, body } = await call(`${BASE}/clusters`, { method: "HEAD" });
    expect([status, body]).toEqual([200, undefined]);
    expect(headers.get("content-type")).toContain("application/json");
  });
});

describe("a token", () => {
  it.each([
    ["none", undefined, /Bearer realm="cloudwright"$/],
    ["a password", "Basic YTpi", /invalid_request/],
    ["nothing after the scheme", "Bearer", /invalid_request/],
    ["two words", "Bearer a b", /invalid_request/],
    ["something else", "Bearer abc", /invalid_token/],
    ["one that nobody made", `Bearer ${newApiToken()}`, /invalid_token/],
  ])("is needed: %s is refused", async (_name, authorization, challenge) => {
    const { status, headers, body } = await call(`${BASE}/clusters`, { authorization });
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toMatch(challenge);
    expect(body).toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("accepts the scheme in any case", async () => {
    expect((await call(`${BASE}/clusters`, { authorization: `bearer ${token}` })).status).toBe(200);
  });

  it("cannot be replaced by a session's cookie", async () => {
    const { status } = await call(`${BASE}/clusters`, {
      authorization: undefined,
      headers: { cookie: admin.cookie ?? "" },
    });
    expect(status).toBe(401);
  });

  it("does not work on the pages' own API, which could change something", async () => {
    const asCookie = await server.nobody.query("clusters.list");
    expect(asCookie.status).toBe(401);
  });

  it("is refused with the reason once it is revoked, has expired, or its user is disabled", async () => {
    const ana = await server.signedIn("viewer");
    const revoked = await tokenOf(ana, { name: "revoked" });
    const expired = await tokenOf(ana, { name: "expired" });
    const blocked = await tokenOf(ana, { name: "blocked" });
    const idOf = async (name: string) =>
      (await ledger().prisma.apiToken.findFirstOrThrow({ where: { name, userId: ana.userId } })).id;
    await ana.mutate("tokens.revoke", { id: await idOf("revoked") });
    await owner().prisma.apiToken.update({
      where: { id: await idOf("expired") },
      data: { expiresAt: new Date(0) },
    });
    const by = async (one: string) =>
      (await call(`${BASE}/clusters`, { authorization: `Bearer ${one}` })).body;
    expect(await by(revoked)).toMatchObject({ status: 401, detail: /was revoked/ });
    expect(await by(expired)).toMatchObject({ status: 401, detail: /expired at/ });
    expect(await by(blocked)).toMatchObject({ rows: expect.anything() });
    await admin.mutate("people.disable", { id: ana.userId, why: "left" });
    expect(await by(blocked)).toMatchObject({ status: 401, detail: /disabled/ });
    const refused = await ledger().prisma.auditEntry.findMany({
      where: { action: "account.refused", objectKind: "ApiToken" },
      orderBy: { seq: "asc" },
    });
    expect(refused).toMatchObject([
      { objectName: "revoked" },
      { objectName: "expired" },
      { objectName: "blocked" },
    ]);
  });

  it("for some clusters learns nothing about the others", async () => {
    const some = await tokenOf(admin, { clusters: [OTHER] });
    const by = (path: string) => call(path, { authorization: `Bearer ${some}` });
    expect((await by(`${BASE}/clusters`)).body).toMatchObject({ rows: [{ id: OTHER }] });
    expect((await by(`${BASE}/clusters/${OTHER}/nodes`)).body).toMatchObject({
      rows: [{ name: "hidden" }],
    });
    for (const { path, fixed } of ROUTES) {
      const { status, body } = await by(filled(path));
      const isOfOne = path.includes("{cluster}") || fixed !== undefined;
      expect(status, path).toBe(isOfOne ? 404 : 200);
      expect(JSON.stringify(body), path).not.toMatch(/w-1|prod-eu/);
    }
  });

  it("of a user sees no more than its user, from the next request on", async () => {
    const bo = await server.signedIn("viewer");
    const theirs = await tokenOf(bo);
    const by = async () => (await call(CLUSTER_PATH, { authorization: `Bearer ${theirs}` })).status;
    expect(await by()).toBe(200);
    await admin.mutate("people.setClusters", { id: bo.userId, clusters: [OTHER] });
    expect(await by()).toBe(404);
    await admin.mutate("people.setClusters", { id: bo.userId, clusters: "all" });
    expect(await by()).toBe(200);
  });

  it("is rate-limited, and says when to retry", async () => {
    const busy = await tokenOf(admin, { kind: "service", name: "busy" });
    const by = () => call(`${BASE}/nothing-here`, { authorization: `Bearer ${busy}` });
    expect((await by()).status).toBe(404);
    const answers = [];
    for (let at = 0; at <= 600; at += 1) {
      answers.push(await call(`${BASE}/clusters?x=1`, { authorization: `Bearer ${busy}` }));
    }
    expect(answers.slice(0, 600).every(({ status }) => status === 400)).toBe(true);
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
    expect(answers.at(-1)?.headers.get("retry-after")).toBe("60");
    expect((await call(`${BASE}/clusters`)).status, "another token").toBe(200);
  });
});
