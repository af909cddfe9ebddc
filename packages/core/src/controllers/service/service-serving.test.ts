import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { FINALIZER } from "./service-object.ts";
import { fixture, served } from "./testing/open-fixtures.ts";
import { DRIFT_PERIOD_MS, service } from "./testing/service-fixture.ts";

const CALL = { provider: "p", operation: "PATCH /balancers" };

describe("a Service of type LoadBalancer", () => {
  it("gets its finalizer, its load balancer and its address, with one observation of the cloud (S-01)", async () => {
    const made = await fixture();
    made.services.put(service());
    await made.settle();
    expect(made.take()).toEqual({
      patches: ["web finalizer+", "web status"],
      calls: ["GET web", "POST web"],
      events: ["shop/web EnsuringLoadBalancer", "shop/web EnsuredLoadBalancer"],
    });
    const { metadata, status } = made.services.get("shop/web") ?? {};
    expect(metadata?.finalizers).toEqual([FINALIZER]);
    expect(status?.loadBalancer?.ingress).toEqual([{ ip: "9.9.9.9", ipMode: "VIP" }]);
    expect(made.last()).toMatchObject({ outcome: "changed", state: "ok" });
    expect(made.state()).toMatchObject({
      drift: "inStep",
      detail: { kind: "balancer", membersIn: 1, membersWanted: 1, ignored: ["colour"] },
    });
  });

  it("keeps what the cloud needs for a change out of every record", async () => {
    const made = await served();
    expect(JSON.stringify(made.records)).not.toContain('"request"');
  });

  it.each([
    ["a Service of another type (S-02)", service({ spec: { type: "ClusterIP" } })],
    ["one of another class (S-03)", service({ spec: { loadBalancerClass: "x/y" } })],
    [
      "one of another class that carries the finalizer and is deleted (S-68)",
      service({
        spec: { loadBalancerClass: "x/y" },
        finalizers: [FINALIZER],
        deletionTimestamp: "2026-01-01T00:00:00Z",
      }),
    ],
    [
      "one that is done with and lingers for another finalizer (S-75)",
      service({ finalizers: ["x/y"], deletionTimestamp: "2026-01-01T00:00:00Z" }),
    ],
  ])("is left alone when it is %s", async (_, other) => {
    const made = await fixture({ services: [other] });
    made.services.edit("shop/web", (one) => ({
      ...one,
      metadata: { ...one.metadata, annotations: { "p.example/a": "b" } },
    }));
    await made.settle();
    expect(made.take()).toEqual({ patches: [], calls: [], events: [] });
  });

  it("is served if its class is among those that we serve", async () => {
    const made = await fixture({ policy: { classes: ["x/y"] } });
    made.services.put(service({ spec: { loadBalancerClass: "x/y" } }));
    await made.settle();
    expect(made.take().calls).toEqual(["GET web", "POST web"]);
  });

  it("shows no address before its load balancer has one, and blocks no worker meanwhile (S-78)", async () => {
    const made = await fixture();
    made.balancers.isSlow = true;
    made.services.put(service());
    await made.settle();
    expect(made.take().patches).toEqual(["web finalizer+"]);
    expect(made.last()).toMatchObject({
      outcome: "waiting",
      reason: { code: "BalancerProvisioning" },
    });
    const [uid, one] = [...made.balancers.cloud][0] ?? [];
    if (uid === undefined || one === undefined) throw new Error("nothing was made");
    made.balancers.cloud.set(uid, { ...one, state: "active" });
    await made.settle(2_100);
    expect(made.take()).toEqual({
      calls: ["GET web"],
      patches: ["web status"],
      events: ["shop/web EnsuredLoadBalancer"],
    });
  });

  it("gets its finalizer back when somebody removes it (S-73)", async () => {
    const made = await served();
    made.services.edit("shop/web", (one) => ({
      ...one,
      metadata: { ...one.metadata, finalizers: [] },
    }));
    await made.settle();
    expect(made.take().patches).toEqual(["web finalizer+"]);
  });

  it("is observed and not written when we start (S-54)", async () => {
    const first = await served();
    const [uid, one] = [...first.balancers.cloud][0] ?? [];
    const there = first.services.get("shop/web");
    if (uid === undefined || one === undefined || there === undefined) throw new Error("lost");
    const made = await fixture({
      services: [there],
      prepare: ({ cloud }) => void cloud.set(uid, one),
    });
    expect(made.take()).toEqual({ calls: ["GET web"], patches: [], events: [] });
    expect(made.last()).toMatchObject({ outcome: "unchanged", state: "ok" });
  });

  it.each([
    ["hostname", [{ hostname: "lb.example" }], [{ hostname: "lb.example" }]],
    ["Proxy", [{ ip: "1.1.1.1", ipMode: "Proxy" }], [{ ip: "1.1.1.1", ipMode: "Proxy" }]],
    [
      "an empty address beside a host name",
      [{ ip: "", hostname: "lb.example" }],
      [{ hostname: "lb.example" }],
    ],
    [
      "ports",
      [{ ip: "1.1.1.1", ports: [{ port: 80, protocol: "TCP" }] }],
      [{ ip: "1.1.1.1", ipMode: "VIP", ports: [{ port: 80, protocol: "TCP" }] }],
    ],
  ] as const)(
    "shows what the cloud says of %s, and writes it once (S-48 to S-50, S-71)",
    async (_, said, shown) => {
      const made = await fixture();
      made.balancers.status = () => ({ ingress: [...said] });
      made.services.put(service());
      await made.settle();
      expect(made.services.get("shop/web")?.status?.loadBalancer?.ingress).toEqual(shown);
      made.take();
      await made.settle(2 * DRIFT_PERIOD_MS + 100);
      expect(made.take().patches).toEqual([]);
    },
  );

  it("is reported to have no address when the cloud gives none, and is retried (S-15)", async () => {
    const made = await fixture();
    made.balancers.status = () => undefined;
    made.services.put(service());
    await made.settle();
    expect(made.last()).toMatchObject({
      outcome: "failed",
      reason: { code: "BalancerAddressMissing" },
    });
    await made.settle(5_100);
    expect(made.last().failures).toBe(2);
  });

  it("is left to another controller if the provider says so (S-14)", async () => {
    const made = await fixture();
    made.balancers.says.set("web", { kind: "elsewhere" });
    made.services.put(service());
    await made.settle();
    expect(made.take()).toMatchObject({ patches: ["web finalizer+"], events: [] });
    expect(made.last()).toMatchObject({ outcome: "changed", state: "ok" });
  });

  it.each([
    ["foreign", { kind: "foreign", id: "lb-x", owner: "cluster c2" }, "BalancerForeign"],
    ["unowned", { kind: "unowned", id: "lb-x", name: "a1" }, "BalancerUnowned"],
    ["unsupported", { kind: "unsupported", field: "f", problem: "p" }, "ServiceUnsupported"],
  ] as const)("waits for a user when its load balancer is %s", async (_, says, code) => {
    const made = await fixture();
    made.balancers.says.set("web", says);
    made.services.put(service());
    await made.settle();
    expect(made.last()).toMatchObject({ outcome: "blocked", state: "stuck", reason: { code } });
    expect(made.take().patches).toEqual([`web condition False ${code}`]);
  });

  it("has an Event that says why it cannot be served before any call is made (S-62)", async () => {
    const made = await fixture();
    made.services.put(service({ spec: { loadBalancerSourceRanges: ["10.0.0.1"] } }));
    await made.settle();
    expect(made.last()).toMatchObject({
      outcome: "blocked",
      reason: { code: "ServiceInvalid", value: "10.0.0.1" },
    });
    expect(made.balancers.cloud.size).toBe(0);
    expect(made.take().patches).toEqual(["web condition False ServiceInvalid"]);
    expect(made.state()).toMatchObject({
      drift: "notChecked",
      createdAt: Date.parse("2026-01-01T00:00:00Z"),
    });
  });

  it("fails with the cause, backs off, and is retried at once when it is edited (S-08, S-10)", async () => {
    const made = await fixture();
    made.balancers.onCall = (operation) =>
      operation === "POST"
        ? Promise.reject(new ProviderError("QuotaExceeded", "No more.", CALL))
        : Promise.resolve();
    made.services.put(service());
    await made.settle();
    expect(made.last().reason.code).toBe("ProviderQuotaExceeded");
    await made.settle(5_000);
    expect(made.last().failures).toBe(2);
    await made.settle(9_000);
    expect(made.last().failures).toBe(2);
    await made.settle(1_100);
    expect(made.last().failures).toBe(3);
    expect(made.take().events).toEqual([
      "shop/web EnsuringLoadBalancer",
      "shop/web ProviderQuotaExceeded",
    ]);
    made.balancers.onCall = () => Promise.resolve();
    made.services.edit("shop/web", (one) => ({
      ...one,
      metadata: { ...one.metadata, annotations: { any: "thing" } },
    }));
    await made.settle();
    expect(made.last()).toMatchObject({ outcome: "changed", state: "ok" });
    expect(made.take().events).toEqual(["shop/web EnsuredLoadBalancer"]);
  });

  it.each(["POST", "DELETE"])(
    "waits as long as the cloud asks on %s (S-09, S-66)",
    async (which) => {
      const made = await fixture();
      if (which === "DELETE") made.services.put(service());
      await made.settle();
      const at: number[] = [];
      made.balancers.onCall = (operation) => {
        if (operation !== which || at.push(made.clock.monotonic()) > 3) return Promise.resolve();
        const call = { ...CALL, retryAfterMs: 3_000 };
        return Promise.reject(new ProviderError("Unavailable", "Later.", call));
      };
      if (which === "POST") made.services.put(service());
      else made.services.delete("shop/web");
      await made.settle(20_000);
      expect(at.slice(1).map((ms, index) => ms - (at[index] ?? 0))).toEqual([3_000, 3_000, 3_000]);
      expect(made.balancers.cloud.size).toBe(which === "POST" ? 1 : 0);
    },
  );

  it("does not count as failed if it is gone when its address is written (S-59)", async () => {
    const made = await fixture();
    made.services.onPatch = (patch) => {
      if ("status" in (patch.body as object)) made.services.remove("shop/web");
      return Promise.resolve();
    };
    made.services.put(service());
    await made.settle();
    expect(made.outcomes.every(({ outcome }) => outcome !== "failed")).toBe(true);
    expect(made.balancers.cloud.size).toBe(0);
  });
});
