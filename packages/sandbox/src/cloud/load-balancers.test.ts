import { readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { CloudUnderTest } from "./testing/cloud-under-test.ts";

const BALANCERS = "/v1/load-balancers";
let cloud: CloudUnderTest;

beforeEach(async () => {
  cloud = await CloudUnderTest.open();
});

afterEach(() => cloud.close());

const make = (fields: object = {}, headers: Record<string, string> = {}) =>
  cloud.make(BALANCERS, { name: "lb", ...fields }, headers);
const pathOf = ({ id }: { id: string }) => `${BALANCERS}/${id}`;
const makeMachine = async (name = "n") => (await cloud.make("/v1/instances", { name })).id;

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

  it("is what was asked for", async () => {
    const member = await makeMachine();
    const wish = {
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
    const made = await make(wish);
    expect(made).toMatchObject({
      ...wish,
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
  ])("with %j has the addresses of these families", async (wish, addresses) => {
    const made = await make(wish);
    expect(made).toMatchObject(addresses);
    expect("addressV6" in made).toBe("addressV6" in addresses);
  });

  it("gets the address that it asks for, unless somebody has it", async () => {
    const first = await make({ requestedAddress: "203.0.113.77" });
    expect(first).toMatchObject({ address: "203.0.113.77", requestedAddress: "203.0.113.77" });
    const taken = await cloud.refusal("POST", BALANCERS, {
      body: { name: "x", requestedAddress: "203.0.113.77" },
    });
    expect(taken).toMatchObject({ status: 409, code: "conflict" });
    const machines = await cloud.make("/v1/instances", { name: "n" });
    const body = { name: "x", requestedAddress: firstAddress(machines) };
    expect(await cloud.refusal("POST", BALANCERS, { body })).toMatchObject({ status: 409 });
    expect(await cloud.idsOf(BALANCERS)).toEqual([first.id]);

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

describe("a wrong wish", () => {
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
  ])("%j is refused by its field", async (wish, field, why) => {
    const refused = await cloud.refusal("POST", BALANCERS, { body: { name: "lb", ...wish } });
    expect(refused).toMatchObject({ status: 400, code: "invalid", field });
    expect(refused.message).toContain(`field ${field} `);
    expect(refused.message).toContain(why);
    expect(await cloud.idsOf(BALANCERS)).toEqual([]);
  });

  it("does not change what is there", async () => {
    const member = await makeMachine();
    const made = await make({ members: [member] });
    const body = { members: [member, member] };
    expect(await cloud.refusal("PATCH", pathOf(made), { body })).toMatchObject({
      field: "members.1",
      message: expect.stringContaining("twice"),
    });
    expect(await cloud.read(pathOf(made))).toEqual(made);
  });

  it("is answered 404 where there is no such balancer, whatever it says", async () => {
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { body: { colour: "red" } } : {};
      expect(await cloud.refusal(method, `${BALANCERS}/lb-none`, body)).toMatchObject({
        status: 404,
        code: "not_found",
      });
    }
  });
});

describe("a listing", () => {
  it("shows what has one of the names and all of the tags", async () => {
    const a = await make({ name: "a", tags: { cluster: "u1", owner: "s=1" } });
    const b = await make({ name: "b", tags: { cluster: "u1" } });
    const other = await make({ name: "a", tags: { cluster: "u2" } });
    const ids = (query: string) => cloud.idsOf(`${BALANCERS}?${query}`);
    expect(await ids("")).toEqual([a.id, b.id, other.id]);
    expect(await ids("name=a")).toEqual([a.id, other.id]);
    expect(await ids("name=a&name=b&name=c")).toEqual([a.id, b.id, other.id]);
    expect(await ids("tag=cluster%3Du1")).toEqual([a.id, b.id]);
    expect(await ids("tag=cluster=u1&tag=owner=s%3D1")).toEqual([a.id]);
    expect(await ids("tag=cluster=u1&name=a")).toEqual([a.id]);
    expect(await ids("tag=toString=")).toEqual([]);
  });

  it("shows each once over pages, at most 500 a page", async () => {
    const made = [];
    for (let count = 0; count < 505; count += 1) made.push((await make()).id);
    const first = await cloud.list(BALANCERS);
    expect(first.items).toHaveLength(500);
    await cloud.call("DELETE", `${BALANCERS}/${made[499]}`);
    const second = await cloud.list(`${BALANCERS}?limit=3&cursor=${first.next}`);
    const third = await cloud.list(`${BALANCERS}?cursor=${second.next}`);
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
    const refused = await cloud.refusal("GET", `${BALANCERS}?${query}`);
    expect(refused).toMatchObject({ status: 400, code: "invalid" });
    expect(refused.message).toContain(`field ${field} `);
  });

  it("refuses the cursor of another filter and of another resource", async () => {
    await make();
    await make();
    const { next } = await cloud.list(`${BALANCERS}?limit=1`);
    for (const path of [`${BALANCERS}?name=lb&`, "/v1/routes?", "/v1/instances?"]) {
      expect(await cloud.call("GET", `${path}cursor=${next}`)).toMatchObject({ status: 400 });
    }
  });
});

describe("a change that takes its time", () => {
  const refusedAsBusy = async (path: string) => {
    for (const [method, sent] of [
      ["PATCH", { body: { proxyProtocol: true } }],
      ["DELETE", {}],
    ] as const) {
      expect(await cloud.refusal(method, path, sent)).toMatchObject({ status: 409, code: "busy" });
    }
  };
  const settles = (path: string) =>
    expect
      .poll(async () => (await cloud.call("GET", path)).body)
      .toMatchObject({ state: "active" });

  it("is provisioning without an address, and takes no other change", async () => {
    await cloud.faults({ provisioningMs: 60_000 });
    const made = await make({ families: ["IPv4", "IPv6"] });
    expect(made).toMatchObject({ state: "provisioning", address: "" });
    expect(made).not.toHaveProperty("addressV6");
    await refusedAsBusy(pathOf(made));
    expect(await cloud.read(pathOf(made))).toEqual(made);
  });

  it("has its address once it is active", async () => {
    await cloud.faults({ provisioningMs: 1 });
    const made = await make();
    await settles(pathOf(made));
    expect(await cloud.read(pathOf(made))).toMatchObject({
      address: expect.stringMatching(/^198\.19\./),
    });
  });

  it("shows the new values while it is updating, and keeps its address", async () => {
    const made = await make();
    await cloud.faults({ provisioningMs: 60_000 });
    const patched = await cloud.call("PATCH", pathOf(made), { body: { proxyProtocol: true } });
    expect(patched.body).toEqual({ ...made, state: "updating", proxyProtocol: true });
    await refusedAsBusy(pathOf(made));

    const other = await cloud.make(BALANCERS, { name: "other" }).then(({ id }) => id);
    expect(await cloud.idsOf(BALANCERS)).toEqual([made.id, other]);
  });

  it("settles after an update", async () => {
    const made = await make();
    await cloud.faults({ provisioningMs: 1 });
    await cloud.call("PATCH", pathOf(made), { body: { proxyProtocol: true } });
    await settles(pathOf(made));
  });

  it("is deleting until it is gone", async () => {
    const [slow, quick] = [await make(), await make()];
    await cloud.faults({ provisioningMs: 60_000 });
    expect(await cloud.call("DELETE", pathOf(slow))).toEqual({
      status: 202,
      body: { ...slow, state: "deleting" },
    });
    await refusedAsBusy(pathOf(slow));
    expect(await cloud.idsOf(BALANCERS)).toContain(slow.id);

    await cloud.faults({ provisioningMs: 1 });
    await cloud.call("DELETE", pathOf(quick));
    await expect.poll(async () => (await cloud.call("GET", pathOf(quick))).status).toBe(404);
    expect(await cloud.idsOf(BALANCERS)).toEqual([slow.id]);
  });

  it("is over at once without a fault", async () => {
    const made = await make();
    expect(await cloud.call("DELETE", pathOf(made))).toEqual({
      status: 202,
      body: { ...made, state: "deleting" },
    });
    expect(await cloud.call("GET", pathOf(made))).toMatchObject({ status: 404 });
  });

  it("goes on over a restart", async () => {
    await cloud.faults({ provisioningMs: 60_000 });
    const waiting = await make();
    await cloud.faults({ provisioningMs: 100 });
    const made = await make();
    await cloud.restart();
    await settles(pathOf(made));
    expect(await cloud.read(pathOf(waiting))).toMatchObject({ state: "provisioning", address: "" });

    await cloud.faults({ provisioningMs: 100 });
    await cloud.call("DELETE", pathOf(made));
    await cloud.restart();
    await expect.poll(() => cloud.idsOf(BALANCERS)).toEqual([waiting.id]);
  });
});

describe("an Idempotency-Key", () => {
  const withKey = (fields: object, key = "k1") =>
    cloud.call("POST", BALANCERS, {
      body: { name: "lb", ...fields },
      headers: { "idempotency-key": key },
    });

  it("gives the first one back, also after a restart and past the quota", async () => {
    const first = await withKey({ tags: { a: "1", b: "2" } });
    expect(first.status).toBe(201);
    expect(await withKey({ tags: { b: "2", a: "1" }, members: [] })).toEqual({
      status: 200,
      body: first.body,
    });
    await cloud.restart();
    await cloud.faults({ quotas: { loadBalancers: 1 } });
    expect(await withKey({ tags: { a: "1", b: "2" } })).toEqual({ status: 200, body: first.body });
    expect(await cloud.idsOf(BALANCERS)).toHaveLength(1);
  });

  it("makes one for many at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => withKey({})));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await cloud.idsOf(BALANCERS)).toHaveLength(1);
  });

  it("does not serve for another body", async () => {
    await withKey({});
    expect(await withKey({ proxyProtocol: true })).toMatchObject({
      status: 409,
      body: { error: { code: "conflict" } },
    });
    expect(await withKey({ proxyProtocol: true }, "k2")).toMatchObject({ status: 201 });
  });

  it("is free again when what it made is gone", async () => {
    const first = await make({}, { "idempotency-key": "k1" });
    await cloud.call("DELETE", pathOf(first));
    expect(await withKey({ proxyProtocol: true })).toMatchObject({ status: 201 });
    expect(await cloud.idsOf(BALANCERS)).not.toContain(first.id);
  });

  it("is forgotten after an hour", async () => {
    await withKey({});
    await cloud.restart(() => age(cloud.stateFile, 3_599_000));
    expect(await withKey({})).toMatchObject({ status: 200 });
    await cloud.restart(() => age(cloud.stateFile, 3_600_000));
    expect(await withKey({})).toMatchObject({ status: 201 });
    expect(await withKey({})).toMatchObject({ status: 200 });
    expect(await cloud.idsOf(BALANCERS)).toHaveLength(2);
  });

  it("must be a word", async () => {
    expect(await withKey({}, "k".repeat(256))).toMatchObject({ status: 400 });
  });
});

/** Makes every key older than it is. */
async function age(file: string, byMs: number): Promise<void> {
  const text = await readFile(file, "utf8");
  const older = (_: string, at: string) => `"at":${Number(at) - byMs}}`;
  await writeFile(file, text.replaceAll(/"at":(\d+)\}/g, older));
}

describe("the quota", () => {
  it("refuses one more, after what is wrong with it, until there is room", async () => {
    await cloud.faults({ quotas: { loadBalancers: 2 } });
    const first = await make();
    await make();
    const full = await cloud.refusal("POST", BALANCERS, { body: { name: "x" } });
    expect(full).toMatchObject({ status: 409, code: "quota_exceeded" });
    expect(full.message).toContain("2 of 2");
    const wrong = { name: "x", members: ["i-none"] };
    expect(await cloud.refusal("POST", BALANCERS, { body: wrong })).toMatchObject({ status: 400 });
    await cloud.call("DELETE", pathOf(first));
    expect(await cloud.call("POST", BALANCERS, { body: { name: "x" } })).toMatchObject({
      status: 201,
    });
  });

  it("is 1,000 unless it is told", async () => {
    expect((await cloud.call("GET", "/admin/faults")).body).toMatchObject({
      quotas: { loadBalancers: 1_000, routes: 1_000 },
    });
    await cloud.faults({ quotas: { routes: 5 } });
    expect((await cloud.call("GET", "/admin/faults")).body).toMatchObject({
      quotas: { loadBalancers: 1_000, routes: 5 },
    });
    const refused = await cloud.refusal("PUT", "/admin/faults", { body: { quotas: { disks: 1 } } });
    expect(refused).toMatchObject({ status: 400, field: "quotas.disks" });
  });
});

describe("a person in the console", () => {
  const override = (id: string, body: object) =>
    cloud.call("PATCH", `/admin/load-balancers/${id}`, { body });

  it("changes anything at once, which is no call", async () => {
    await cloud.faults({ provisioningMs: 60_000 });
    const member = await makeMachine();
    const made = await make();
    const wish = {
      name: "renamed",
      tags: { theirs: "1" },
      listeners: [{ name: "x", protocol: "UDP", port: 9, nodePort: 9 }],
      members: [member],
      sourceRanges: ["10.0.0.0/8"],
      healthCheck: { protocol: "TCP", port: 9 },
      proxyProtocol: true,
      internal: true,
      affinity: { kind: "clientIP", timeoutSeconds: 5 },
      families: ["IPv4"],
      state: "active",
      ipMode: "Proxy",
      ports: [{ port: 9, protocol: "UDP" }],
    };
    await cloud.call("DELETE", "/admin/calls");
    expect(await override(made.id, wish)).toMatchObject({ status: 200, body: wish });
    expect((await cloud.call("GET", "/admin/calls")).body).toMatchObject({ total: 0 });
    const after = await cloud.read(pathOf(made));
    expect(after).toMatchObject({ ...wish, address: expect.stringMatching(/^198\.19\./) });
    await cloud.restart();
    expect(await cloud.read(pathOf(made))).toEqual(after);
  });

  it("breaks one, which an edit heals and which can be deleted", async () => {
    const made = await make();
    const broken = await override(made.id, { state: "error", errorMessage: "no backend left" });
    expect(broken.body).toEqual({ ...made, state: "error", errorMessage: "no backend left" });
    const healed = await cloud.call("PATCH", pathOf(made), { body: {} });
    expect(healed).toEqual({ status: 200, body: made });

    await override(made.id, { state: "error", errorMessage: "again" });
    expect((await override(made.id, { state: "active" })).body).toEqual(made);
    await override(made.id, { state: "error" });
    expect(await cloud.call("DELETE", pathOf(made))).toMatchObject({ status: 202 });
    expect(await cloud.idsOf(BALANCERS)).toEqual([]);
  });

  it("leaves a change that is under way alone unless the state is set", async () => {
    await cloud.faults({ provisioningMs: 60_000 });
    const made = await make();
    expect((await override(made.id, { proxyProtocol: true })).body).toMatchObject({
      state: "provisioning",
    });
    expect(await cloud.refusal("DELETE", pathOf(made))).toMatchObject({ code: "busy" });
  });

  it("sees all of them and removes one in any state", async () => {
    await cloud.faults({ provisioningMs: 60_000 });
    const [first, second] = [await make(), await make()];
    const all = await cloud.call("GET", "/admin/load-balancers");
    expect(all).toEqual({ status: 200, body: { items: [first, second] } });
    const path = `/admin/load-balancers/${first.id}`;
    expect(await cloud.call("DELETE", path)).toMatchObject({ status: 204 });
    expect(await cloud.call("DELETE", path)).toMatchObject({ status: 404 });
    expect(await cloud.idsOf(BALANCERS)).toEqual([second.id]);
  });

  it.each([
    [{ state: "sleeping" }, "state"],
    [{ id: "lb-1" }, "id"],
    [{ members: ["i-none"] }, "members.0"],
  ])("cannot do %j", async (body, field) => {
    const made = await make();
    const refused = await cloud.refusal("PATCH", `/admin/load-balancers/${made.id}`, { body });
    expect(refused).toMatchObject({ status: 400, field });
  });
});

describe("the next status", () => {
  const NEXT = "/admin/next-load-balancer";
  const tell = (body: object) => cloud.call("PUT", NEXT, { body });

  it("is told of those that are made after it, until it is cleared", async () => {
    const before = await make();
    const told = { hostname: "lb.example", ports: [{ port: 80, protocol: "TCP" }] };
    expect(await tell(told)).toEqual({ status: 200, body: told });
    expect((await cloud.call("GET", NEXT)).body).toEqual(told);
    const made = await make({ families: ["IPv4", "IPv6"] });
    expect(made).toMatchObject({ address: "", ...told });
    expect(made).not.toHaveProperty("addressV6");
    expect(await cloud.read(pathOf(before))).toEqual(before);

    expect(await cloud.call("DELETE", NEXT)).toMatchObject({ status: 204 });
    expect((await cloud.call("GET", NEXT)).body).toEqual({});
    expect(await make()).not.toHaveProperty("hostname");
    await cloud.restart();
    expect(await cloud.read(pathOf(made))).toEqual(made);
  });

  it.each([
    [{ address: "9.9.9.9" }, { address: "9.9.9.9" }],
    [
      { address: "9.9.9.9", ipMode: "Proxy" },
      { address: "9.9.9.9", ipMode: "Proxy" },
    ],
    [{ nil: true }, { address: "" }],
    [
      { hostname: "h.example", address: "9.9.9.9" },
      { address: "", hostname: "h.example" },
    ],
  ])("%j makes it say %j", async (told, shown) => {
    await tell(told);
    expect(await make()).toMatchObject({ state: "active", ...shown });
  });

  it("of one that is there changes at once, and back to the truth", async () => {
    const made = await make();
    const told = await tell({ id: made.id, hostname: "lb.example" });
    expect(told.body).toEqual({ ...made, address: "", hostname: "lb.example" });
    expect(await make()).not.toHaveProperty("hostname");
    expect((await tell({ id: made.id, nil: true })).body).toEqual({ ...made, address: "" });
    expect((await tell({ id: made.id })).body).toEqual(made);
    expect(await tell({ id: "lb-none", nil: true })).toMatchObject({ status: 404 });
  });

  it("gives way to a person's address", async () => {
    await tell({ nil: true });
    const made = await make();
    const edit = (body: object) =>
      cloud.call("PATCH", `/admin/load-balancers/${made.id}`, { body });
    expect((await edit({ ipMode: "VIP" })).body).toMatchObject({ address: "", ipMode: "VIP" });
    const reached = { address: "9.9.9.9", ipMode: null };
    expect((await edit(reached)).body).toEqual({ ...made, address: "9.9.9.9" });
    expect((await edit({ address: null })).body).toMatchObject({
      address: expect.stringMatching(/^198\.19\./),
    });
  });

  it.each([
    [{ address: "here" }, "address"],
    [{ ipMode: "Direct" }, "ipMode"],
    [{ nil: false }, "nil"],
    [{ state: "error" }, "state"],
  ])("cannot be %j", async (body, field) => {
    expect(await cloud.refusal("PUT", NEXT, { body })).toMatchObject({ status: 400, field });
  });
});

describe("faults of balancers", () => {
  it("do the work and lose the answer, of every change", async () => {
    await cloud.faults({ rules: [{ path: `${BALANCERS}*`, loseResponse: true }] });
    const inTruth = async () => (await cloud.call("GET", "/admin/load-balancers")).body;
    await expect(make({ name: "lost" })).rejects.toThrow("fetch failed");
    const { items } = truthSchema.parse(await inTruth());
    expect(items).toMatchObject([{ name: "lost", proxyProtocol: false }]);
    const path = `${BALANCERS}/${items[0]?.id}`;
    const edit = cloud.call("PATCH", path, { body: { proxyProtocol: true } });
    await expect(edit).rejects.toThrow("fetch failed");
    expect(await inTruth()).toMatchObject({ items: [{ name: "lost", proxyProtocol: true }] });
    await expect(cloud.call("DELETE", path)).rejects.toThrow("fetch failed");
    expect(await inTruth()).toEqual({ items: [] });
  });

  it("strike one balancer's path and leave the listing alone", async () => {
    const made = await make();
    await cloud.faults({
      rules: [{ path: `${BALANCERS}/*`, status: 409, code: "busy", times: 2 }],
    });
    expect(await cloud.refusal("GET", pathOf(made))).toMatchObject({ status: 409, code: "busy" });
    expect(await cloud.idsOf(BALANCERS)).toEqual([made.id]);
    expect(await cloud.refusal("DELETE", pathOf(made))).toMatchObject({ status: 409 });
    expect(await cloud.call("DELETE", pathOf(made))).toMatchObject({ status: 202 });
  });

  it("hang, and do not do the work", async () => {
    const made = await make();
    await cloud.faults({ rules: [{ method: "DELETE", hang: true }] });
    const leaving = new AbortController();
    const hanging = cloud.call("DELETE", pathOf(made), { signal: leaving.signal });
    await expect
      .poll(async () => (await cloud.call("GET", "/admin/calls")).body)
      .toMatchObject({ byOperation: { "DELETE /v1/load-balancers/{id}": { count: 1 } } });
    leaving.abort();
    await expect(hanging).rejects.toThrow();
    expect(await cloud.read(pathOf(made))).toEqual(made);
  });

  it("tell a change of the members alone from others", async () => {
    const made = await make();
    const statusOf = async (body: unknown) =>
      (await cloud.call("PATCH", pathOf(made), { body })).status;
    await cloud.faults({ rules: [{ method: "PATCH", bodyOnly: "members", status: 500 }] });
    expect(await statusOf({ members: [] })).toBe(500);
    expect(await statusOf({ members: [], tags: {} })).toBe(200);
    expect(await statusOf({ tags: {} })).toBe(200);
    expect(await statusOf({})).toBe(200);

    await cloud.faults({ rules: [{ bodyHas: "members", status: 500 }] });
    expect(await statusOf({ members: [] })).toBe(500);
    expect(await statusOf({ members: [], tags: {} })).toBe(500);
    expect(await statusOf({ tags: {} })).toBe(200);
    expect(await statusOf([])).toBe(400);
    expect(await statusOf(null)).toBe(400);
    expect(await cloud.call("GET", BALANCERS)).toMatchObject({ status: 200 });
  });

  it("of one machine leave a balancer of its name alone", async () => {
    await makeMachine("twin");
    await cloud.faults({ rules: [{ instance: "twin", status: 500 }] });
    expect(await cloud.call("GET", "/v1/instances?name=twin")).toMatchObject({ status: 500 });
    expect(await cloud.call("GET", `${BALANCERS}?name=twin`)).toMatchObject({ status: 200 });
  });
});

const truthSchema = z.object({ items: z.array(z.looseObject({ id: z.string() })) });
