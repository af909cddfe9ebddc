import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  LOAD_BALANCERS,
  loadBalancersForEachTest,
  pathOf,
} from "../testing/load-balancers-under-test.ts";

const { cloud, make, makeMachine } = loadBalancersForEachTest();

describe("a user in the console", () => {
  const override = (id: string, body: object) =>
    cloud.call("PATCH", `/admin/load-balancers/${id}`, { body });

  it("changes anything at once, which is not counted as a call", async () => {
    await cloud.faults({ provisioningMs: 60_000 });
    const member = await makeMachine();
    const made = await make();
    const options = {
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
    expect(await override(made.id, options)).toMatchObject({ status: 200, body: options });
    expect((await cloud.call("GET", "/admin/calls")).body).toMatchObject({ total: 0 });
    const after = await cloud.read(pathOf(made));
    expect(after).toMatchObject({ ...options, address: expect.stringMatching(/^198\.19\./) });
    await cloud.restart();
    expect(await cloud.read(pathOf(made))).toEqual(after);
  });

  it("breaks a load balancer, which an edit repairs and which can be deleted", async () => {
    const made = await make();
    const broken = await override(made.id, { state: "error", errorMessage: "no backend left" });
    expect(broken.body).toEqual({ ...made, state: "error", errorMessage: "no backend left" });
    const healed = await cloud.call("PATCH", pathOf(made), { body: {} });
    expect(healed).toEqual({ status: 200, body: made });

    await override(made.id, { state: "error", errorMessage: "again" });
    expect((await override(made.id, { state: "active" })).body).toEqual(made);
    await override(made.id, { state: "error" });
    expect(await cloud.call("DELETE", pathOf(made))).toMatchObject({ status: 202 });
    expect(await cloud.idsOf(LOAD_BALANCERS)).toEqual([]);
  });

  it("leaves a change in progress alone unless the state is set", async () => {
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
    expect(await cloud.idsOf(LOAD_BALANCERS)).toEqual([second.id]);
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
  const override = (body: object) => cloud.call("PUT", NEXT, { body });

  it("applies to load balancers created after it, until it is cleared", async () => {
    const before = await make();
    const overridden = { hostname: "lb.example", ports: [{ port: 80, protocol: "TCP" }] };
    expect(await override(overridden)).toEqual({ status: 200, body: overridden });
    expect((await cloud.call("GET", NEXT)).body).toEqual(overridden);
    const made = await make({ families: ["IPv4", "IPv6"] });
    expect(made).toMatchObject({ address: "", ...overridden });
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
  ])("%j makes it say %j", async (overridden, shown) => {
    await override(overridden);
    expect(await make()).toMatchObject({ state: "active", ...shown });
  });

  it("of an existing one changes at once, and back to the real one", async () => {
    const made = await make();
    const overridden = await override({ id: made.id, hostname: "lb.example" });
    expect(overridden.body).toEqual({ ...made, address: "", hostname: "lb.example" });
    expect(await make()).not.toHaveProperty("hostname");
    expect((await override({ id: made.id, nil: true })).body).toEqual({ ...made, address: "" });
    expect((await override({ id: made.id })).body).toEqual(made);
    expect(await override({ id: "lb-none", nil: true })).toMatchObject({ status: 404 });
  });

  it("is overridden by a user's address", async () => {
    await override({ nil: true });
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

describe("faults of load balancers", () => {
  it("do the work and lose the answer, of every change", async () => {
    await cloud.faults({ rules: [{ path: `${LOAD_BALANCERS}*`, loseResponse: true }] });
    const inTruth = async () => (await cloud.call("GET", "/admin/load-balancers")).body;
    await expect(make({ name: "lost" })).rejects.toThrow("fetch failed");
    const { items } = truthSchema.parse(await inTruth());
    expect(items).toMatchObject([{ name: "lost", proxyProtocol: false }]);
    const path = `${LOAD_BALANCERS}/${items[0]?.id}`;
    const edit = cloud.call("PATCH", path, { body: { proxyProtocol: true } });
    await expect(edit).rejects.toThrow("fetch failed");
    expect(await inTruth()).toMatchObject({ items: [{ name: "lost", proxyProtocol: true }] });
    await expect(cloud.call("DELETE", path)).rejects.toThrow("fetch failed");
    expect(await inTruth()).toEqual({ items: [] });
  });

  it("affect one load balancer's path and leave the listing alone", async () => {
    const made = await make();
    await cloud.faults({
      rules: [{ path: `${LOAD_BALANCERS}/*`, status: 409, code: "busy", times: 2 }],
    });
    expect(await cloud.refusal("GET", pathOf(made))).toMatchObject({ status: 409, code: "busy" });
    expect(await cloud.idsOf(LOAD_BALANCERS)).toEqual([made.id]);
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

  it("distinguish a change of only the members from others", async () => {
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
    expect(await cloud.call("GET", LOAD_BALANCERS)).toMatchObject({ status: 200 });
  });

  it("of one machine leave a load balancer of its name alone", async () => {
    await makeMachine("twin");
    await cloud.faults({ rules: [{ instance: "twin", status: 500 }] });
    expect(await cloud.call("GET", "/v1/instances?name=twin")).toMatchObject({ status: 500 });
    expect(await cloud.call("GET", `${LOAD_BALANCERS}?name=twin`)).toMatchObject({ status: 200 });
  });
});

const truthSchema = z.object({ items: z.array(z.looseObject({ id: z.string() })) });
