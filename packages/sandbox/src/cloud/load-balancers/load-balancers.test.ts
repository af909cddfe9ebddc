import { describe, expect, it } from "vitest";
import {
  LOAD_BALANCERS,
  loadBalancersForEachTest,
  pathOf,
} from "../testing/load-balancers-under-test.ts";

const { cloud, make, makeMachine } = loadBalancersForEachTest();

describe("a load balancer", () => {
  it("has defaults for everything but its name", async () => {
    expect(await make()).toEqual({
      id: expect.stringMatching(/^lb-[0-9a-f]{16}$/),
      name: "lb",
      state: "active",
      address: expect.stringMatching(/^198\.19\./),
      tags: {},
      listeners: [],
      members: [],
      sourceRanges: [],
      healthCheck: { protocol: "TCP" },
      proxyProtocol: false,
      internal: false,
      affinity: { kind: "none" },
      families: ["IPv4"],
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it("is as requested", async () => {
    const member = await makeMachine();
    const options = {
      name: "web-1",
      tags: { "cloudwright.io/cluster": "u1" },
      listeners: [
        { name: "http", protocol: "TCP", port: 80, nodePort: 30_080 },
        { name: "dns", protocol: "UDP", port: 80, nodePort: 30_053 },
        { name: "", protocol: "TCP", port: 65_535, nodePort: 1 },
      ],
      members: [member],
      sourceRanges: ["10.0.0.0/8", "fd00::/8"],
      healthCheck: { protocol: "HTTP", path: "/healthz", port: 32_000 },
      proxyProtocol: true,
      internal: true,
      affinity: { kind: "clientIP", timeoutSeconds: 10_800 },
      families: ["IPv6", "IPv4"],
    };
    const made = await make(options);
    expect(made).toMatchObject({
      ...options,
      address: expect.stringMatching(/^10\.32\./),
      addressV6: expect.stringMatching(/^fd00:32::/),
    });
    expect(await cloud.read(pathOf(made))).toEqual(made);
  });

  it("shares its name, but never its address", async () => {
    const machine = await cloud.make("/v1/instances", {
      name: "n",
      addresses: [{ type: "ExternalIP", address: "198.19.0.2" }],
    });
    const made = await Promise.all(Array.from({ length: 300 }, () => make()));
    const addresses = new Set(made.map(({ address }) => address));
    expect(addresses.size).toBe(300);
    expect(addresses).not.toContain("198.19.0.2");
    expect(await cloud.call("DELETE", `/v1/instances/${machine.id}`)).toMatchObject({
      status: 204,
    });
  });

  it.each([
    [{ families: ["IPv4"] }, { address: expect.stringMatching(/\./) }],
    [{ families: ["IPv6"] }, { address: "", addressV6: "2001:db8::1" }],
    [
      { families: ["IPv4", "IPv6"] },
      { address: expect.stringMatching(/\./), addressV6: "2001:db8::1" },
    ],
  ])("with %j has the addresses of these families", async (options, addresses) => {
    const made = await make(options);
    expect(made).toMatchObject(addresses);
    expect("addressV6" in made).toBe("addressV6" in addresses);
  });

  it("gets the requested address unless it is taken", async () => {
    const first = await make({ requestedAddress: "203.0.113.77" });
    expect(first).toMatchObject({ address: "203.0.113.77", requestedAddress: "203.0.113.77" });
    const taken = await cloud.refusal("POST", LOAD_BALANCERS, {
      body: { name: "x", requestedAddress: "203.0.113.77" },
    });
    expect(taken).toMatchObject({ status: 409, code: "conflict" });
    const machines = await cloud.make("/v1/instances", { name: "n" });
    const body = { name: "x", requestedAddress: firstAddress(machines) };
    expect(await cloud.refusal("POST", LOAD_BALANCERS, { body })).toMatchObject({ status: 409 });
    expect(await cloud.idsOf(LOAD_BALANCERS)).toEqual([first.id]);

    await cloud.call("DELETE", pathOf(first));
    expect(await make({ requestedAddress: "203.0.113.77" })).toMatchObject({
      address: "203.0.113.77",
    });
    expect(await make({ families: ["IPv6"], requestedAddress: "2001:DB8:0:0::77" })).toMatchObject({
      addressV6: "2001:db8::77",
    });
  });

  it("loses a machine that is deleted, also after a restart", async () => {
    const [gone, kept] = [await makeMachine("gone"), await makeMachine("kept")];
    const made = await make({ members: [gone, kept] });
    await cloud.call("DELETE", `/v1/instances/${gone}`);
    expect(await cloud.read(pathOf(made))).toEqual({ ...made, members: [kept] });
    await cloud.restart();
    expect(await cloud.read(pathOf(made))).toEqual({ ...made, members: [kept] });
  });
});

function firstAddress({ addresses }: Record<string, unknown>): unknown {
  return Array.isArray(addresses) ? addresses[0].address : undefined;
}

describe("an edit", () => {
  it.each([
    ["tags", { a: "1" }],
    ["listeners", [{ name: "a", protocol: "UDP", port: 1, nodePort: 2 }]],
    ["members", []],
    ["sourceRanges", ["192.0.2.0/24"]],
    ["healthCheck", { protocol: "HTTPS", path: "/" }],
    ["proxyProtocol", true],
    ["affinity", { kind: "clientIP", timeoutSeconds: 1 }],
    ["families", ["IPv4", "IPv6"]],
  ])("replaces %s and nothing else", async (field, value) => {
    const before = await make({ members: [await makeMachine()], tags: { old: "1" } });
    const { status, body } = await cloud.call("PATCH", pathOf(before), {
      body: { [field]: value },
    });
    expect(status).toBe(200);
    const addressV6 = field === "families" ? { addressV6: "2001:db8::1" } : {};
    expect(body).toEqual({ ...before, [field]: value, ...addressV6 });
    expect(await cloud.read(pathOf(before))).toEqual(body);
  });

  it("moves it to another address, and back to any", async () => {
    const first = await make();
    const other = await make();
    const patch = (requestedAddress: unknown) =>
      cloud.call("PATCH", pathOf(first), { body: { requestedAddress } });
    expect(await patch("203.0.113.9")).toMatchObject({ body: { address: "203.0.113.9" } });
    expect(await patch(other.address)).toMatchObject({ status: 409 });
    const free = await patch(null);
    expect(free).toMatchObject({ body: { address: "203.0.113.9" } });
    expect(free.body).not.toHaveProperty("requestedAddress");
    expect(await make({ requestedAddress: first.address })).toMatchObject({
      address: first.address,
    });
  });

  it("gives an address back when its family is no longer asked for", async () => {
    const both = await make({ families: ["IPv4", "IPv6"] });
    const { body } = await cloud.call("PATCH", pathOf(both), { body: { families: ["IPv6"] } });
    expect(body).toMatchObject({ address: "", addressV6: both.addressV6 });
    expect(await make({ requestedAddress: both.address })).toMatchObject({
      address: both.address,
    });
  });

  it.each(["name", "internal", "state", "address", "colour"])("cannot change %s", async (field) => {
    const made = await make();
    const refused = await cloud.refusal("PATCH", pathOf(made), { body: { [field]: "x" } });
    expect(refused).toMatchObject({ status: 400, code: "invalid", field });
  });
});

describe("an invalid request", () => {
  const listener = { name: "a", protocol: "TCP", port: 80, nodePort: 30_000 };
  it.each([
    [{ name: "" }, "name", "1 to 63"],
    [{ name: "x".repeat(64) }, "name", "1 to 63"],
    [{ name: "Web" }, "name", "1 to 63"],
    [{ colour: "red" }, "colour", ""],
    [{ listeners: [{ ...listener, protocol: "SCTP" }] }, "listeners.0.protocol", "SCTP"],
    [{ listeners: [{ ...listener, port: 0 }] }, "listeners.0.port", ""],
    [{ listeners: [{ ...listener, nodePort: 65_536 }] }, "listeners.0.nodePort", ""],
    [{ listeners: [{ ...listener, weight: 1 }] }, "listeners.0.weight", ""],
    [{ listeners: [listener, listener] }, "listeners.1.port", "TCP 80"],
    [{ sourceRanges: ["10.0.0.0/8", "10.0.0.1"] }, "sourceRanges.1", "network"],
    [{ sourceRanges: ["10.0.0.0/33"] }, "sourceRanges.0", "network"],
    [{ members: ["i-none"] }, "members.0", "i-none"],
    [{ tags: { ["k".repeat(129)]: "" } }, `tags.${"k".repeat(129)}`, ""],
    [{ tags: { k: "v".repeat(129) } }, "tags.k", ""],
    [{ tags: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, ""])) }, "tags", "50"],
    [{ healthCheck: { protocol: "TCP", path: "/" } }, "healthCheck.path", "HTTP"],
    [{ affinity: { kind: "clientIP" } }, "affinity.timeoutSeconds", ""],
    [{ families: [] }, "families", ""],
    [{ families: ["IPv4", "IPv4"] }, "families", "twice"],
    [{ requestedAddress: "here" }, "requestedAddress", "IP address"],
    [{ requestedAddress: "fd00::1" }, "requestedAddress", "IPv4"],
  ])("%j is refused by its field", async (options, field, why) => {
    const refused = await cloud.refusal("POST", LOAD_BALANCERS, {
      body: { name: "lb", ...options },
    });
    expect(refused).toMatchObject({ status: 400, code: "invalid", field });
    expect(refused.message).toContain(`field ${field} `);
    expect(refused.message).toContain(why);
    expect(await cloud.idsOf(LOAD_BALANCERS)).toEqual([]);
  });

  it("changes nothing", async () => {
    const member = await makeMachine();
    const made = await make({ members: [member] });
    const body = { members: [member, member] };
    expect(await cloud.refusal("PATCH", pathOf(made), { body })).toMatchObject({
      field: "members.1",
      message: expect.stringContaining("twice"),
    });
    expect(await cloud.read(pathOf(made))).toEqual(made);
  });

  it("is answered 404 for a missing load balancer, whatever it says", async () => {
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { body: { colour: "red" } } : {};
      expect(await cloud.refusal(method, `${LOAD_BALANCERS}/lb-none`, body)).toMatchObject({
        status: 404,
        code: "not_found",
      });
    }
  });
});

