import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type CloudOptions,
  type CloudUnderTest,
  standardAnswers,
  startCloud,
  tokenAnswer,
} from "../testing/cloud.ts";
import type { ScriptedAnswer, SeenRequest } from "../testing/http-service.ts";
import { noAnswer, path } from "./client.ts";
import { isNotFound } from "./errors.ts";

const LOGIN = "POST /identity/v3/auth/tokens";
const PORTS = "GET /network/v2.0/ports";

let cloud: CloudUnderTest;
afterEach(() => cloud.close());

async function start(options: CloudOptions) {
  cloud = await startCloud(options);
  return cloud;
}

const ports = (context = cloud.context()) =>
  cloud.client.request({
    ...{ service: "network", path: "/ports", operation: "port_list", target: "all", context },
    schema: z.object({ ports: z.array(z.object({ id: z.string() })) }),
  });
const noPorts: ScriptedAnswer = { body: { ports: [] } };

/** A login whose token says how many there were. */
function countedLogins(): (request: SeenRequest) => ScriptedAnswer {
  let count = 0;
  return () => {
    count += 1;
    const standard = standardAnswers(cloud.service.url)[LOGIN];
    return { ...standard, headers: { "x-subject-token": `token-${count}` } };
  };
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe("a request", () => {
  it("goes to the catalog's endpoint with the token and a Content-Length, and is reported", async () => {
    await start({
      answers: {
        "PUT /network/v2.0/ports/a%2Fb": {
          headers: { "x-openstack-request-id": "req-1" },
          body: {},
        },
      },
    });
    const answer = await cloud.client.request({
      ...{
        service: "network",
        method: "PUT",
        path: path`/ports/${"a/b"}`,
        query: { tags: ["x", "y"], none: undefined },
      },
      ...{
        operation: "port_update",
        target: "a/b",
        body: { port: { name: "ü" } },
        schema: noAnswer,
      },
      context: cloud.context(),
    });
    const [request] = cloud.service.requests("PUT /network/v2.0/ports/a%2Fb");
    expect(request?.query.toString()).toBe("tags=x&tags=y");
    expect(request?.body).toEqual({ port: { name: "ü" } });
    expect(request?.headers).toMatchObject({
      "x-auth-token": "token-1",
      "content-length": "22",
      "user-agent": "test",
    });
    expect(answer).toMatchObject({ status: 200, requestId: "req-1" });
    expect(cloud.calls.map(({ operation, mutates }) => [operation, mutates])).toEqual([
      ["token_create", false],
      ["port_update", true],
    ]);
  });

  it("asks Nova for the best microversion that it has, once", async () => {
    await start({ answers: { "GET /compute/v2.1/servers/a": { body: { server: {} } } } });
    const read = () =>
      cloud.client.request({
        ...{ service: "compute", path: "/servers/a", operation: "server_get", target: "a" },
        ...{ schema: noAnswer, context: cloud.context() },
      });
    await read();
    await read();
    const seen = cloud.service.requests("GET /compute/v2.1/servers/a");
    expect(seen.map(({ headers }) => headers["openstack-api-version"])).toEqual([
      "compute 2.69",
      "compute 2.69",
    ]);
    expect(cloud.service.requests("GET /compute/v2.1/")).toHaveLength(1);
  });
});

describe("a token", () => {
  it("is fetched once for all who ask at one time", async () => {
    await start({ answers: { [PORTS]: noPorts } });
    await Promise.all([ports(), ports(), ports()]);
    expect(cloud.service.requests(LOGIN)).toHaveLength(1);
  });

  it("is fetched by another when whoever began gave up", async () => {
    const [arrived, first] = [deferred(), deferred()];
    let logins = 0;
    await start({
      answers: {
        [PORTS]: noPorts,
        [LOGIN]: async () => {
          logins += 1;
          arrived.resolve();
          if (logins === 1) await first.promise;
          return { ...standardAnswers(cloud.service.url)[LOGIN] };
        },
      },
    });
    const given = new AbortController();
    const one = ports(cloud.context(given.signal));
    const other = ports();
    await arrived.promise;
    given.abort(new Error("the run ended"));
    await expect(one).rejects.toThrow("the run ended");
    await expect(other).resolves.toMatchObject({ status: 200 });
    first.resolve();
  });

  it("is renewed at four fifths of its life, and serves on when that fails", async () => {
    const keystone: { isUp: boolean } = { isUp: true };
    const logins = countedLogins();
    await start({
      answers: {
        [PORTS]: noPorts,
        [LOGIN]: (request) => (keystone.isUp ? logins(request) : { status: 503 }),
      },
    });
    await ports();
    cloud.pass(47 * 60_000);
    await ports();
    expect(cloud.service.requests(LOGIN)).toHaveLength(1);
    keystone.isUp = false;
    cloud.pass(2 * 60_000);
    await ports();
    await ports();
    expect(cloud.service.requests(LOGIN)).toHaveLength(2);
    keystone.isUp = true;
    cloud.pass(60_000);
    await ports();
    const used = cloud.service.requests(PORTS).map(({ headers }) => headers["x-auth-token"]);
    expect(used).toEqual(["token-1", "token-1", "token-1", "token-1", "token-2"]);
  });

  it("is renewed once when a service refuses it, and the request repeated", async () => {
    await start({
      answers: {
        [LOGIN]: countedLogins(),
        [PORTS]: ({ headers }) =>
          headers["x-auth-token"] === "token-1" ? { status: 401, body: {} } : noPorts,
      },
    });
    await expect(ports()).resolves.toMatchObject({ status: 200 });
    expect(cloud.service.requests(LOGIN)).toHaveLength(2);
  });

  it("that is refused straight after its renewal is refused credentials, not something that is gone", async () => {
    await start({ answers: { [LOGIN]: countedLogins(), [PORTS]: { status: 401, body: {} } } });
    await expect(ports()).rejects.toMatchObject({ code: "Unauthorized" });
    expect(cloud.service.requests(PORTS)).toHaveLength(2);
  });
});

describe("a login that fails", () => {
  const keystone = (code: number, title: string, message: string) => ({
    status: code,
    body: { error: { code, title, message } },
  });

  it.each([
    [
      "a wrong secret",
      keystone(401, "Unauthorized", "The request you have made requires authentication."),
      "Unauthorized: Keystone refused our credentials",
    ],
    [
      "an unknown application credential",
      keystone(404, "Not Found", "Could not find Application Credential: ac."),
      "Unauthorized: Keystone refused our credentials",
    ],
    [
      "a wrong auth-url",
      { status: 404, text: "<html>Not Found</html>" },
      "Unavailable: correct auth-url in cloud.conf",
    ],
    [
      "a list of versions",
      { status: 300, body: { versions: {} } },
      "Unavailable: correct auth-url in cloud.conf",
    ],
    ["another service", { status: 201, body: {} }, "Unavailable: not what Keystone's API promises"],
    [
      "a broken Keystone",
      { status: 503, text: "no" },
      "Unavailable: Keystone refused token_create with 503",
    ],
  ])("by %s says so", async (_, answer, error) => {
    await start({ answers: { [LOGIN]: answer } });
    const [code, message] = error.split(": ");
    await expect(ports()).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message ?? ""),
    });
  });

  it("by a token that has expired says that it cannot be renewed", async () => {
    await start({
      credentials: "token = t0ken-of-ours",
      answers: { [LOGIN]: keystone(401, "Unauthorized", "t0ken-of-ours is no good") },
    });
    const error = await ports().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "Unauthorized",
      message: expect.stringContaining("cannot be renewed"),
    });
    expect(JSON.stringify(error)).not.toContain("t0ken-of-ours");
  });

  it("by having no project says which option is missing", async () => {
    await start({
      answers: {
        [LOGIN]: { ...tokenAnswer([]), body: { token: { expires_at: "2027-01-01T00:00:00Z" } } },
      },
    });
    await expect(ports()).rejects.toMatchObject({
      code: "Invalid",
      message: expect.stringContaining("tenant-id"),
    });
  });
});

