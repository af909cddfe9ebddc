import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { HOLD_ANNOTATION, HOLD_BY_ANNOTATION, HOLD_UNTIL_ANNOTATION } from "../hold/hold.ts";
import { node } from "../testing/node-fixture.ts";
import { FINALIZER } from "./service-object.ts";
import { fixture, served } from "./testing/open-fixtures.ts";
import {
  CLUSTER,
  DRIFT_PERIOD_MS,
  type ServiceFixture,
  service,
} from "./testing/service-fixture.ts";

function edited(made: ServiceFixture, port: number): void {
  made.services.edit("shop/web", (one) => ({
    ...one,
    spec: { ...one.spec, ports: [{ port, protocol: "TCP", nodePort: 31_080 }] },
  }));
}

/** Changes the load balancer like somebody in the cloud's console. */
function tampered(made: ServiceFixture): void {
  const [uid, one] = [...made.balancers.cloud][0] ?? [];
  if (uid === undefined || one === undefined) throw new Error("nothing was made");
  made.balancers.cloud.set(uid, { ...one, spec: { ...one.spec, listeners: [] } });
}

function releasedTo({ outcomes }: ServiceFixture): unknown {
  const written = outcomes.flatMap((outcome) => outcome.written);
  return written.find(({ kind }) => kind === "service.release")?.after;
}

describe("a hold of a Service", () => {
  it("is written with who asked and why, and keeps everything as it is", async () => {
    const made = await served();
    const until = made.clock.now() + 60_000;
    expect(await made.ask({ kind: "hold", until })).toMatchObject({ kind: "ran" });
    expect(made.services.get("shop/web")?.metadata?.annotations).toMatchObject({
      [HOLD_ANNOTATION]: "INC-88",
      [HOLD_BY_ANNOTATION]: "Ada",
      [HOLD_UNTIL_ANNOTATION]: new Date(until).toISOString(),
    });
    expect(made.take().events).toEqual(["shop/web Held"]);
    edited(made, 81);
    await made.settle();
    expect(made.take().calls).toEqual([]);
    expect(made.state()).toMatchObject({ state: "held", drift: "drifted" });
    expect(made.records.findLast(({ type }) => type === "run.end")).toMatchObject({
      notTaken: [{ step: "balancer.update load balancer" }],
    });
  });

  it("delays its deletion, too, and reports that; a release lets it go", async () => {
    const made = await served();
    await made.ask({ kind: "hold", until: made.clock.now() + 60_000 });
    made.services.delete("shop/web");
    await made.settle();
    expect(made.balancers.cloud.size).toBe(1);
    expect(made.records.findLast(({ type }) => type === "run.end")).toMatchObject({
      notTaken: [{ step: "balancer.delete load balancer", reason: { code: "ServiceUnwanted" } }],
    });
    await made.ask({ kind: "release" });
    expect(releasedTo(made), "the plan says so").toEqual({ hold: null, loadBalancer: null });
    await made.settle();
    expect(made.services.get("shop/web")).toBeUndefined();
    expect(made.balancers.cloud.size).toBe(0);
  });

  it("of a Service that keeps its load balancer is released without a word of it", async () => {
    const made = await served();
    await made.ask({ kind: "hold", until: made.clock.now() + 60_000 });
    await made.ask({ kind: "release" });
    expect(releasedTo(made)).toEqual({ hold: null });
  });

  it("ends by itself, and the same run does what waited", async () => {
    const made = await served();
    await made.ask({ kind: "hold", until: made.clock.now() + 60_000 });
    edited(made, 81);
    await made.settle();
    made.take();
    await made.settle(61_000);
    expect(made.take()).toMatchObject({
      patches: ["web annotations"],
      // The last is the run caused by the echo of the released hold.
      calls: ["GET web", "PATCH web", "GET web"],
    });
    expect(made.outcomes.at(-2)?.written.map(({ kind }) => kind)).toEqual([
      "service.release",
      "balancer.update",
    ]);
    expect(made.state()?.state).toBe("ok");
  });

  it("is refused if it is held in the same way already, and so is the release of what is not held", async () => {
    const made = await served();
    const until = made.clock.now() + 60_000;
    await made.ask({ kind: "hold", until });
    const again = await made.ask({ kind: "hold", until });
    expect(again).toMatchObject({ kind: "refused", reason: { code: "NothingToDo" } });
    await made.ask({ kind: "release" });
    expect(await made.ask({ kind: "release" })).toMatchObject({
      kind: "refused",
      reason: { code: "NothingToDo" },
    });
  });

  it("is written although the cloud does not answer", async () => {
    const made = await served();
    made.balancers.onCall = () => new Promise(() => undefined);
    made.nodes.put(node({ name: "new" }));
    const until = made.clock.now() + 60_000;
    expect(await made.ask({ kind: "hold", until })).toMatchObject({
      kind: "ran",
      run: { outcome: "waiting", state: "held" },
    });
    expect(made.state()?.detail).toMatchObject({ kind: "balancer", membersIn: 1 });
  });
});

