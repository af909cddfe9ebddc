import { describe, expect, it } from "vitest";
import { ownerOf, specOf } from "./kit/load-balancers/steps.ts";
import { recordedContexts } from "./kit/recorded-contexts.ts";
import type { LoadBalancerSpec } from "./load-balancers.ts";
import { MemoryLoadBalancers } from "./testing/memory-load-balancers.ts";
import { wrapEnsureStyle } from "./wrap-ensure-style.ts";

const WEB = ownerOf("web");
const HTTPS: Partial<LoadBalancerSpec> = {
  listeners: [{ name: "https", protocol: "TCP", port: 443, nodePort: 30_443 }],
};

function fixture(cloud = new MemoryLoadBalancers()) {
  const { calls, context: contextOf } = recordedContexts({ provider: "memory" });
  const context = contextOf();
  const loadBalancers = wrapEnsureStyle(cloud);
  const planFor = async (spec: LoadBalancerSpec | undefined, everything = false) => {
    const answer = (await loadBalancers.observe([WEB], context)).get(WEB.objectUid);
    if (answer?.kind !== "known") throw new Error("it was not observed");
    const { observed } = answer;
    return loadBalancers.plan({
      owner: WEB,
      spec,
      observed,
      published: { ingress: [] },
      everything,
    });
  };
  /** Returns the writes of one pass, and what is planned from their answers. */
  const pass = async (spec: LoadBalancerSpec | undefined, everything = false) => {
    const { changes } = await planFor(spec, everything);
    for (const change of changes) await loadBalancers.apply(change, context);
    return changes.map(({ action }) => action);
  };
  cloud.machines.add("m-1").add("m-2");
  return { cloud, balancers: loadBalancers, context, calls, planFor, pass };
}

