import { beforeEach, describe, expect, it } from "vitest";
import { CloudUnderTest } from "../testing/cloud-under-test.ts";

const cloud = CloudUnderTest.forEachTest();
let machine: string;

beforeEach(async () => {
  machine = (await cloud.make("/v1/instances", { name: "n1" })).id;
});

const REQUESTS = {
  "/v1/load-balancers": () => ({ name: "lb" }),
  "/v1/firewall-rules": () => ({ name: "fw" }),
  "/v1/routes": (index: number) => ({
    name: "r",
    destination: `10.${index}.0.0/24`,
    instanceId: machine,
  }),
  "/v1/volumes": () => ({ name: "v", sizeGiB: 1 }),
} satisfies Record<string, (index: number) => object>;

describe.each(Object.entries(REQUESTS))("%s", (path, options) => {
  it("lists page by page and by tags", async () => {
    const ids = [];
    for (const index of [0, 1, 2, 3, 4]) {
      const tags = { cluster: index < 3 ? "u1" : "u2", number: `${index}` };
      ids.push((await cloud.make(path, { ...options(index), tags })).id);
    }
    const first = await cloud.list(`${path}?limit=2`);
    const second = await cloud.list(`${path}?limit=2&cursor=${first.next}`);
    const third = await cloud.list(`${path}?limit=2&cursor=${second.next}`);
    expect([first, second, third].flatMap((page) => page.items.map(({ id }) => id))).toEqual(ids);
    expect(third.next).toBeNull();
    expect(await cloud.idsOf(`${path}?tag=cluster=u1`)).toEqual(ids.slice(0, 3));
    expect(await cloud.idsOf(`${path}?tag=cluster=u1&tag=number=2`)).toEqual([ids[2]]);
    expect(await cloud.call("GET", `${path}?colour=red`)).toMatchObject({ status: 400 });
    expect(await cloud.call("GET", `${path}?limit=501`)).toMatchObject({ status: 400 });
  });

  it("deletes one, which then is not found", async () => {
    const made = await cloud.make(path, options(0));
    expect((await cloud.call("DELETE", `${path}/${made.id}`)).status).toBeLessThan(300);
    expect(await cloud.call("DELETE", `${path}/${made.id}`)).toMatchObject({
      status: 404,
      body: { error: { code: "not_found" } },
    });
    expect(await cloud.idsOf(path)).toEqual([]);
  });

  it("refuses what it does not know", async () => {
    const body = { ...options(0), colour: "red" };
    expect(await cloud.refusal("POST", path, { body })).toMatchObject({
      status: 400,
      field: "colour",
    });
  });

  it("comes back after a restart, and is gone after a reset", async () => {
    const gone = await cloud.make(path, options(0));
    await cloud.make(path, { ...options(1), tags: { a: "b" } });
    await cloud.call("DELETE", `${path}/${gone.id}`);
    const before = await cloud.list(path);
    expect(before.items).toHaveLength(1);
    await cloud.restart();
    expect(await cloud.list(path)).toEqual(before);
    expect(await cloud.call("POST", "/admin/reset")).toMatchObject({ status: 204 });
    expect(await cloud.idsOf(path)).toEqual([]);
    await cloud.restart();
    expect(await cloud.idsOf(path)).toEqual([]);
  });
});

describe("a firewall rule", () => {
  it("remains when its load balancer is deleted", async () => {
    const loadBalancer = await cloud.make("/v1/load-balancers", { name: "web" });
    const rule = await cloud.make("/v1/firewall-rules", {
      name: "web-sources",
      tags: { owner: "u1" },
      loadBalancerName: "web",
      sourceRanges: ["10.0.0.0/8"],
    });
    expect(rule).toEqual({
      id: expect.stringMatching(/^fw-[0-9a-f]{16}$/),
      name: "web-sources",
      tags: { owner: "u1" },
      loadBalancerName: "web",
      sourceRanges: ["10.0.0.0/8"],
      createdAt: expect.any(String),
    });
    await cloud.call("DELETE", `/v1/load-balancers/${loadBalancer.id}`);
    expect((await cloud.list("/v1/firewall-rules?tag=owner=u1")).items).toEqual([rule]);
  });

  it("requires networks", async () => {
    const body = { name: "fw", sourceRanges: ["everybody"] };
    expect(await cloud.refusal("POST", "/v1/firewall-rules", { body })).toMatchObject({
      field: "sourceRanges.0",
    });
  });
});