describe("an action to rewrite everything", () => {
  it("rewrites what is as it should be, once, in the user's name", async () => {
    const made = await served();
    const report = await made.ask({ kind: "reensure" });
    expect(report).toMatchObject({ kind: "ran", run: { outcome: "changed" } });
    expect(made.take().calls).toEqual(["GET web", "PATCH web"]);
    expect(made.records.findLast(({ type }) => type === "audit")).toMatchObject({
      action: "balancer.update",
      intentId: "i-1",
      why: expect.stringContaining("Ada asked"),
    });
  });

  it.each([
    ["is held", { [HOLD_ANNOTATION]: "" }, "held; release it first"],
    ["is nothing of ours", {}, "does not get a load balancer from this controller"],
  ])("is refused for a Service that %s", async (_, annotations, problem) => {
    const isOurs = HOLD_ANNOTATION in annotations;
    const spec = isOurs ? {} : { spec: { loadBalancerClass: "x/y" } };
    const made = await fixture({ services: [service({ annotations, ...spec })] });
    expect(await made.ask({ kind: "reensure" })).toMatchObject({
      kind: "refused",
      reason: { code: "WishRefused", problem: expect.stringContaining(problem) },
    });
  });
});

describe("the adoption of an unowned load balancer", () => {
  async function unowned(): Promise<ServiceFixture> {
    const made = await fixture();
    made.balancers.says.set("web", { kind: "unowned", id: "lb-x", name: "a1" });
    made.services.put(service());
    return made.settle();
  }

  it("accepts an admin's word for just the one that was named", async () => {
    const made = await unowned();
    expect(made.take().calls).toEqual(["GET web"]);
    expect(await made.ask({ kind: "adopt", balancer: "lb-other" })).toMatchObject({
      kind: "refused",
      reason: { code: "WishRefused" },
    });
    expect(made.balancers.cloud.size).toBe(0);
  });

  it("names what others have on it before anything is done, and does not touch that", async () => {
    const made = await fixture();
    const others = ["listener 53/UDP", "member i-9"];
    made.balancers.says.set("web", { kind: "unowned", id: "lb-x", name: "a1", others });
    made.services.put(service());
    await made.settle();
    expect(made.last()).toMatchObject({ reason: { code: "BalancerUnowned", others } });
    made.take();
    expect(await made.ask({ kind: "adopt", balancer: "lb-x" })).toMatchObject({
      kind: "refused",
      reason: {
        code: "WishRefused",
        problem: expect.stringContaining("does not request: listener 53/UDP, member i-9"),
      },
    });
    expect(made.take().calls).toEqual(["GET web"]);
    expect(made.balancers.cloud.size).toBe(0);
  });

  it("of one that is already ours has nothing to do", async () => {
    const made = await served();
    const id = [...made.balancers.cloud.values()][0]?.id ?? "";
    expect(await made.ask({ kind: "adopt", balancer: id })).toMatchObject({
      kind: "refused",
      reason: { code: "NothingToDo" },
    });
  });
});

it.each(["override", "remove-orphan"] as const)("%s is not for Services", async (kind) => {
  const made = await served();
  const action =
    kind === "override" ? ({ kind, until: 9e12 } as const) : ({ kind, balancer: "lb-1" } as const);
  expect(await made.ask(action)).toMatchObject({
    kind: "refused",
    reason: { code: "WishRefused" },
  });
});