describe("a provider that only knows ensure", () => {
  it("is called to ensure once after the start, even what exists, and then when it differs", async () => {
    const { cloud, pass } = fixture();
    expect(await pass(specOf(WEB))).toEqual(["create"]);
    expect(await pass(specOf(WEB))).toEqual([]);
    expect(await pass({ ...specOf(WEB), ...HTTPS })).toEqual(["update"]);
    expect(await pass({ ...specOf(WEB), ...HTTPS })).toEqual([]);
    expect(await pass({ ...specOf(WEB), ...HTTPS }, true)).toEqual(["update"]);
    const restarted = fixture(cloud);
    expect(await restarted.pass({ ...specOf(WEB), ...HTTPS })).toEqual(["update"]);
    expect(await restarted.pass({ ...specOf(WEB), ...HTTPS })).toEqual([]);
  });

  it("plans which operation is called, with the fields that changed since the last time", async () => {
    const { planFor, pass } = fixture();
    const [creation] = (await planFor(specOf(WEB, { members: ["m-1"] }))).changes;
    expect(creation).toMatchObject({
      before: null,
      after: { operation: "EnsureLoadBalancer", internal: false, members: { added: ["m-1"] } },
    });
    await pass(specOf(WEB, { members: ["m-1"] }));
    const owner = { ...WEB, published: ["192.0.2.1"], annotations: { "a/b": "c" } };
    expect((await planFor({ ...specOf(WEB, { members: ["m-1"] }), owner })).changes).toEqual([]);
    const spec = specOf(WEB, { members: ["m-1"], internal: true, annotations: { "a/b": "c" } });
    expect((await planFor(spec)).changes).toMatchObject([
      {
        action: "update",
        before: { internal: false, annotations: {} },
        after: { operation: "EnsureLoadBalancer", internal: true, annotations: { "a/b": "c" } },
      },
    ]);
    const [update] = (await planFor({ ...spec, requestedAddress: "192.0.2.7" })).changes;
    expect(Object.keys(update?.after ?? {})).not.toContain("members");
    expect(update?.before).toHaveProperty("requestedAddress", null);
    const [members] = (await planFor(specOf(WEB, { members: ["m-2"] }))).changes;
    expect(members?.after).toHaveProperty("operation", "UpdateLoadBalancer");
    const [removal] = (await planFor(undefined)).changes;
    expect(removal?.after).toEqual({ operation: "EnsureLoadBalancerDeleted" });
  });

  it("says what it cannot observe", () => {
    expect(fixture().balancers.abilities.unseen).toContain("are not detected");
  });

  it("is called to update the members when nothing else differs, and its answer needs no read", async () => {
    const { cloud, balancers: loadBalancers, context, planFor, pass } = fixture();
    await pass(specOf(WEB, { members: ["m-1"] }));
    const spec = specOf(WEB, { members: ["m-2"] });
    const { changes } = await planFor(spec);
    expect(changes).toMatchObject([
      { action: "members", after: { members: { added: ["m-2"], removed: ["m-1"], count: 1 } } },
    ]);
    const [change] = changes;
    const observed = change === undefined ? undefined : await loadBalancers.apply(change, context);
    if (observed === undefined) throw new Error("nothing was answered");
    const after = loadBalancers.plan({ owner: WEB, spec, observed, published: { ingress: [] } });
    expect(after).toMatchObject({ changes: [], members: { "m-2": {} } });
    expect(after.status).toEqual({ ingress: [{ ip: "192.0.2.1" }] });
    expect(cloud.find(WEB)?.members).toEqual(["m-2"]);
  });

  it("is called to ensure everything after a failed update of members", async () => {
    const { cloud, pass } = fixture();
    await pass(specOf(WEB, { members: ["m-1"] }));
    cloud.fault = { code: "Unavailable" };
    const get = cloud.get.bind(cloud);
    cloud.get = (owner, context) => {
      cloud.fault = undefined;
      return get(owner, context).finally(() => {
        cloud.fault = { code: "Unavailable" };
      });
    };
    const failed = await pass(specOf(WEB, { members: ["m-2"] })).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "Unavailable" });
    cloud.get = get;
    cloud.fault = undefined;
    expect(await pass(specOf(WEB, { members: ["m-2"] }))).toEqual(["update"]);
  });

  it("is called to remove once, even when it reports no load balancer", async () => {
    const { cloud, pass } = fixture();
    cloud.firewalls.add(WEB.objectUid);
    expect(await pass(undefined)).toEqual(["delete"]);
    expect([...cloud.firewalls]).toEqual([]);
    expect(await pass(undefined)).toEqual([]);
    await pass(specOf(WEB));
    expect(await pass(undefined)).toEqual(["delete"]);
    expect(cloud.kept.size).toBe(0);
  });

  it("is called again when its load balancer is gone", async () => {
    const { cloud, pass } = fixture();
    await pass(specOf(WEB));
    cloud.kept.clear();
    expect(await pass(specOf(WEB))).toEqual(["create"]);
    expect(cloud.kept.size).toBe(1);
  });

  it("is not called while another controller serves the Service", async () => {
    const { cloud, planFor, pass } = fixture();
    cloud.ensure = () => Promise.resolve("elsewhere" as const);
    expect(await pass(specOf(WEB))).toEqual(["create"]);
    expect(await planFor(specOf(WEB, { members: ["m-1"] }))).toMatchObject({
      changes: [],
      next: { kind: "elsewhere" },
      status: undefined,
    });
    expect(await pass({ ...specOf(WEB), ...HTTPS })).toEqual(["update"]);
  });

  it("reports a failed read as failed, whatever was thrown", async () => {
    const { cloud, balancers: loadBalancers, context } = fixture();
    cloud.get = () => Promise.reject(new TypeError("no such field"));
    const answer = (await loadBalancers.observe([WEB], context)).get(WEB.objectUid);
    expect(answer).toMatchObject({ kind: "failed", error: { code: "Unavailable" } });
  });

  it("has no orphans when it cannot list", async () => {
    const { cloud, context } = fixture();
    const { owned: _owned, ...style } = { ...bound(cloud) };
    expect(await wrapEnsureStyle(style).owned("c", context)).toEqual([]);
  });
});

function bound(cloud: MemoryLoadBalancers) {
  return {
    provider: cloud.provider,
    abilities: cloud.abilities,
    name: cloud.name.bind(cloud),
    get: cloud.get.bind(cloud),
    ensure: cloud.ensure.bind(cloud),
    updateMembers: cloud.updateMembers.bind(cloud),
    remove: cloud.remove.bind(cloud),
    owned: cloud.owned.bind(cloud),
  };
}
