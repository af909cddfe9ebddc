import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CloudRelay, relayTo } from "./cloud-relay.ts";

const TAGS = { "cloudwright.io/service": "shop/web" };

describe("a relay in front of the cloud", () => {
  let cloud: Server;
  let relay: CloudRelay;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    cloud = createServer((incoming, outgoing) => {
      asked.push(`${incoming.method} ${incoming.url}`);
      outgoing.writeHead(200, { "content-type": "application/json", "x-request-id": "r-1" });
      outgoing.end(JSON.stringify({ items: [{ id: "lb-1", tags: TAGS }] }));
    });
    await new Promise<void>((resolve) => cloud.listen(0, "127.0.0.1", resolve));
    const address = cloud.address();
    const port = typeof address === "object" ? address?.port : undefined;
    relay = await relayTo(`http://127.0.0.1:${port}`);
  });
  afterEach(async () => {
    await relay.close();
    cloud.closeAllConnections();
    await new Promise((resolve) => cloud.close(resolve));
  });

  const send = (method: string, path: string, body?: object) =>
    fetch(relay.endpoint + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it("passes requests and answers on unchanged, and records them", async () => {
    const answer = await send("GET", "/v1/load-balancers?tag=a%3Db");
    expect(answer.headers.get("x-request-id")).toBe("r-1");
    expect(await answer.json()).toMatchObject({ items: [{ id: "lb-1" }] });
    expect(asked).toEqual(["GET /v1/load-balancers?tag=a%3Db"]);
    expect(relay.calls).toMatchObject([
      { number: 1, method: "GET", path: "/v1/load-balancers", query: "tag=a%3Db" },
    ]);
  });

  it("finds the Service of a request's load balancer from its tags and from earlier answers", async () => {
    await (await send("POST", "/v1/load-balancers", { tags: TAGS })).text();
    await (await send("PATCH", "/v1/load-balancers/lb-1", { members: [] })).text();
    await (await send("PATCH", "/v1/load-balancers/lb-2", { members: [] })).text();
    expect(relay.calls.map(({ service }) => service)).toEqual(["shop/web", "shop/web", undefined]);
  });

  it("answers instead of the cloud as often as a rule says", async () => {
    relay.rule({
      fits: ({ method }) => method === "DELETE",
      times: 1,
      strike: () => ({ status: 429, code: "throttled", retryAfter: 3 }),
    });
    const refused = await send("DELETE", "/v1/load-balancers/lb-1");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(asked).toEqual([]);
    expect((await send("DELETE", "/v1/load-balancers/lb-1")).status).toBe(200);
  });

  it("drops an answer after the cloud has done the work, and reports the request first", async () => {
    const handled: number[] = [];
    relay.onHandled(({ number }) => handled.push(number));
    const lift = relay.rule({ fits: () => true, strike: () => "lose" });
    await expect(send("POST", "/v1/load-balancers", {})).rejects.toThrow();
    expect([asked.length, handled]).toEqual([1, [1]]);
    await expect.poll(() => relay.calls[0]?.status).toBe(0);
    lift();
    expect((await send("POST", "/v1/load-balancers", {})).status).toBe(200);
  });
});