describe("a listing", () => {
  it("shows the ones with one of the names and all of the tags", async () => {
    const a = await make({ name: "a", tags: { cluster: "u1", owner: "s=1" } });
    const b = await make({ name: "b", tags: { cluster: "u1" } });
    const other = await make({ name: "a", tags: { cluster: "u2" } });
    const ids = (query: string) => cloud.idsOf(`${LOAD_BALANCERS}?${query}`);
    expect(await ids("")).toEqual([a.id, b.id, other.id]);
    expect(await ids("name=a")).toEqual([a.id, other.id]);
    expect(await ids("name=a&name=b&name=c")).toEqual([a.id, b.id, other.id]);
    expect(await ids("tag=cluster%3Du1")).toEqual([a.id, b.id]);
    expect(await ids("tag=cluster=u1&tag=owner=s%3D1")).toEqual([a.id]);
    expect(await ids("tag=cluster=u1&name=a")).toEqual([a.id]);
    expect(await ids("tag=toString=")).toEqual([]);
  });

  it("shows each once across pages, at most 500 per page", async () => {
    const made = [];
    for (let count = 0; count < 505; count += 1) made.push((await make()).id);
    const first = await cloud.list(LOAD_BALANCERS);
    expect(first.items).toHaveLength(500);
    await cloud.call("DELETE", `${LOAD_BALANCERS}/${made[499]}`);
    const second = await cloud.list(`${LOAD_BALANCERS}?limit=3&cursor=${first.next}`);
    const third = await cloud.list(`${LOAD_BALANCERS}?cursor=${second.next}`);
    expect(third.next).toBeNull();
    const shown = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id));
    expect(shown).toEqual(made);
  });

  it.each([
    ["limit=501", "limit"],
    ["tag=k", "tag.0"],
    ["tag=a=b&tag==b", "tag.1"],
    ["cursor=x", "cursor"],
    ["id=lb-1", "id"],
  ])("refuses %s", async (query, field) => {
    const refused = await cloud.refusal("GET", `${LOAD_BALANCERS}?${query}`);
    expect(refused).toMatchObject({ status: 400, code: "invalid" });
    expect(refused.message).toContain(`field ${field} `);
  });

  it("refuses the cursor of another filter and of another resource", async () => {
    await make();
    await make();
    const { next } = await cloud.list(`${LOAD_BALANCERS}?limit=1`);
    for (const path of [`${LOAD_BALANCERS}?name=lb&`, "/v1/routes?", "/v1/instances?"]) {
      expect(await cloud.call("GET", `${path}cursor=${next}`)).toMatchObject({ status: 400 });
    }
  });
});
