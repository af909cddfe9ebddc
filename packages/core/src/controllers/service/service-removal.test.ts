import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { FINALIZER } from "./service-object.ts";
import { fixture, served } from "./testing/open-fixtures.ts";
import { DRIFT_PERIOD_MS, service } from "./testing/service-fixture.ts";

const CALL = { provider: "p", operation: "PATCH /balancers" };

describe("a Service that goes", () => {
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

  it("expects no node behind its load balancer any more, and names those that are still there", async () => {
    const made = await served();
    made.balancers.onCall = (call) =>
      call.startsWith("DELETE")
        ? Promise.reject(new ProviderError("Unavailable", "It is down.", CALL))
        : Promise.resolve();
    made.services.delete("shop/web");
    await made.settle();
    expect(made.state()?.detail).toMatchObject({
      ...{ membersIn: 1, membersWanted: 0, members: [{ verdict: "in" }] },
    });
    made.balancers.onCall = () => Promise.resolve();
    await made.settle(5_100);
    expect(made.state()).toMatchObject({
      state: "gone",
      detail: { membersIn: 0, membersWanted: 0, members: [] },
    });
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

  it("leaves no rule behind although its load balancer is already gone (S-65)", async () => {
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

  it("is published nowhere if its finalizer was stripped and it is deleted while another finalizer holds it", async () => {
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

  it("loses a finalizer of ours that somebody added although it is of another type", async () => {
    const made = await fixture({ services: [service({ spec: { type: "ClusterIP" } })] });
    made.services.edit("shop/web", (one) => ({
      ...one,
      metadata: { ...one.metadata, finalizers: ["x/y", FINALIZER] },
    }));
    await made.settle();
    expect(made.services.get("shop/web")?.metadata?.finalizers).toEqual(["x/y"]);
  });

  it("is reported by a dry run until another manager has removed its remains", async () => {
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

  it("leaves nothing in the cloud although it was deleted without its finalizer (S-67)", async () => {
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

  it("is recreated under its name only after the old one's load balancer is gone (S-56)", async () => {
    const made = await served();
    made.services.remove("shop/web");
    made.services.put(service({ uid: "uid-2" }));
    await made.settle();
    const { calls } = made.take();
    expect(calls.filter((call) => !call.startsWith("GET"))).toEqual(["DELETE web", "POST web"]);
    expect([...made.balancers.cloud.keys()]).toEqual(["uid-2"]);
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

  it("is retried at least every 30 s while it waits to be cleaned up", async () => {
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

  it("is cleaned up and no longer served when it is deleted while it fails (S-57)", async () => {
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
});
