import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  LOAD_BALANCERS,
  loadBalancersForEachTest,
  pathOf,
} from "../testing/load-balancers-under-test.ts";

const { cloud, make } = loadBalancersForEachTest();

describe("a slow change", () => {
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

    const other = await cloud.make(LOAD_BALANCERS, { name: "other" }).then(({ id }) => id);
    expect(await cloud.idsOf(LOAD_BALANCERS)).toEqual([made.id, other]);
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
    expect(await cloud.idsOf(LOAD_BALANCERS)).toContain(slow.id);

    await cloud.faults({ provisioningMs: 1 });
    await cloud.call("DELETE", pathOf(quick));
    await expect.poll(async () => (await cloud.call("GET", pathOf(quick))).status).toBe(404);
    expect(await cloud.idsOf(LOAD_BALANCERS)).toEqual([slow.id]);
  });

  it("is immediate without a fault", async () => {
    const made = await make();
    expect(await cloud.call("DELETE", pathOf(made))).toEqual({
      status: 202,
      body: { ...made, state: "deleting" },
    });
    expect(await cloud.call("GET", pathOf(made))).toMatchObject({ status: 404 });
  });

  it("continues after a restart", async () => {
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
    await expect.poll(() => cloud.idsOf(LOAD_BALANCERS)).toEqual([waiting.id]);
  });
});

describe("an Idempotency-Key", () => {
  const withKey = (fields: object, key = "k1") =>
    cloud.call("POST", LOAD_BALANCERS, {
      body: { name: "lb", ...fields },
      headers: { "idempotency-key": key },
    });

  it("returns the first load balancer, also after a restart and past the quota", async () => {
    const first = await withKey({ tags: { a: "1", b: "2" } });
    expect(first.status).toBe(201);
    expect(await withKey({ tags: { b: "2", a: "1" }, members: [] })).toEqual({
      status: 200,
      body: first.body,
    });
    await cloud.restart();
    await cloud.faults({ quotas: { loadBalancers: 1 } });
    expect(await withKey({ tags: { a: "1", b: "2" } })).toEqual({ status: 200, body: first.body });
    expect(await cloud.idsOf(LOAD_BALANCERS)).toHaveLength(1);
  });

  it("creates one for many simultaneous requests", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => withKey({})));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await cloud.idsOf(LOAD_BALANCERS)).toHaveLength(1);
  });

  it("is refused with another body", async () => {
    await withKey({});
    expect(await withKey({ proxyProtocol: true })).toMatchObject({
      status: 409,
      body: { error: { code: "conflict" } },
    });
    expect(await withKey({ proxyProtocol: true }, "k2")).toMatchObject({ status: 201 });
  });

  it("can be reused when what it created is gone", async () => {
    const first = await make({}, { "idempotency-key": "k1" });
    await cloud.call("DELETE", pathOf(first));
    expect(await withKey({ proxyProtocol: true })).toMatchObject({ status: 201 });
    expect(await cloud.idsOf(LOAD_BALANCERS)).not.toContain(first.id);
  });

  it("is forgotten after an hour", async () => {
    await withKey({});
    await cloud.restart(() => age(cloud.stateFile, 3_599_000));
    expect(await withKey({})).toMatchObject({ status: 200 });
    await cloud.restart(() => age(cloud.stateFile, 3_600_000));
    expect(await withKey({})).toMatchObject({ status: 201 });
    expect(await withKey({})).toMatchObject({ status: 200 });
    expect(await cloud.idsOf(LOAD_BALANCERS)).toHaveLength(2);
  });

  it("must be a token", async () => {
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
  it("refuses one more, after reporting other problems, until there is room", async () => {
    await cloud.faults({ quotas: { loadBalancers: 2 } });
    const first = await make();
    await make();
    const full = await cloud.refusal("POST", LOAD_BALANCERS, { body: { name: "x" } });
    expect(full).toMatchObject({ status: 409, code: "quota_exceeded" });
    expect(full.message).toContain("2 of 2");
    const wrong = { name: "x", members: ["i-none"] };
    expect(await cloud.refusal("POST", LOAD_BALANCERS, { body: wrong })).toMatchObject({
      status: 400,
    });
    await cloud.call("DELETE", pathOf(first));
    expect(await cloud.call("POST", LOAD_BALANCERS, { body: { name: "x" } })).toMatchObject({
      status: 201,
    });
  });

  it("is 1,000 unless configured", async () => {
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
