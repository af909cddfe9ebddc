import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CloudUnderTest } from "../testing/cloud-under-test.ts";
import { instanceSchema } from "./instance.ts";

const cloud = CloudUnderTest.forEachTest();

const INSTANCES = "/v1/instances";
const pageSchema = z.object({ items: z.array(instanceSchema), next: z.string().nullable() });

async function create(body: unknown) {
  return instanceSchema.parse(await cloud.make(INSTANCES, body));
}

async function list(query = "") {
  return pageSchema.parse((await cloud.call("GET", `${INSTANCES}${query}`)).body);
}

describe("machines", () => {
  it("fills in what a creation leaves out", async () => {
    const instance = await create({ name: "n1" });
    expect(instance).toMatchObject({
      id: expect.stringMatching(/^i-[0-9a-f]{16}$/),
      name: "n1",
      state: "running",
      type: "standard-2",
      region: "region-1",
      zone: "region-1a",
      cpu: 2,
      memoryMiB: 8192,
      labels: {},
      managed: true,
      addresses: [
        { type: "InternalIP", address: expect.stringMatching(/^10\./) },
        { type: "ExternalIP", address: expect.stringMatching(/^203\.0\.113\./) },
        { type: "Hostname", address: "n1" },
      ],
    });
    expect(instance).not.toHaveProperty("providerId");
    expect(Date.parse(instance.createdAt)).toBeGreaterThan(0);
  });

  it("never assigns the same address twice, but lets a user do so", async () => {
    const made = await Promise.all(
      Array.from({ length: 800 }, (_, index) => create({ name: `n${index}` })),
    );
    const addresses = made.flatMap((instance) => instance.addresses.map((one) => one.address));
    expect(new Set(addresses).size).toBe(addresses.length);

    const taken = made[0]?.addresses[0];
    const shared = await cloud.call("POST", "/v1/instances", {
      body: { name: "x", addresses: [taken] },
    });
    expect(shared).toMatchObject({ status: 201, body: { addresses: [taken] } });
  });

  it("lets two machines share a name and shows both under it", async () => {
    const first = await create({ name: "twin" });
    const second = await create({ name: "twin" });
    const { items } = await list("?name=twin");
    expect(items.map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it.each([
    ["providerId", ""],
    ["providerId", "p://i-1"],
    ["zone", ""],
    ["region", ""],
    ["type", ""],
    ["zone", "a b"],
    ["managed", false],
    ["labels", { "my.io/a": "1" }],
    ["addresses", []],
    ["state", "stopping"],
  ])("takes an edit of %s to %j as it is", async (field, value) => {
    const { id } = await create({ name: "n1", labels: { old: "1" } });
    const patched = await cloud.call("PATCH", `/v1/instances/${id}`, { body: { [field]: value } });
    expect(patched).toMatchObject({ status: 200 });
    const read = await cloud.call("GET", `/v1/instances/${id}`);
    expect(instanceSchema.parse(read.body)[instanceSchema.keyof().parse(field)]).toEqual(value);
  });

  it("removes the override of the provider ID with null", async () => {
    const { id } = await create({ name: "n1", providerId: "p://1" });
    const patched = await cloud.call("PATCH", `/v1/instances/${id}`, {
      body: { providerId: null },
    });
    expect(patched.body).not.toHaveProperty("providerId");
  });

  it("resizes the machine with its type", async () => {
    const { id } = await create({ name: "n1" });
    const patched = await cloud.call("PATCH", `/v1/instances/${id}`, {
      body: { type: "standard-8" },
    });
    expect(patched.body).toMatchObject({ type: "standard-8", cpu: 8, memoryMiB: 32_768 });
  });

  it("stops, starts and deletes, and answers a repetition the same way", async () => {
    const { id } = await create({ name: "n1" });
    for (const [verb, state] of [
      ["stop", "stopped"],
      ["stop", "stopped"],
      ["start", "running"],
      ["start", "running"],
    ]) {
      const answer = await cloud.call("POST", `/v1/instances/${id}/${verb}`);
      expect(answer).toMatchObject({ status: 200, body: { id, state } });
    }
    expect(await cloud.call("DELETE", `/v1/instances/${id}`)).toMatchObject({ status: 204 });
    for (const [method, path] of [
      ["GET", `/v1/instances/${id}`],
      ["DELETE", `/v1/instances/${id}`],
      ["PATCH", `/v1/instances/${id}`],
      ["POST", `/v1/instances/${id}/stop`],
    ]) {
      const gone = await cloud.call(method ?? "", path ?? "");
      expect(gone).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    }
  });

  it("passes through pending and stopping when a fault makes power slow", async () => {
    await cloud.faults({ provisioningMs: 60_000 });
    const instance = await create({ name: "n1" });
    expect(instance.state).toBe("pending");
    const busy = await cloud.call("POST", `/v1/instances/${instance.id}/stop`);
    expect(busy).toMatchObject({ status: 409, body: { error: { code: "busy" } } });

    await cloud.faults({ provisioningMs: 1 });
    const other = await create({ name: "n2" });
    await expect
      .poll(async () => (await cloud.call("GET", `/v1/instances/${other.id}`)).body)
      .toMatchObject({ state: "running" });
    await cloud.call("POST", `/v1/instances/${other.id}/stop`);
    await expect
      .poll(async () => (await cloud.call("GET", `/v1/instances/${other.id}`)).body)
      .toMatchObject({ state: "stopped" });
  });
});

describe("listing", () => {
  it("shows each machine once across pages, in order, while others are created and deleted", async () => {
    const made = [];
    for (let index = 0; index < 7; index += 1) {
      made.push(await create({ name: `n${index}` }));
    }
    const first = await list("?limit=3");
    await cloud.call("DELETE", `/v1/instances/${made[2]?.id}`);
    await cloud.call("DELETE", `/v1/instances/${made[4]?.id}`);
    const late = await create({ name: "late" });
    const second = await list(`?limit=3&cursor=${first.next}`);
    const third = await list(`?limit=3&cursor=${second.next}`);
    expect([...first.items, ...second.items, ...third.items].map(({ name }) => name)).toEqual([
      ...["n0", "n1", "n2", "n3", "n5", "n6"],
      late.name,
    ]);
    expect(third.next).toBeNull();
  });

  it("has no next page when the last one is exactly full", async () => {
    await create({ name: "n1" });
    await create({ name: "n2" });
    expect((await list("?limit=2")).next).toBeNull();
  });

  it("shows those with one of the ids or one of the names, each once", async () => {
    const a = await create({ name: "a" });
    const b = await create({ name: "b" });
    await create({ name: "c" });
    const { items } = await list(`?id=${a.id}&name=a&name=b&id=i-none&name=nobody`);
    expect(items.map(({ id }) => id)).toEqual([a.id, b.id]);
    expect((await list("?name=nobody")).items).toEqual([]);
  });

  it("accepts hundreds of filters in one read", async () => {
    const { id } = await create({ name: "n1" });
    const query = Array.from(
      { length: 600 },
      (_, index) => `id=i-${index.toString(16).padStart(16, "0")}`,
    );
    const { items } = await list(`?${query.join("&")}&id=${id}`);
    expect(items).toHaveLength(1);
  });

  it.each([
    ["?limit=0", "limit"],
    ["?limit=501", "limit"],
    ["?limit=ten", "limit"],
    ["?cursor=nonsense", "cursor"],
    ["?colour=red", "colour"],
  ])("refuses %s and names the field", async (query, field) => {
    const refused = await cloud.refusal("GET", `/v1/instances${query}`);
    expect(refused).toMatchObject({ status: 400, code: "invalid" });
    expect(refused.message).toContain(`field ${field} `);
  });

  it("refuses the cursor of another listing", async () => {
    await create({ name: "a" });
    await create({ name: "a" });
    const { next } = await list("?name=a&limit=1");
    expect(next).not.toBeNull();
    expect(await cloud.call("GET", `/v1/instances?cursor=${next}`)).toMatchObject({ status: 400 });
  });
});