describe("a catalog", () => {
  const endpoint = (region: string, path: string) => ({
    interface: "public",
    region_id: region,
    url: `${cloud.service.url}${path}`,
  });
  const twoRegions = () =>
    tokenAnswer([{ type: "network", endpoints: [endpoint("a", "/a"), endpoint("b", "/b")] }]);

  it("of several regions needs the region that is meant", async () => {
    await start({ answers: { [LOGIN]: twoRegions } });
    await expect(ports()).rejects.toMatchObject({
      code: "Invalid",
      message: expect.stringContaining("(a, b); set region"),
    });
  });

  it("is read for our region", async () => {
    await start({
      credentials: "region = b\ntoken = t0ken-of-ours",
      answers: { [LOGIN]: twoRegions, "GET /b/v2.0/ports": noPorts },
    });
    await expect(ports()).resolves.toMatchObject({ status: 200 });
  });

  it("without a service says which, and has no endpoint of it", async () => {
    await start({ answers: { [LOGIN]: () => tokenAnswer([{ type: "compute", endpoints: [] }]) } });
    await expect(ports()).rejects.toMatchObject({
      code: "Unsupported",
      message: expect.stringContaining("Neutron"),
    });
    await expect(cloud.client.endpoint("network", cloud.context())).resolves.toBeUndefined();
  });
});

