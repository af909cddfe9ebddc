import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { FINALIZER } from "./service-object.ts";
import { fixture, served } from "./testing/open-fixtures.ts";
import { DRIFT_PERIOD_MS, service } from "./testing/service-fixture.ts";

const CALL = { provider: "p", operation: "PATCH /balancers" };

describe("a Service of type LoadBalancer", () => {
  it("gets its finalizer, its load balancer and its address, by one look at the cloud (S-01)", async () => {
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

  it("keeps what the cloud needs to make a change out of every record", async () => {
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

  it("is served when its class is among those that we serve", async () => {
    const made = await fixture({ policy: { classes: ["x/y"] } });
    made.services.put(service({ spec: { loadBalancerClass: "x/y" } }));
    await made.settle();
    expect(made.take().calls).toEqual(["GET web", "POST web"]);
  });

  it("shows no address before its load balancer has one, and holds up no worker meanwhile (S-78)", async () => {
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

  it("is deleted with its load balancer, and is then gone (S-04)", async () => {
    const made = await served();
    made.services.delete("shop/web");
    await made.settle();
    expect(made.take()).toEqual({
      calls: ["GET web", "DELETE web"],
      patches: ["web finalizer-"],
      events: ["shop/web DeletingLoadBalancer", "shop/web DeletedLoadBalancer"],
    });
    expect(made.services.get("shop/web")).toBeUndefined();
    expect(made.balancers.cloud.size).toBe(0);
    expect(made.state()?.state).toBe("gone");
  });

  it("loses its load balancer when its type changes, and stays (S-05)", async () => {
    const made = await served();
    made.services.edit("shop/web", (one) => ({
      ...one,
      spec: { ...one.spec, type: "ClusterIP" },
      status: { loadBalancer: {} },
    }));
    await made.settle();
    expect(made.take().patches).toEqual(["web finalizer-"]);
    expect(made.balancers.cloud.size).toBe(0);
    expect(made.services.get("shop/web")?.metadata?.finalizers).toEqual([]);
    expect(made.state()?.state).toBe("gone");
  });

  it("leaves no rule behind though its load balancer is gone already (S-65)", async () => {
    const made = await fixture();
    made.services.put(service({ spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } }));
    await made.settle();
    const [uid, one] = [...made.balancers.cloud][0] ?? [];
    if (uid === undefined || one === undefined) throw new Error("nothing was made");
    made.balancers.cloud.set(uid, { ...one, hasLoadBalancer: false });
    await made.settle(10_000);
    made.take();
    made.services.delete("shop/web");
    await made.settle();
    expect(made.take().calls).toEqual(["GET web", "DELETE web"]);
    expect(made.balancers.cloud.size).toBe(0);
  });

  it("keeps its finalizer while the cloud cannot be asked (S-12)", async () => {
    const made = await served();
    await made.settle(10_000);
    made.balancers.onCall = () =>
      Promise.reject(new ProviderError("Unavailable", "It is down.", CALL));
    made.services.delete("shop/web");
    await made.settle();
    expect(made.services.get("shop/web")).toBeDefined();
    expect(made.last()).toMatchObject({ outcome: "failed", state: "unknown" });
    made.balancers.onCall = () => Promise.resolve();
    await made.settle(5_100);
    expect(made.services.get("shop/web")).toBeUndefined();
    expect(made.balancers.cloud.size).toBe(0);
  });

  it("keeps foreign finalizers, and is cleaned up once (S-51)", async () => {
    const made = await fixture();
    made.services.put(service({ finalizers: ["x/y"] }));
    await made.settle();
    made.take();
    made.services.delete("shop/web");
    await made.settle();
    expect(made.take()).toMatchObject({
      calls: ["GET web", "DELETE web"],
      patches: ["web condition-", "web status", "web finalizer-"],
    });
    expect(made.services.get("shop/web")?.metadata?.finalizers).toEqual(["x/y"]);
    await made.settle(2 * DRIFT_PERIOD_MS);
    expect(made.take()).toMatchObject({ calls: [], patches: [] });
  });

  it("is published nowhere when its finalizer was stripped, it is deleted and another one's holds it", async () => {
    const made = await fixture();
    made.services.put(service({ finalizers: ["x/y"] }));
    await made.settle();
    made.services.edit("shop/web", (one) => ({
      ...one,
      metadata: {
        ...one.metadata,
        finalizers: ["x/y"],
        deletionTimestamp: "2026-01-01T01:00:00Z",
      },
    }));
    await made.settle();
    expect(made.balancers.cloud.size).toBe(0);
    expect(made.services.get("shop/web")?.status?.loadBalancer?.ingress).toEqual([]);
  });

  it("loses a finalizer of ours that somebody set though it is of another type", async () => {
    const made = await fixture({ services: [service({ spec: { type: "ClusterIP" } })] });
    made.services.edit("shop/web", (one) => ({
      ...one,
      metadata: { ...one.metadata, finalizers: ["x/y", FINALIZER] },
    }));
    await made.settle();
    expect(made.services.get("shop/web")?.metadata?.finalizers).toEqual(["x/y"]);
  });

  it("gets its finalizer back when somebody takes it away (S-73)", async () => {
    const made = await served();
    made.services.edit("shop/web", (one) => ({
      ...one,
      metadata: { ...one.metadata, finalizers: [] },
    }));
    await made.settle();
    expect(made.take().patches).toEqual(["web finalizer+"]);
  });

  it("is reported by a dry run until another manager has removed what it left", async () => {
    const made = await served();
    const uid = made.services.get("shop/web")?.metadata?.uid ?? "";
    const left = made.balancers.cloud.get(uid);
    const there = made.services.get("shop/web");
    if (left === undefined || there === undefined) throw new Error("nothing was made");
    const dry = await fixture({
      dryRun: true,
      services: [there],
      prepare: ({ cloud }) => void cloud.set(uid, left),
    });
    const newest = () => dry.records.findLast((record) => record.type === "run.end");
    dry.services.delete("shop/web");
    await dry.settle();
    expect(newest()?.changes).toHaveLength(1);
    dry.balancers.cloud.clear();
    dry.services.remove("shop/web");
    await dry.settle(DRIFT_PERIOD_MS + 1_000);
    expect(newest()).toMatchObject({ changes: [], reason: { code: "ObjectGone" } });
  });

  it("leaves nothing in the cloud though it went without its finalizer (S-67)", async () => {
    const made = await served();
    made.services.remove("shop/web");
    await made.settle();
    expect(made.take()).toMatchObject({
      calls: ["GET web", "DELETE web"],
      events: ["shop/web DeletingLoadBalancer", "shop/web DeletedLoadBalancer"],
    });
    expect(made.balancers.cloud.size).toBe(0);
    expect(made.state()?.state).toBe("gone");
  });

  it("is made anew under its name only after the old one's load balancer is gone (S-56)", async () => {
    const made = await served();
    made.services.remove("shop/web");
    made.services.put(service({ uid: "uid-2" }));
    await made.settle();
    const { calls } = made.take();
    expect(calls.filter((call) => !call.startsWith("GET"))).toEqual(["DELETE web", "POST web"]);
    expect([...made.balancers.cloud.keys()]).toEqual(["uid-2"]);
  });

  it("is looked at and not written when we start (S-54)", async () => {
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

  it("is cleaned up when it was deleted while we were away (S-52)", async () => {
    const first = await served();
    first.services.delete("shop/web");
    const there = first.services.get("shop/web");
    const [uid, one] = [...first.balancers.cloud][0] ?? [];
    if (uid === undefined || one === undefined || there === undefined) throw new Error("lost");
    const made = await fixture({
      services: [there],
      prepare: ({ cloud }) => void cloud.set(uid, one),
    });
    expect(made.services.get("shop/web")).toBeUndefined();
    expect(made.balancers.cloud.size).toBe(0);
  });

  it("loses our load balancer, not the other controller's address, when it got a class while we were away (S-69)", async () => {
    const first = await served();
    const [uid, one] = [...first.balancers.cloud][0] ?? [];
    if (uid === undefined || one === undefined) throw new Error("lost");
    const ingress = [{ ip: "7.7.7.7", ipMode: "VIP" }];
    const other = service({
      finalizers: [FINALIZER],
      spec: { loadBalancerClass: "x/y" },
      ingress,
    });
    const made = await fixture({
      services: [other],
      prepare: ({ cloud }) => void cloud.set(uid, one),
    });
    expect(made.take().patches).toEqual(["web finalizer-"]);
    expect(made.balancers.cloud.size).toBe(0);
    expect(made.services.get("shop/web")?.status?.loadBalancer?.ingress).toEqual(ingress);
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

  it("is said to have no address when the cloud gives none, and is tried again (S-15)", async () => {
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

  it("is left to another controller where the provider says so (S-14)", async () => {
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

  it("fails with the cause, backs off, and goes at once when it is edited (S-08, S-10)", async () => {
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

  it("is never tried less often than every 30 s while it is to be cleaned up", async () => {
    const made = await served();
    made.balancers.onCall = (operation) =>
      operation === "DELETE"
        ? Promise.reject(new ProviderError("Invalid", "Not now.", CALL))
        : Promise.resolve();
    made.services.delete("shop/web");
    await made.settle(600_000);
    made.balancers.onCall = () => Promise.resolve();
    await made.settle(30_100);
    expect(made.services.get("shop/web")).toBeUndefined();
    expect(made.balancers.cloud.size).toBe(0);
  });

  it("is cleaned up and not served any more when it is deleted while it fails (S-57)", async () => {
    const made = await fixture();
    made.balancers.onCall = (operation) =>
      operation === "POST"
        ? Promise.reject(new ProviderError("Unavailable", "Down.", CALL))
        : Promise.resolve();
    made.services.put(service());
    await made.settle();
    made.take();
    made.services.delete("shop/web");
    await made.settle();
    expect(made.take().calls).not.toContain("POST web");
    expect(made.services.get("shop/web")).toBeUndefined();
  });

  it("counts it no error that it is gone when its address is written (S-59)", async () => {
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

  it.each([
    ["port", { ports: [{ port: 81, protocol: "TCP", nodePort: 31_080 }] }],
    ["port name", { ports: [{ name: "http", port: 80, protocol: "TCP", nodePort: 31_080 }] }],
    ["node port", { ports: [{ port: 80, protocol: "TCP", nodePort: 31_081 }] }],
    ["source ranges", { loadBalancerSourceRanges: ["10.0.0.0/8"] }],
  ])(
    "is followed by one change of the cloud when its %s changes (S-32 to S-43)",
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

  it("costs neither call nor run when an annotation that nobody reads changed, however long ago the cloud was seen (S-44)", async () => {
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
    ["an annotation that the provider reads", { "p.example/touched": "1" }, {}],
    ["a field of its spec", {}, { loadBalancerSourceRanges: ["10.0.0.0/8"] }],
  ])("is looked at when %s changes right after the last look", async (_, annotations, spec) => {
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
  });

  it("is looked at once more when it changes while the cloud is being asked", async () => {
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

  it("lets no such edit put off the look at a load balancer that the cloud is at work on", async () => {
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
