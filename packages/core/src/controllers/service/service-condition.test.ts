import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { node } from "../testing/node-fixture.ts";
import { FINALIZER, READY_CONDITION } from "./service-object.ts";
import { fixture } from "./testing/open-fixtures.ts";
import { DRIFT_PERIOD_MS, type ServiceFixture, service } from "./testing/service-fixture.ts";

const CALL = { provider: "p", operation: "POST /balancers" };
const OTHERS = {
  type: "example.org/Ready",
  status: "True",
  reason: "Fine",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
} as const;

async function served(
  ...args: ConstructorParameters<typeof ServiceFixture>
): Promise<ServiceFixture> {
  const made = await fixture(...args);
  made.services.put(service());
  await made.settle();
  made.take();
  return made;
}

function ready(made: ServiceFixture) {
  const { status } = made.services.get("shop/web") ?? {};
  return status?.conditions?.find(({ type }) => type === READY_CONDITION);
}

function refusing(which: string) {
  return (operation: string) =>
    operation === which
      ? Promise.reject(new ProviderError("QuotaExceeded", "No more.", CALL))
      : Promise.resolve();
}

describe("the condition of a Service", () => {
  it("is True with its address, in the same write, and does not touch those of others", async () => {
    const made = await fixture();
    const one = service();
    made.services.put({ ...one, status: { ...one.status, conditions: [OTHERS] } });
    await made.settle();
    expect(made.take().patches).toEqual(["web finalizer+", "web status"]);
    expect(made.services.get("shop/web")?.status?.conditions).toEqual([
      OTHERS,
      {
        type: READY_CONDITION,
        status: "True",
        reason: "BalancerInStep",
        message: "The load balancer is as the Service asks.",
        lastTransitionTime: expect.stringMatching(/^20.*:\d\dZ$/),
      },
    ]);
  });

  it("comes with an address that is published while the cloud is still at work on the load balancer", async () => {
    const made = await fixture();
    made.balancers.beside = {
      next: { kind: "inProgress", dueMs: 2_000, what: "its ports are changed" },
      status: { ingress: [{ ip: "9.9.9.9" }] },
    };
    made.services.put(service());
    await made.settle(1_000);
    expect(made.take().patches).toEqual(["web finalizer+", "web status"]);
    expect(ready(made)).toMatchObject({ status: "True", reason: "BalancerInStep" });
    made.balancers.beside = {};
    await made.settle(5_000);
    expect(made.take().patches).toEqual([]);
  });

  it("alone is not worth a write to a Service that already has its address", async () => {
    const made = await fixture({
      services: [service({ finalizers: [FINALIZER], ingress: [{ ip: "9.9.9.9", ipMode: "VIP" }] })],
    });
    await made.settle(DRIFT_PERIOD_MS);
    expect(made.take().patches).toEqual([]);
  });

  it("is False with the cause as soon as a user is needed, and True once that is fixed", async () => {
    const made = await served();
    const edit = (ranges: string[]) =>
      made.services.edit("shop/web", (one) => ({
        ...one,
        spec: { ...one.spec, loadBalancerSourceRanges: ranges },
      }));
    edit(["10.0.0.1"]);
    await made.settle();
    expect(made.take().patches).toEqual(["web condition False ServiceInvalid"]);
    expect(ready(made)?.message).toContain("10.0.0.1");
    await made.settle(DRIFT_PERIOD_MS);
    expect(made.take().patches).toEqual([]);
    edit(["10.0.0.0/8"]);
    await made.settle();
    expect(made.take().patches).toEqual(["web condition True BalancerInStep"]);
    expect(made.last()).toMatchObject({ outcome: "changed", state: "ok" });
  });

  it("is False after three failures in a row, reported once, and then says what is being done", async () => {
    const made = await fixture();
    made.balancers.onCall = refusing("POST");
    made.services.put(service());
    await made.settle(16_000);
    expect(made.last().failures).toBe(3);
    expect(made.take().patches).toEqual(["web finalizer+"]);
    await made.settle(20_000);
    expect(made.take().patches).toEqual(["web condition False ProviderQuotaExceeded"]);
    const { lastTransitionTime } = ready(made) ?? {};
    await made.settle(100_000);
    expect(made.take().patches).toEqual([]);
    made.balancers.onCall = () => Promise.resolve();
    made.balancers.isSlow = true;
    await made.settle(300_000);
    expect(made.take().patches).toEqual(["web condition False BalancerProvisioning"]);
    expect(ready(made)?.lastTransitionTime).toBe(lastTransitionTime);
  });

  it("stays as it is while the cloud cannot be observed", async () => {
    const made = await served();
    made.balancers.onCall = refusing("GET");
    await made.settle(3 * DRIFT_PERIOD_MS);
    expect(made.last().failures).toBeGreaterThan(3);
    expect(made.take().patches).toEqual([]);
    expect(ready(made)?.status).toBe("True");
  });

  it("is False while no node can serve", async () => {
    const made = await served();
    made.nodes.remove("n1");
    await made.settle(1_000);
    expect(made.take().patches).toEqual(["web condition False BalancerWithoutMembers"]);
    made.nodes.put(node({ name: "n2", providerID: "p://n2" }));
    await made.settle(5_000);
    expect(made.take().patches).toEqual(["web condition True BalancerInStep"]);
  });

  it("is removed with the load balancer of a Service that stays", async () => {
    const made = await served();
    made.services.edit("shop/web", (one) => ({
      ...one,
      spec: { ...one.spec, type: "ClusterIP" },
      status: { ...one.status, loadBalancer: {} },
    }));
    await made.settle();
    expect(made.take().patches).toEqual(["web condition-", "web finalizer-"]);
    expect(ready(made)).toBeUndefined();
  });

  it("is removed from a Service that never had a load balancer, even if its type changed unobserved", async () => {
    const made = await fixture();
    made.services.put(service({ spec: { loadBalancerSourceRanges: ["10.0.0.1"] } }));
    await made.settle();
    expect(made.take().patches).toEqual(["web condition False ServiceInvalid"]);
    await made.stop();
    const { spec, ...rest } = made.services.get("shop/web") ?? service();
    const turned = { ...rest, spec: { ...spec, type: "ClusterIP" } };
    const next = await fixture({ services: [turned] });
    expect(next.take().patches).toEqual(["web condition-"]);
    expect(ready(next)).toBeUndefined();
  });

  it("is left alone on a Service of another class, whose controller may write it", async () => {
    const condition = { ...OTHERS, type: READY_CONDITION };
    const one = service({ spec: { loadBalancerClass: "x/y" } });
    const made = await fixture({
      services: [{ ...one, status: { ...one.status, conditions: [condition] } }],
    });
    await made.settle(DRIFT_PERIOD_MS);
    expect(made.take().patches).toEqual([]);
  });

  it("does not remain True without an address on a Service that got another class", async () => {
    const made = await served();
    made.services.edit("shop/web", (one) => ({
      ...one,
      spec: { ...one.spec, loadBalancerClass: "x/y" },
      status: { ...one.status, loadBalancer: {} },
    }));
    await made.settle();
    expect(made.take().patches).toEqual(["web condition-", "web finalizer-"]);
    expect(ready(made)).toBeUndefined();
  });

  it("reports why a Service that is deleted stays", async () => {
    const made = await served();
    made.balancers.onCall = refusing("DELETE");
    made.services.delete("shop/web");
    await made.settle(60_000);
    expect(made.take().patches).toEqual(["web condition False ProviderQuotaExceeded"]);
    made.balancers.onCall = () => Promise.resolve();
    await made.settle(300_000);
    expect(made.services.get("shop/web")).toBeUndefined();
  });

  it("does not change what was shown to a user because of one more failure meanwhile", async () => {
    const made = await fixture();
    made.balancers.onCall = refusing("POST");
    made.services.put(service());
    await made.settle(16_000);
    made.take();
    await made.ask({ kind: "reensure" });
    expect(made.take().patches).toEqual([]);
    expect(made.last()).toMatchObject({ reason: { code: "ProviderQuotaExceeded" } });
  });
});
