import { afterEach, describe, expect, it } from "vitest";
import { CLASS_ANNOTATION, FINALIZER } from "./service-object.ts";
import { DRIFT_PERIOD_MS, ServiceFixture, service } from "./testing/service-fixture.ts";

const fixtures: ServiceFixture[] = [];

afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.stop();
});

async function fixture(
  ...args: ConstructorParameters<typeof ServiceFixture>
): Promise<ServiceFixture> {
  const made = new ServiceFixture(...args);
  fixtures.push(made);
  return made.settle();
}

const OF_CLASS = { classes: ["x/y"], classless: false };
const CLASSED = service({ spec: { loadBalancerClass: "x/y" } });
/** Long enough for a listing of all load balancers and its effects. */
const PERIODS_MS = 3 * DRIFT_PERIOD_MS;

/** Starts a controller that serves Services without a class, like one that is alone in the cluster. */
function plain(beside: ServiceFixture, policy = {}): Promise<ServiceFixture> {
  return fixture({ beside, policy });
}

/** Creates a Service of the class x/y, served by the controller of that class. */
async function served(): Promise<ServiceFixture> {
  const theirs = await fixture({ policy: OF_CLASS });
  theirs.services.put(CLASSED);
  await theirs.settle();
  theirs.take();
  expect(theirs.balancers.cloud.size).toBe(1);
  return theirs;
}

async function stopped(made: ServiceFixture): Promise<void> {
  fixtures.splice(fixtures.indexOf(made), 1);
  await made.stop();
  made.take();
}

function retyped(made: ServiceFixture): void {
  // The API server removes the class and the address together with the type.
  made.services.edit("shop/web", (one) => {
    const { loadBalancerClass: _class, ...spec } = one.spec ?? {};
    return { ...one, spec: { ...spec, type: "ClusterIP" }, status: { loadBalancer: {} } };
  });
}

const UNTOUCHED = { calls: [], patches: [], events: [] };

describe("a Service of another controller's class", () => {
  it("has its class beside its finalizer, in the same write", async () => {
    const theirs = await fixture({ policy: OF_CLASS });
    theirs.services.put(CLASSED);
    await theirs.settle();
    expect(theirs.take().patches).toEqual(["web finalizer+", "web status"]);
    expect(theirs.services.get("shop/web")?.metadata).toMatchObject({
      finalizers: [FINALIZER],
      annotations: { [CLASS_ANNOTATION]: "x/y" },
    });
    await theirs.settle(PERIODS_MS);
    expect(theirs.take().patches).toEqual([]);
  });

  it("gets its class beside a finalizer that was there before", async () => {
    const one = service({ finalizers: [FINALIZER], spec: { loadBalancerClass: "x/y" } });
    const theirs = await fixture({ policy: OF_CLASS, services: [one] });
    expect(theirs.services.get("shop/web")?.metadata?.annotations).toMatchObject({
      [CLASS_ANNOTATION]: "x/y",
    });
  });

  it("keeps its load balancer, however often the other controller starts and compares", async () => {
    const theirs = await served();
    for (let start = 0; start < 2; start++) {
      const ours = await plain(theirs);
      await ours.settle(PERIODS_MS);
      expect(ours.take().patches).toEqual([]);
      expect(ours.outcomes).toEqual([]);
      await stopped(ours);
    }
    expect([...theirs.balancers.cloud.values()]).toHaveLength(1);
    expect(theirs.services.get("shop/web")?.metadata?.finalizers).toEqual([FINALIZER]);
  });

  it("is not deleted by us, and its finalizer stays until its own controller is back", async () => {
    const theirs = await served();
    await stopped(theirs);
    const ours = await plain(theirs);
    theirs.services.delete("shop/web");
    await ours.settle(PERIODS_MS);
    expect(ours.take()).toEqual(UNTOUCHED);
    expect(ours.services.get("shop/web")?.metadata?.finalizers).toEqual([FINALIZER]);
    await (await fixture({ beside: ours, policy: OF_CLASS })).settle();
    expect(ours.services.get("shop/web")).toBeUndefined();
    expect(ours.balancers.cloud.size).toBe(0);
  });

  it("that lost its type waits for its own controller", async () => {
    const theirs = await served();
    await stopped(theirs);
    const ours = await plain(theirs);
    retyped(ours);
    await ours.settle(PERIODS_MS);
    expect(ours.take()).toEqual(UNTOUCHED);
    expect(ours.services.get("shop/web")?.metadata?.finalizers).toEqual([FINALIZER]);
    await (await fixture({ beside: ours, policy: OF_CLASS })).settle();
    expect(ours.services.get("shop/web")?.metadata?.finalizers).toEqual([]);
    expect(ours.services.get("shop/web")?.metadata?.annotations).not.toHaveProperty(
      CLASS_ANNOTATION,
    );
    expect(ours.balancers.cloud.size).toBe(0);
  });

  it("that has gone leaves an orphan of its own controller, not of ours", async () => {
    const theirs = await served();
    const [one] = [...theirs.balancers.cloud.values()];
    const id = one?.id ?? "";
    await stopped(theirs);
    theirs.services.remove("shop/web");
    const ours = await plain(theirs, { graceMs: 1_000 });
    await ours.settle(PERIODS_MS);
    expect(ours.state(id)).toBeUndefined();
    expect(ours.sightings).toEqual([]);
    const orphan = { kind: "LoadBalancer", name: id, uid: id } as const;
    expect(await ours.ask({ kind: "remove-orphan", balancer: id }, orphan)).not.toMatchObject({
      run: { outcome: "changed" },
    });
    expect(ours.balancers.cloud.size).toBe(1);
    const back = await fixture({ beside: ours, policy: OF_CLASS });
    expect(back.state(id)).toMatchObject({ reason: { code: "BalancerOrphaned" } });
  });
});