describe("a route", () => {
  const options = (fields: object = {}) => ({
    name: "r",
    destination: "10.120.0.0/24",
    instanceId: machine,
    ...fields,
  });

  it("leads nowhere once its machine is gone, also after a restart", async () => {
    const { instanceName, ...made } = await cloud.make("/v1/routes", options());
    expect(instanceName).toBe("n1");
    expect(made).toEqual({
      id: expect.stringMatching(/^r-[0-9a-f]{16}$/),
      ...options(),
      tags: {},
      blackhole: false,
      tableId: "rtb-main",
    });
    const other = await cloud.make(
      "/v1/routes",
      options({ destination: "fd00:120::/64", instanceId: "" }),
    );
    await cloud.call("DELETE", `/v1/instances/${machine}`);
    expect(await cloud.read(`/v1/routes/${made.id}`)).toEqual({ ...made, blackhole: true });
    await cloud.restart();
    expect((await cloud.list("/v1/routes")).items).toEqual([{ ...made, blackhole: true }, other]);
  });

  it("is the only one to its destination", async () => {
    const first = await cloud.make("/v1/routes", options());
    const refused = await cloud.refusal("POST", "/v1/routes", { body: options({ name: "other" }) });
    expect(refused).toMatchObject({ status: 409, code: "conflict" });
    expect(refused.message).toContain(first.id);
    await cloud.call("DELETE", `/v1/routes/${first.id}`);
    await cloud.make("/v1/routes", options({ name: "other" }));
  });

  it.each([
    ["10.0.0.1/24", "10.0.0.0/24"],
    ["255.255.255.255/0", "0.0.0.0/0"],
    ["fd00:120:0:0001::/64", "fd00:120:0:1::/64"],
    ["FD00::1/64", "fd00::/64"],
    ["0:0:0:0:0:0:0:1/128", "::1/128"],
  ])("to %s must be written %s", async (destination, right) => {
    const refused = await cloud.refusal("POST", "/v1/routes", { body: options({ destination }) });
    expect(refused).toMatchObject({ status: 400, code: "invalid", field: "destination" });
    expect(refused.message).toContain(`must be written ${right}`);
    await cloud.make("/v1/routes", options({ destination: right }));
  });

  it.each([
    ["destination", "10.0.0.0"],
    ["destination", "10.0.0.0/33"],
    ["instanceId", "i-none"],
    ["name", ""],
  ])("cannot have the %s %j", async (field, value) => {
    const refused = await cloud.refusal("POST", "/v1/routes", {
      body: options({ [field]: value }),
    });
    expect(refused).toMatchObject({ status: 400, field });
  });

  it("is refused when the table is full, until there is room", async () => {
    await cloud.faults({ quotas: { routes: 1 } });
    const first = await cloud.make("/v1/routes", options());
    const body = options({ destination: "10.120.1.0/24" });
    expect(await cloud.refusal("POST", "/v1/routes", { body })).toMatchObject({
      status: 409,
      code: "quota_exceeded",
    });
    await cloud.call("DELETE", `/v1/routes/${first.id}`);
    await cloud.make("/v1/routes", body);
  });

  it("has room in a table that was enlarged, also once other faults were set", async () => {
    await cloud.restart(undefined, { routes: 1_500 });
    await cloud.faults({ latencyMs: 0 });
    expect((await cloud.call("GET", "/v1/routes")).body).toMatchObject({
      table: { capacity: 1_500 },
    });
    await cloud.faults({ quotas: { routes: 7 } });
    expect((await cloud.call("GET", "/v1/routes")).body).toMatchObject({ table: { capacity: 7 } });
    await cloud.call("POST", "/admin/reset");
    expect((await cloud.call("GET", "/v1/routes")).body).toMatchObject({
      table: { capacity: 1_500 },
    });
  });

  it("is listed with the table's usage, on each page and with any filter", async () => {
    await cloud.faults({ quotas: { routes: 7 } });
    for (const third of [0, 1, 2]) {
      await cloud.make("/v1/routes", options({ destination: `10.120.${third}.0/24` }));
    }
    const table = { id: "rtb-main", name: "main", used: 3, capacity: 7 };
    for (const query of ["", "?limit=1", "?tag=nobody=has"]) {
      expect((await cloud.call("GET", `/v1/routes${query}`)).body).toMatchObject({ table });
    }
  });

  it("reports the provider ID of a machine that has its own", async () => {
    const { id } = await cloud.make("/v1/instances", { name: "n2", providerId: "custom://n2" });
    const made = await cloud.make("/v1/routes", options({ instanceId: id }));
    expect(made).toMatchObject({ instanceId: id, providerId: "custom://n2" });
    expect(await cloud.read(`/v1/routes/${made.id}`)).toEqual(made);
    expect((await cloud.list("/v1/routes")).items).toEqual([made]);
    await cloud.call("PATCH", `/v1/instances/${id}`, { body: { providerId: null } });
    expect(await cloud.read(`/v1/routes/${made.id}`)).not.toHaveProperty("providerId");
  });

  it("is created although the answer is lost", async () => {
    await cloud.faults({ rules: [{ method: "POST", path: "/v1/routes", loseResponse: true }] });
    await expect(cloud.make("/v1/routes", options())).rejects.toThrow("fetch failed");
    expect((await cloud.list("/v1/routes")).items).toMatchObject([options()]);
  });
});

