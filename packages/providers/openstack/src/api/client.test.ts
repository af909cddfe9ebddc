import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { noAnswer, path } from "./client.ts";
import { isNotFound } from "./errors.ts";
import { cloud, noPorts, PORTS, ports, start } from "./testing/started-client.ts";

afterEach(() => cloud.close());

describe("a request", () => {
  it("is sent to the catalog's endpoint with the token and a Content-Length, and is reported", async () => {
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

  it("determines Nova's best microversion once", async () => {
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

describe("a listing", () => {
  const item = z.object({ id: z.string() });
  const list = (onUnreadable?: () => void) =>
    cloud.client.listAll({
      ...{ service: "network", path: "/ports", operation: "port_list", target: "all" },
      ...{ collection: "ports", item, query: { fields: ["id"] }, context: cloud.context() },
      ...(onUnreadable === undefined ? {} : { onUnreadable }),
    });

  it("is read to its last page, using only the markers in its links", async () => {
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

  it("fails for an item of the wrong shape, unless the caller handles those", async () => {
    await start({ answers: { [PORTS]: { body: { ports: [{ id: "p1" }, { id: 7 }] } } } });
    await expect(list()).rejects.toMatchObject({ code: "Unavailable" });
    const unreadable: unknown[] = [];
    await expect(list(() => unreadable.push("one"))).resolves.toMatchObject({
      items: [{ id: "p1" }],
    });
    expect(unreadable).toHaveLength(1);
  });

  it("without its collection is not an empty one", async () => {
    await start({ answers: { [PORTS]: { body: {} } } });
    await expect(list()).rejects.toMatchObject({ code: "Unavailable" });
  });
});

describe("versions", () => {
  it("are those of the services, read once and again after a failure", async () => {
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
    // Octavia's answer for an unknown path.
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

  it("says what failed, why and what to do, with the request's id and how long to wait, and without secrets", async () => {
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

  it("of a busy Octavia is recognised as busy, and a missing object as not found", async () => {
    await start({
      answers: { [PORTS]: octavia(409, "Invalid state PENDING_CREATE of loadbalancer resource x") },
    });
    await expect(ports()).rejects.toMatchObject({ call: { body: { reason: "busy" } } });
    expect(isNotFound(await ports().catch((error: unknown) => error))).toBe(false);
  });
});
