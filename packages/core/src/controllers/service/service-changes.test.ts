import { describe, expect, it } from "vitest";
import type { Service } from "../../kube/client.ts";
import { served } from "./testing/open-fixtures.ts";

describe("a Service that changes", () => {
  it.each([
    ["port", { ports: [{ port: 81, protocol: "TCP", nodePort: 31_080 }] }],
    ["port name", { ports: [{ name: "http", port: 80, protocol: "TCP", nodePort: 31_080 }] }],
    ["node port", { ports: [{ port: 80, protocol: "TCP", nodePort: 31_081 }] }],
    ["source ranges", { loadBalancerSourceRanges: ["10.0.0.0/8"] }],
  ])(
    "is followed by one change in the cloud when its %s changes (S-32 to S-43)",
    async (_, spec) => {
      const made = await served();
      made.services.edit("shop/web", (one) => ({ ...one, spec: { ...one.spec, ...spec } }));
      await made.settle();
      expect(made.take()).toMatchObject({ calls: ["GET web", "PATCH web"], patches: [] });
    },
  );

  it.each([
    ["labels", { labels: { a: "b" } }, undefined],
    ["its status", {}, { loadBalancer: { ingress: [{ ip: "6.6.6.6" }] } }],
    ["an annotation of others (SW-15)", { annotations: { a: "b" } }, undefined],
  ])("costs no call when only %s changed (S-46)", async (_, metadata, status) => {
    const made = await served();
    made.services.edit("shop/web", (one) => ({
      ...one,
      metadata: { ...one.metadata, ...metadata },
      ...(status === undefined ? {} : { status }),
    }));
    await made.settle(10_000);
    expect(made.take().calls).toEqual([]);
  });

  it("costs neither call nor run when an annotation that nobody reads changed, however old the last observation is (S-44)", async () => {
    const made = await served({ policy: { driftPeriodMs: 24 * 3_600_000 } });
    await made.settle(2 * 3_600_000);
    made.take();
    const runs = made.outcomes.length;
    for (const stamp of ["1", "2"]) {
      made.services.edit("shop/web", (one) => ({
        ...one,
        metadata: { ...one.metadata, annotations: { stamp } },
      }));
      await made.settle();
    }
    expect(made.take()).toEqual({ calls: [], patches: [], events: [] });
    expect(made.outcomes).toHaveLength(runs);
  });

  it.each([
    ["another address", [{ ip: "6.6.6.6" }]],
    ["none", []],
  ])(
    "is published again with its next annotation, without a call, when somebody made its status show %s (spec/30 §4)",
    async (_, ingress) => {
      const made = await served();
      const edit = (change: Partial<Service>) =>
        made.services.edit("shop/web", (one) => ({ ...one, ...change }));
      const published = made.services.get("shop/web")?.status;
      edit({ status: { loadBalancer: { ingress } } });
      await made.settle();
      edit({ metadata: { ...made.services.get("shop/web")?.metadata, annotations: { a: "b" } } });
      await made.settle();
      expect(made.take().calls).toEqual([]);
      expect(made.services.get("shop/web")?.status?.loadBalancer).toEqual(published?.loadBalancer);
    },
  );

  it.each([
    ["an annotation that the provider reads", { "p.example/touched": "1" }, {}],
    ["a field of its spec", {}, { loadBalancerSourceRanges: ["10.0.0.0/8"] }],
  ])(
    "is observed when %s changes right after the last observation",
    async (_, annotations, spec) => {
      const made = await served();
      for (const [uid, one] of [...made.balancers.cloud]) {
        made.balancers.cloud.set(uid, { ...one, members: [] });
      }
      made.services.edit("shop/web", (one) => ({
        ...one,
        metadata: { ...one.metadata, annotations },
        spec: { ...one.spec, ...spec },
      }));
      await made.settle();
      expect(made.take().calls).toContain("GET web");
      expect([...made.balancers.cloud.values()][0]?.members).toEqual(["p://n1"]);
    },
  );

  it("is observed once more when it changes while the cloud is being asked", async () => {
    const made = await served();
    const edit = (value: string) =>
      made.services.edit("shop/web", (one) => ({
        ...one,
        metadata: { ...one.metadata, annotations: { "p.example/touched": value } },
      }));
    let requested = 0;
    made.balancers.onCall = async (operation) => {
      if (operation !== "GET" || ++requested > 1) return;
      edit("2");
      await new Promise<void>((answer) => made.clock.after(10, answer));
    };
    edit("1");
    await made.settle();
    expect(made.take().calls.filter((call) => call === "GET web")).toHaveLength(2);
  });

  it("does not let such an edit delay the observation of a load balancer that the cloud is at work on", async () => {
    const made = await served();
    made.balancers.isSlow = true;
    made.services.edit("shop/web", (one) => ({
      ...one,
      spec: { ...one.spec, loadBalancerSourceRanges: ["10.0.0.0/8"] },
    }));
    await made.settle();
    const [uid, one] = [...made.balancers.cloud][0] ?? [];
    if (uid === undefined || one === undefined) throw new Error("nothing was made");
    made.balancers.cloud.set(uid, { ...one, state: "active" });
    for (let second = 1; second <= 6; second++) {
      made.services.edit("shop/web", (known) => ({
        ...known,
        metadata: { ...known.metadata, annotations: { stamp: String(second) } },
      }));
      await made.settle(1_000);
    }
    expect(made.last()).toMatchObject({ state: "ok" });
  });
});