describe("drift", () => {
  it("is found within the period, corrected, reported and counted (S-63, S-64)", async () => {
    const made = await served();
    made.balancers.cloud.clear();
    await made.settle(DRIFT_PERIOD_MS);
    expect(made.take()).toEqual({
      calls: ["GET web", "POST web"],
      patches: [],
      events: ["shop/web EnsuringLoadBalancer", "shop/web EnsuredLoadBalancer"],
    });
    tampered(made);
    await made.settle(DRIFT_PERIOD_MS);
    expect(made.take().calls).toEqual(["GET web", "PATCH web"]);
    expect(made.metrics).toEqual(["drift balancer.create", "drift balancer.update"]);
    expect(made.last()).toMatchObject({ outcome: "changed", trigger: { kind: "period" } });
  });

  it("of what we publish is corrected, too", async () => {
    const made = await served();
    made.services.edit("shop/web", (one) => ({
      ...one,
      status: { loadBalancer: { ingress: [{ ip: "6.6.6.6" }] } },
    }));
    await made.settle(DRIFT_PERIOD_MS);
    expect(made.take().patches).toEqual(["web status"]);
  });

  it("is only reported by a dry run", async () => {
    const made = await fixture({ dryRun: true, services: [service()] });
    await made.settle(10_000);
    expect(made.take()).toEqual({ calls: ["GET web"], patches: [], events: [] });
    expect(made.state()).toMatchObject({ drift: "drifted" });
  });
});

describe("a load balancer of ours without a Service", () => {
  const OWNER = {
    ...CLUSTER,
    objectUid: "uid-old",
    namespace: "shop",
    name: "old",
  };

  function prepare({ cloud }: ServiceFixture["balancers"]): void {
    cloud.set("uid-old", {
      id: "lb-old",
      owner: OWNER,
      spec: { listeners: [], sourceRanges: [], annotations: {} },
      members: [],
      state: "active",
      hasLoadBalancer: true,
      hasRule: true,
    });
  }

  const ORPHAN = { kind: "LoadBalancer", name: "lb-old", uid: "lb-old" } as const;

  it("is shown, and stays", async () => {
    const made = await fixture({ prepare });
    expect(made.state("lb-old")).toMatchObject({
      kind: "LoadBalancer",
      state: "waiting",
      reason: { code: "BalancerOrphaned", service: "shop/old" },
      detail: { kind: "orphan", actual: { id: "lb-old" }, serviceUid: "uid-old" },
    });
    await made.settle(3 * DRIFT_PERIOD_MS);
    expect(made.take()).toEqual({ calls: [], patches: [], events: [] });
    expect(made.balancers.cloud.size).toBe(1);
  });

  it("is removed with all its parts when an admin asks for it, after its mark was read again", async () => {
    const made = await fixture({ prepare });
    const report = await made.ask({ kind: "remove-orphan", balancer: "lb-old" }, ORPHAN);
    expect(report).toMatchObject({ kind: "ran" });
    expect(made.take().calls).toEqual(["GET old", "DELETE old", "DELETE old"]);
    expect(made.balancers.cloud.size).toBe(0);
    expect(made.state("lb-old")?.state).toBe("gone");
  });

  it("is not removed in place of another one", async () => {
    const made = await fixture({ prepare });
    const report = await made.ask({ kind: "remove-orphan", balancer: "lb-x" }, ORPHAN);
    expect(report).toMatchObject({ kind: "refused", reason: { code: "WishRefused" } });
    expect(made.balancers.cloud.size).toBe(1);
  });

  it("is removed automatically after the grace period, if a flag says so", async () => {
    const made = await fixture({ prepare, policy: { graceMs: 600_000 } });
    expect(made.state("lb-old")?.reason).toMatchObject({
      untilMs: made.clock.now() - 50 + 600_000,
    });
    await made.settle(590_000);
    expect(made.balancers.cloud.size).toBe(1);
    await made.settle(11_000);
    expect(made.balancers.cloud.size).toBe(0);
  });

  it("has its grace period from when the first leader saw it, not the last", async () => {
    const policy = { graceMs: 600_000 };
    const first = await fixture({ prepare, policy });
    const firstSeenAt = first.clock.now() - 50;
    await first.settle(400_000);
    await first.stop();
    const second = await fixture({ prepare, policy, before: first });
    expect(second.state("lb-old")).toMatchObject({
      reason: { untilMs: firstSeenAt + 600_000 },
      detail: { firstSeenAt },
    });
    await second.settle(180_000);
    expect(second.balancers.cloud.size).toBe(1);
    await second.settle(21_000);
    expect(second.balancers.cloud.size).toBe(0);
    await second.settle(DRIFT_PERIOD_MS);
    expect(second.sightings).toEqual([]);
  });

  it("starts a new grace period if another one has the old id, or if it had a Service in between", async () => {
    const first = await fixture({ prepare });
    await first.stop();
    const second = await fixture({
      before: first,
      prepare: (loadBalancers) => {
        prepare(loadBalancers);
        const one = loadBalancers.cloud.get("uid-old");
        if (one === undefined) throw new Error("nothing was prepared");
        loadBalancers.cloud.delete("uid-old");
        const owner = { ...OWNER, objectUid: "uid-other" };
        loadBalancers.cloud.set("uid-other", { ...one, owner });
      },
    });
    const [seen] = second.sightings;
    expect(seen).toMatchObject({ id: "lb-old", serviceUid: "uid-other" });
    expect(seen?.since).toBeGreaterThan(first.sightings[0]?.since ?? Number.POSITIVE_INFINITY);
    second.services.put(service({ name: "other", uid: "uid-other" }));
    await second.settle(DRIFT_PERIOD_MS);
    expect(second.sightings).toEqual([]);
  });

  it("is no longer one once its Service exists", async () => {
    const made = await fixture({ prepare });
    made.services.put(service({ name: "old", uid: "uid-old", finalizers: [FINALIZER] }));
    await made.settle(DRIFT_PERIOD_MS);
    expect(made.state("lb-old")?.state).toBe("gone");
    expect(made.balancers.cloud.size).toBe(1);
  });
});