describe("a listing", () => {
  const item = z.object({ id: z.string() });
  const list = (onUnreadable?: () => void) =>
    cloud.client.listAll({
      ...{ service: "network", path: "/ports", operation: "port_list", target: "all" },
      ...{ collection: "ports", item, query: { fields: ["id"] }, context: cloud.context() },
      ...(onUnreadable === undefined ? {} : { onUnreadable }),
    });

  it("is read to its last page, by the markers of its links alone", async () => {
    await start({
      answers: {
        [PORTS]: ({ query }) =>
          query.get("marker") === "p1"
            ? { body: { ports: [{ id: "p2" }] } }
            : {
                body: {
                  ports: [{ id: "p1" }],
                  ports_links: [
                    { rel: "next", href: "http://elsewhere.example/?limit=1&marker=p1" },
                  ],
                },
              },
      },
    });
    await expect(list()).resolves.toMatchObject({ items: [{ id: "p1" }, { id: "p2" }] });
    expect(cloud.service.requests(PORTS).map(({ query }) => query.toString())).toEqual([
      "limit=1000&fields=id",
      "limit=1000&fields=id&marker=p1",
    ]);
  });

  it("fails for an item that does not fit, unless somebody takes those", async () => {
    await start({ answers: { [PORTS]: { body: { ports: [{ id: "p1" }, { id: 7 }] } } } });
    await expect(list()).rejects.toMatchObject({ code: "Unavailable" });
    const unreadable: unknown[] = [];
    await expect(list(() => unreadable.push("one"))).resolves.toMatchObject({
      items: [{ id: "p1" }],
    });
    expect(unreadable).toHaveLength(1);
  });

  it("without its collection is no empty one", async () => {
    await start({ answers: { [PORTS]: { body: {} } } });
    await expect(list()).rejects.toMatchObject({ code: "Unavailable" });
  });
});

describe("versions", () => {
  it("are those that the services have, read once and again after a failure", async () => {
    const neutron: { isUp: boolean } = { isUp: true };
    await start({ answers: { [PORTS]: () => (neutron.isUp ? noPorts : { status: 503 }) } });
    const extensions = () => cloud.client.versions("network", cloud.context());
    expect(await cloud.client.versions("load-balancer", cloud.context())).toBe(26);
    expect(await extensions()).toEqual(new Set(["extraroute-atomic"]));
    await extensions();
    expect(cloud.service.requests("GET /network/v2.0/extensions")).toHaveLength(1);
    neutron.isUp = false;
    await expect(ports()).rejects.toMatchObject({ code: "Unavailable" });
    await extensions();
    expect(cloud.service.requests("GET /network/v2.0/extensions")).toHaveLength(2);
  });
});