describe("a volume", () => {
  const make = (fields: object = {}) =>
    cloud.make("/v1/volumes", { name: "v1", sizeGiB: 10, ...fields });
  const patch = (id: string, body: object) => cloud.call("PATCH", `/v1/volumes/${id}`, { body });

  it("has defaults for all but name and size, and accepts any zone", async () => {
    const made = await make();
    expect(made).toEqual({
      id: expect.stringMatching(/^vol-[0-9a-f]{16}$/),
      name: "v1",
      zone: "region-1a",
      region: "region-1",
      sizeGiB: 10,
      type: "ssd",
      tags: {},
    });
    expect(await make({ zone: "z2__z1", region: "", type: "hdd" })).toMatchObject({
      zone: "z2__z1",
      region: "",
      type: "hdd",
    });
    expect((await patch(made.id, { zone: "z9" })).body).toEqual({ ...made, zone: "z9" });
  });

  it("is read individually and with others by id", async () => {
    const [a, b, c] = [await make(), await make(), await make()];
    expect(await cloud.read(`/v1/volumes/${a.id}`)).toEqual(a);
    const some = await cloud.idsOf(`/v1/volumes?id=${c.id}&id=${a.id}&id=vol-none`);
    expect(some).toEqual([a.id, c.id]);
    expect(await cloud.idsOf("/v1/volumes")).toContain(b.id);
    expect(await cloud.call("GET", "/v1/volumes/vol-none")).toMatchObject({ status: 404 });
  });

  it("only grows", async () => {
    const { id } = await make();
    expect(await patch(id, { sizeGiB: 11 })).toMatchObject({ status: 200, body: { sizeGiB: 11 } });
    expect(await patch(id, { sizeGiB: 11 })).toMatchObject({ status: 200 });
    const refused = await cloud.refusal("PATCH", `/v1/volumes/${id}`, { body: { sizeGiB: 10 } });
    expect(refused).toMatchObject({ status: 400, field: "sizeGiB" });
    expect(await cloud.read(`/v1/volumes/${id}`)).toMatchObject({ sizeGiB: 11 });
  });

  it("cannot be deleted while attached to a machine", async () => {
    const made = await make();
    const path = `/v1/volumes/${made.id}`;
    expect(await patch(made.id, { attachedTo: "i-none" })).toMatchObject({ status: 400 });
    expect((await patch(made.id, { attachedTo: machine })).body).toMatchObject({
      attachedTo: machine,
    });
    expect(await cloud.refusal("DELETE", path)).toMatchObject({ status: 409, code: "conflict" });
    expect((await patch(made.id, { attachedTo: null })).body).toEqual(made);
    expect(await cloud.call("DELETE", path)).toMatchObject({ status: 204 });
  });

  it("is detached when its machine is gone, also after a restart", async () => {
    const made = await make();
    await patch(made.id, { attachedTo: machine });
    await cloud.call("DELETE", `/v1/instances/${machine}`);
    expect(await cloud.read(`/v1/volumes/${made.id}`)).toEqual(made);
    await cloud.restart();
    expect(await cloud.read(`/v1/volumes/${made.id}`)).toEqual(made);
  });
});
