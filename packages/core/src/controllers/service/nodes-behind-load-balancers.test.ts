import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { found, node } from "../testing/node-fixture.ts";
import { fixture, served } from "./testing/open-fixtures.ts";
import { DRIFT_PERIOD_MS, service } from "./testing/service-fixture.ts";

const CALL = { provider: "p", operation: "PATCH /balancers" };

describe("the nodes behind a load balancer", () => {
  it("follow those of the cluster with one update and no observation (S-21, S-22)", async () => {
    const made = await served();
    await made.settle(20_000);
    made.nodes.put(node({ name: "n2", providerID: "p://n2" }));
    await made.settle(200);
    expect(made.take()).toEqual({
      calls: ["MEMBERS web"],
      patches: [],
      events: ["shop/web UpdatedLoadBalancer"],
    });
    expect(made.metrics).toEqual(["member update", "node sync"]);
    made.nodes.remove("n2");
    await made.settle(700);
    expect(made.take().calls).toEqual(["MEMBERS web"]);
    expect([...made.balancers.cloud.values()][0]?.members).toEqual(["p://n1"]);
  });

  it("are reported as none when the last one goes (S-27)", async () => {
    const made = await served();
    made.nodes.remove("n1");
    await made.settle(200);
    expect(made.take().events).toEqual(["shop/web UnAvailableLoadBalancer"]);
  });

  it("are none at the start, which is reported (S-16)", async () => {
    const made = await fixture({ nodes: [] });
    made.services.put(service());
    await made.settle();
    expect(made.take().events).toEqual([
      "shop/web EnsuringLoadBalancer",
      "shop/web UnAvailableLoadBalancer",
      "shop/web EnsuredLoadBalancer",
    ]);
  });

  it.each([
    ["is not ready", { ready: "False" }],
    ["has other addresses", { addresses: [{ type: "InternalIP", address: "10.9.9.9" }] }],
    ["has other labels", { labels: { a: "b" } }],
  ] as const)("stay when one %s (S-24, S-25)", async (_, shape) => {
    const made = await served();
    made.nodes.put(node({ name: "n1", providerID: "p://n1", ...shape }));
    await made.settle(2_000);
    expect(made.take().calls).toEqual([]);
  });

  it("are counted by the health that the cloud reports, until the Service goes", async () => {
    const nodes = ["n1", "n2", "n3"].map((name) => node({ name, providerID: `p://${name}` }));
    const made = await fixture({ nodes });
    made.services.put(service());
    await made.settle();
    expect(made.lastSeen.health.gauges).toEqual([]);
    for (const { metadata } of nodes) made.balancers.health.set(`p://${metadata?.name}`, "ONLINE");
    made.balancers.health.set("p://n2", "ERROR");
    await made.settle(DRIFT_PERIOD_MS);
    const web = (health: string, value: number) => ({
      value,
      labels: { service: "shop/web", health },
    });
    expect(made.lastSeen.health.gauges).toEqual([web("ONLINE", 2), web("ERROR", 1)]);
    made.services.delete("shop/web");
    await made.settle(20_000);
    expect(made.lastSeen.health.gauges).toEqual([]);
  });

  it("do not include one that the autoscaler is about to remove (S-72)", async () => {
    const made = await served();
    const taints = [{ key: "ToBeDeletedByClusterAutoscaler", effect: "NoSchedule" }];
    made.nodes.put(node({ name: "n1", providerID: "p://n1", taints }));
    await made.settle(200);
    expect(made.take().calls).toEqual(["MEMBERS web"]);
  });

  it("change by one update of each load balancer, and of nothing else (S-28)", async () => {
    const made = await fixture({
      services: [
        ...["a", "b", "c"].map((name) => service({ name })),
        service({ name: "d", spec: { type: "ClusterIP" } }),
      ],
    });
    made.take();
    made.nodes.put(node({ name: "n2", providerID: "p://n2" }));
    await made.settle(200);
    const { calls } = made.take();
    expect(calls).toHaveLength(3);
    expect(new Set(calls)).toEqual(new Set(["MEMBERS a", "MEMBERS b", "MEMBERS c"]));
  });

  it("are known by their name while they have no provider ID (S-17)", async () => {
    const made = await fixture({ nodes: [node({ name: "n1" })], keepsLookups: true });
    made.instances.set("n1", {
      kind: "found",
      facts: { providerID: "p://i-1" } as never,
    });
    made.services.put(service());
    await made.settle();
    expect([...made.balancers.cloud.values()][0]?.members).toEqual(["p://i-1"]);
  });

  it("are those with a provider ID if the provider has no instances", async () => {
    const nodes = [node({ name: "n1" }), node({ name: "n2", providerID: "p://n2" })];
    const made = await served({ nodes, looksUpByName: false });
    expect([...made.balancers.cloud.values()][0]?.members).toEqual(["p://n2"]);
    expect(made.last()).toMatchObject({ outcome: "changed", state: "ok" });
  });

  it("are written as a whole when an update of members fails, which is reported with their names (S-29)", async () => {
    const made = await served();
    let failures = 0;
    made.balancers.onCall = (operation) => {
      if (operation !== "MEMBERS" || failures++ > 0) return Promise.resolve();
      return Promise.reject(new ProviderError("Unavailable", "Down.", CALL));
    };
    made.nodes.put(node({ name: "n2", providerID: "p://n2" }));
    await made.settle(200);
    const { calls, events } = made.take();
    expect(calls).toEqual(["MEMBERS web", "GET web", "MEMBERS web"]);
    expect(events).toEqual([
      "shop/web UpdateLoadBalancerFailed: Error updating load balancer with new hosts [n1 n2] [node names limited, total number of nodes: 2], error: Down.",
      "shop/web UpdatedLoadBalancer",
    ]);
    expect(made.metrics).toContain("member update failed");
    expect(made.last()).toMatchObject({ outcome: "changed", state: "ok" });
  });

  it("wait for a busy load balancer, which is not a failure (S-77)", async () => {
    const made = await served();
    const [uid, one] = [...made.balancers.cloud][0] ?? [];
    if (uid === undefined || one === undefined) throw new Error("nothing was made");
    made.balancers.cloud.set(uid, { ...one, state: "busy" });
    made.balancers.onCall = (operation) =>
      operation === "MEMBERS"
        ? Promise.reject(new ProviderError("Conflict", "It is busy.", CALL))
        : Promise.resolve();
    made.nodes.put(node({ name: "n2", providerID: "p://n2" }));
    await made.settle(200);
    expect(made.last()).toMatchObject({ outcome: "waiting", failures: 0 });
    made.balancers.cloud.set(uid, one);
    made.balancers.onCall = () => Promise.resolve();
    await made.settle(2_100);
    expect(made.take().events).toEqual(["shop/web UpdatedLoadBalancer"]);
    expect([...made.balancers.cloud.values()][0]?.members).toEqual(["p://n1", "p://n2"]);
  });

  it("do not include one that the cloud refuses; it is reported by name and offered again each period", async () => {
    const made = await served();
    made.balancers.onCall = async (operation) => {
      if (operation !== "MEMBERS") return;
      const wants = made.nodes.list().some(({ metadata }) => metadata?.name === "bad");
      if (!wants || refusals.length > 0) return;
      refusals.push(operation);
      throw new ProviderError("Invalid", "It is in another network.", {
        ...CALL,
        member: "p://bad",
      });
    };
    const refusals: string[] = [];
    made.instances.set("bad", found({ providerID: "p://bad" }));
    made.nodes.put(node({ name: "bad", providerID: "p://bad" }));
    made.nodes.put(node({ name: "n2", providerID: "p://n2" }));
    await made.settle(200);
    expect([...made.balancers.cloud.values()][0]?.members).toEqual(["p://n1", "p://n2"]);
    expect(made.last()).toMatchObject({
      outcome: "changed",
      state: "stuck",
      reason: { code: "BalancerMemberRefused", node: "bad", serves: "members" },
    });
    expect(made.state()).toMatchObject({
      drift: "drifted",
      detail: { membersIn: 2, membersWanted: 3 },
    });
    await made.settle(DRIFT_PERIOD_MS);
    expect([...made.balancers.cloud.values()][0]?.members).toContain("p://bad");
    expect(made.state()).toMatchObject({ state: "ok", drift: "inStep" });
  });

  it.each(["Unknown", "True"] as const)(
    "are without the one whose machine is gone, which is no mistake of the Service (Ready %s)",
    async (ready) => {
      const made = await served();
      made.balancers.onCall = (operation) => {
        const wants = made.nodes.list().some(({ metadata }) => metadata?.name === "gone");
        if (operation !== "MEMBERS" || !wants) return Promise.resolve();
        const what = { ...CALL, member: "p://gone" };
        return Promise.reject(new ProviderError("Invalid", "There is no such machine.", what));
      };
      made.instances.set("gone", { kind: "notListed" });
      made.nodes.put(node({ name: "gone", providerID: "p://gone", ready }));
      await made.settle(200);
      expect(made.state()).toMatchObject({
        state: "waiting",
        failures: 0,
        reason: { code: "BalancerMemberGone", node: "gone", others: 0, serves: "members" },
        detail: {
          membersIn: 1,
          membersWanted: 2,
          members: [
            { node: "gone", verdict: "out", why: "machineGone" },
            { node: "n1", verdict: "in" },
          ],
        },
      });
      made.nodes.remove("gone");
      await made.settle(1_000);
      expect(made.state()).toMatchObject({ state: "ok", drift: "inStep" });
    },
  );

  it("serve without one whose machine is gone, and the Service gets the usual Event", async () => {
    const made = await fixture({
      nodes: ["gone", "n1"].map((name) => node({ name, providerID: `p://${name}` })),
    });
    const refusals: string[] = [];
    made.balancers.onCall = async (operation) => {
      if (operation.startsWith("GET") || refusals.length > 0) return;
      refusals.push(operation);
      const what = { ...CALL, member: "p://gone" };
      throw new ProviderError("Invalid", "There is no such machine.", what);
    };
    made.instances.set("gone", { kind: "notListed" });
    made.services.put(service());
    await made.settle(2_000);
    expect(made.last().reason.code).toBe("BalancerMemberGone");
    expect(made.take().events).toContain("shop/web EnsuredLoadBalancer");
    expect(made.services.get("shop/web")?.status?.conditions).toMatchObject([
      { status: "True", reason: "BalancerInStep" },
    ]);
  });

  it.each([
    ["whose machine is gone", { kind: "notListed" }, "BalancerMemberGone"],
    ["that the cloud refuses", found({ providerID: "p://n1" }), "BalancerMemberRefused"],
  ] as const)(
    "cannot serve if the only one is refused, %s: the Service is not ready",
    async (_, lookup, code) => {
      const made = await fixture();
      made.balancers.onCall = async (operation) => {
        if (operation.startsWith("GET") || refusals.length > 0) return;
        refusals.push(operation);
        throw new ProviderError("Invalid", "It cannot be had.", { ...CALL, member: "p://n1" });
      };
      const refusals: string[] = [];
      made.instances.set("n1", lookup);
      made.services.put(service());
      await made.settle(2_000);
      expect(made.last().reason).toMatchObject({ code, serves: "nothing" });
      expect(made.services.get("shop/web")?.status?.conditions).toMatchObject([
        { status: "False", reason: code },
      ]);
    },
  );

  it("joining in a wave of 500 within 10 s cause at most 5 updates", async () => {
    const made = await served();
    for (let index = 0; index < 500; index += 1) {
      made.nodes.put(node({ name: `w-${index}`, providerID: `p://w-${index}` }));
      await made.clock.advance(20);
    }
    await made.settle(10_000);
    const { calls } = made.take();
    expect(calls.length).toBeLessThanOrEqual(5);
    expect([...made.balancers.cloud.values()][0]?.members).toHaveLength(501);
  });

  it("joining in a wave cause as few if the cloud is at work after each update", async () => {
    const made = await served();
    const [uid] = made.balancers.cloud.keys();
    const become = (state: "busy" | "active") => {
      const one = made.balancers.cloud.get(uid ?? "");
      if (one !== undefined) made.balancers.cloud.set(one.owner.objectUid, { ...one, state });
    };
    made.balancers.onCall = async (operation) => {
      if (operation !== "MEMBERS") return;
      made.clock.after(1, () => become("busy"));
      made.clock.after(900, () => become("active"));
    };
    for (let index = 0; index < 500; index += 1) {
      made.nodes.put(node({ name: `w-${index}`, providerID: `p://w-${index}` }));
      await made.clock.advance(20);
    }
    await made.settle(20_000);
    const updates = made.take().calls.filter((call) => call.startsWith("MEMBERS"));
    expect(updates.length).toBeLessThanOrEqual(5);
    expect([...made.balancers.cloud.values()][0]?.members).toHaveLength(501);
  });
});
