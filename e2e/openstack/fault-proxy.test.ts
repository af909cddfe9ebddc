import { createServer, type Server } from "node:http";
import { Agent, request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countsOf, type FaultProxy, openFaultProxy, writesAmong } from "./fault-proxy.ts";

const ID = "00000000-0000-4000-8000-000000000000";

describe("a fault proxy in front of the services", () => {
  let services: Server;
  let origin: string;
  let proxy: FaultProxy;
  let agent: Agent;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    services = createServer((incoming, outgoing) => {
      asked.push(`${incoming.method} ${incoming.url}`);
      outgoing.writeHead(200, { "content-type": "application/json", "x-subject-token": "t-1" });
      outgoing.end(JSON.stringify({ links: [{ href: `${origin}/v2.0/next` }] }));
    });
    await new Promise<void>((resolve) => services.listen(0, "127.0.0.1", resolve));
    const address = services.address();
    origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const elsewhere = "http://127.0.0.1:9";
    proxy = await openFaultProxy({
      ...{ identity: elsewhere, compute: elsewhere, "load-balancer": elsewhere, network: origin },
    });
    agent = new Agent({ connect: { ca: proxy.ca } });
  });
  afterEach(async () => {
    await agent.destroy();
    await proxy.close();
    services.closeAllConnections();
    await new Promise((resolve) => services.close(resolve));
  });

  const send = (method: "GET" | "POST", path: string) =>
    request(proxy.endpoint + path, { dispatcher: agent, method });

  it("leads each type to its service, and every link back to itself", async () => {
    const answer = await send("GET", "/network/v2.0/ports?limit=1");
    expect(answer.headers["x-subject-token"]).toBe("t-1");
    expect(await answer.body.json()).toEqual({
      links: [{ href: `${proxy.endpoint}/network/v2.0/next` }],
    });
    expect(asked).toEqual(["GET /v2.0/ports?limit=1"]);
  });

  it("is trusted only by who has its authority", async () => {
    await expect(request(`${proxy.endpoint}/network/v2.0/ports`)).rejects.toThrow(/certificate/);
  });

  it("refuses in the words of the service, as often as a rule says", async () => {
    proxy.rule({
      times: 1,
      fits: ({ service }) => service === "network",
      strike: () => ({ status: 429, code: "TooMany", retryAfter: 7, message: "slow down" }),
    });
    const refused = await send("GET", "/network/v2.0/ports");
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "7"]);
    expect(await refused.body.json()).toMatchObject({ NeutronError: { message: "slow down" } });
    expect((await send("GET", "/network/v2.0/ports")).statusCode).toBe(200);
    expect(asked).toHaveLength(1);
  });

  it("loses an answer of work that was done", async () => {
    proxy.rule({ times: 1, fits: ({ method }) => method === "POST", strike: () => "lose" });
    await expect(send("POST", "/network/v2.0/floatingips")).rejects.toThrow();
    expect(asked).toEqual(["POST /v2.0/floatingips"]);
  });

  it("counts calls by what they are, whichever object they are about, and knows which change the cloud", async () => {
    for (const method of ["GET", "POST"] as const)
      await (await send(method, "/network/v2.0/routers")).body.dump();
    for (const id of ["1", "2"])
      await (await send("GET", `/network/v2.0/ports/${ID.slice(0, -1)}${id}/tags`)).body.dump();
    expect(countsOf(proxy.calls)).toEqual({
      "GET routers": 1,
      "POST routers": 1,
      "GET ports/ID/tags": 2,
    });
    expect(writesAmong(proxy.calls).map(({ route }) => route)).toEqual(["/v2.0/routers"]);
  });

  it("has no rule in force any more once all are lifted", async () => {
    proxy.rule({ fits: () => true, strike: () => ({ status: 503, code: "Down" }) });
    proxy.liftAll();
    expect((await send("GET", "/network/v2.0/ports")).statusCode).toBe(200);
  });

  it("drops what leads to no service", async () => {
    await expect(send("GET", "/nowhere/v1")).rejects.toThrow();
  });
});