describe("a refusal", () => {
  const neutron = (status: number, type: string, message = type) => ({
    status,
    body: { NeutronError: { type, message, detail: "" } },
  });
  const octavia = (status: number, faultstring: string) => ({
    status,
    body: { faultcode: "Client", faultstring, debuginfo: null },
  });

  it.each([
    [neutron(400, "InvalidInput"), "Invalid"],
    [neutron(403, "PolicyNotAuthorized"), "Unauthorized"],
    [octavia(403, "Quota has been met for resources: Load Balancer"), "QuotaExceeded"],
    [
      { status: 403, body: { forbidden: { code: 403, message: "Quota exceeded for instances" } } },
      "QuotaExceeded",
    ],
    [neutron(404, "PortNotFound"), "NotFound"],
    [
      {
        status: 404,
        body: { itemNotFound: { code: 404, message: "Instance x could not be found." } },
      },
      "NotFound",
    ],
    [
      {
        status: 404,
        body: {
          message: "The resource could not be found.",
          code: "404 Not Found",
          title: "Not Found",
        },
      },
      "Unavailable",
    ],
    [neutron(404, "HTTPNotFound", "The resource could not be found."), "Unavailable"],
    // Octavia's answer for a path that it does not know.
    [{ status: 404, body: { code: 404, title: "Not Found", description: "" } }, "Unavailable"],
    [{ status: 404, text: "<html>404</html>" }, "Unavailable"],
    [octavia(409, "Load Balancer x is immutable and cannot be updated."), "Conflict"],
    [neutron(409, "OverQuota", "Quota exceeded for resources: ['floatingip']."), "QuotaExceeded"],
    [neutron(409, "IpAddressGenerationFailure"), "QuotaExceeded"],
    [neutron(409, "SecurityGroupRuleExists"), "Conflict"],
    [neutron(412, "RevisionNumberConstraintFailed"), "Conflict"],
    [
      {
        status: 413,
        body: { overLimit: { code: 413, message: "This request was rate-limited." } },
      },
      "Throttled",
    ],
    [{ status: 429, text: "slow down" }, "Throttled"],
    [octavia(501, "Provider 'ovn' does not support a requested option"), "Unsupported"],
    [{ status: 500, text: "" }, "Unavailable"],
    [{ status: 504, text: "<html>" }, "Unavailable"],
  ])("%j is %s", async (answer, code) => {
    await start({ answers: { [PORTS]: answer } });
    await expect(ports()).rejects.toMatchObject({ code });
  });

  it("says what failed, why and what to do, with the request's id, how long to wait, and no secret", async () => {
    const headers = { "x-openstack-request-id": "req-7", "retry-after": "3" };
    await start({
      answers: {
        [PORTS]: {
          ...neutron(409, "OverQuota", "Quota exceeded for token-1 s3cret-of-ac."),
          headers,
        },
      },
    });
    await expect(ports()).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Neutron refused port_list with 409: Quota exceeded for \S+ \*\*\*; raise the project's quota/,
      ),
      call: {
        status: 409,
        requestId: "req-7",
        retryAfterMs: 3_000,
        body: { code: "OverQuota", reason: "quota" },
      },
    });
  });

  it("of Octavia at work is known as busy, and a thing that is gone as not found", async () => {
    await start({
      answers: { [PORTS]: octavia(409, "Invalid state PENDING_CREATE of loadbalancer resource x") },
    });
    await expect(ports()).rejects.toMatchObject({ call: { body: { reason: "busy" } } });
    expect(isNotFound(await ports().catch((error: unknown) => error))).toBe(false);
  });
});