describe("a Service whose load balancer cannot be deleted", () => {
  const refusing = new ProviderError("Unauthorized", "The credentials are gone.", {
    provider: "p",
    operation: "DELETE /balancers",
  });

  async function stuck() {
    const made = await served();
    made.balancers.onCall = (operation) =>
      operation.startsWith("DELETE") ? Promise.reject(refusing) : Promise.resolve();
    made.services.delete("shop/web");
    await made.settle();
    expect(made.services.get("shop/web")).toBeDefined();
    made.take();
    return made;
  }

  it("is released by an admin, who is named; what it had stays as an orphan, and nothing deletes it", async () => {
    const made = await stuck();
    const report = await made.ask({ kind: "abandon" });
    expect(report).toMatchObject({ kind: "ran", run: { outcome: "changed" } });
    expect(made.services.get("shop/web")).toBeUndefined();
    expect(made.records.findLast(({ type }) => type === "audit")).toMatchObject({
      action: "service.finalizer",
      why: expect.stringContaining("Ada asked"),
    });
    made.balancers.onCall = () => Promise.resolve();
    made.take();
    await made.settle(2 * DRIFT_PERIOD_MS);
    expect(made.take().calls.filter((call) => !call.startsWith("GET"))).toEqual([]);
    expect(made.balancers.cloud.size).toBe(1);
    expect(made.lastSeen.orphans.count).toBe(1);
  });

  it("is released even while the cloud does not say what exists", async () => {
    const made = await stuck();
    made.balancers.onCall = () => Promise.reject(refusing);
    expect(await made.ask({ kind: "abandon" })).toMatchObject({ kind: "ran" });
    expect(made.services.get("shop/web")).toBeUndefined();
  });

  it("is not released while it is held, and never if nobody deletes it", async () => {
    const made = await stuck();
    await made.ask({ kind: "hold", until: made.clock.now() + 60_000 });
    const report = await made.ask({ kind: "abandon" });
    expect(JSON.stringify(report)).toContain("the Service is held; release it first");
    expect(made.services.get("shop/web")).toBeDefined();
    const other = await served();
    await other.ask({ kind: "abandon" });
    expect(other.services.get("shop/web")?.metadata?.finalizers).toContain(FINALIZER);
  });
});