describe("a Service without a class", () => {
  it("is left alone by a controller that serves only classes, including its load balancer and its deletion", async () => {
    const ours = await fixture();
    ours.services.put(service());
    await ours.settle();
    const theirs = await fixture({ beside: ours, policy: OF_CLASS });
    await theirs.settle(PERIODS_MS);
    expect(theirs.outcomes).toEqual([]);
    ours.take();
    await stopped(ours);
    ours.services.delete("shop/web");
    await theirs.settle(PERIODS_MS);
    expect(theirs.take()).toEqual(UNTOUCHED);
    expect(theirs.balancers.cloud.size).toBe(1);
  });

  it("that got another class while we were away leaves its load balancer to the controller that took it over", async () => {
    const ours = await fixture();
    ours.services.put(service());
    await ours.settle();
    await stopped(ours);
    retyped(ours);
    ours.services.edit("shop/web", (one) => ({
      ...one,
      spec: { ...one.spec, type: "LoadBalancer", loadBalancerClass: "x/y" },
    }));
    const theirs = await fixture({ beside: ours, policy: OF_CLASS });
    await theirs.settle();
    theirs.take();
    const back = await plain(theirs);
    await back.settle(PERIODS_MS);
    expect(back.take().calls).not.toContain("DELETE web");
    expect(back.balancers.cloud.size).toBe(1);
    expect(back.services.get("shop/web")?.metadata?.finalizers).toEqual([FINALIZER]);
  });

  it("that got another class leaves us nothing to remove once its controller has the load balancer", async () => {
    const made = await fixture();
    made.services.put(service());
    await made.settle();
    made.take();
    for (const [uid, one] of made.balancers.cloud) {
      const owner = { ...one.owner, loadBalancerClass: "x/y" };
      made.balancers.cloud.set(uid, { ...one, owner });
    }
    made.services.edit("shop/web", (one) => ({
      ...one,
      spec: { ...one.spec, loadBalancerClass: "x/y" },
    }));
    await made.settle(PERIODS_MS);
    expect(made.take()).toEqual({ ...UNTOUCHED, calls: ["GET web"] });
    expect(made.balancers.cloud.size).toBe(1);
    expect(made.services.get("shop/web")?.metadata?.finalizers).toEqual([FINALIZER]);
  });

  it("that got another class while we ran loses only our load balancer: what the other has created meanwhile stays", async () => {
    const ours = await fixture();
    ours.services.put(service());
    await ours.settle();
    const theirs = await fixture({ beside: ours, policy: OF_CLASS });
    theirs.services.edit("shop/web", (one) => ({
      ...one,
      spec: { ...one.spec, loadBalancerClass: "x/y" },
    }));
    await theirs.settle(PERIODS_MS);
    const [one] = [...theirs.balancers.cloud.values()];
    expect(one?.owner.loadBalancerClass).toBe("x/y");
    expect(theirs.services.get("shop/web")?.metadata?.finalizers).toEqual([FINALIZER]);
    theirs.take();
    await theirs.settle(PERIODS_MS);
    expect(theirs.take().patches).toEqual([]);
  });
});

describe("an orphan", () => {
  it("that carries another controller's class when it is about to be removed is left alone", async () => {
    const made = await fixture();
    made.services.put(service());
    await made.settle();
    const [uid, one] = [...made.balancers.cloud][0] ?? [];
    if (uid === undefined || one === undefined) throw new Error("nothing was made");
    await stopped(made);
    made.services.remove("shop/web");
    const next = await fixture({ beside: made });
    expect(next.state(one.id)).toMatchObject({ reason: { code: "BalancerOrphaned" } });
    next.balancers.cloud.set(uid, { ...one, owner: { ...one.owner, loadBalancerClass: "x/y" } });
    const orphan = { kind: "LoadBalancer", name: one.id, uid: one.id } as const;
    await next.ask({ kind: "remove-orphan", balancer: one.id }, orphan);
    expect(next.take().calls).toEqual(["GET web"]);
    expect(next.balancers.cloud.size).toBe(1);
  });
});
