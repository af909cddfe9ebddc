import { describe, expect, it } from "vitest";
import type { ObjectAction } from "../../model/actions/action.ts";
import type { Intent } from "../../model/actions/intent.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Next } from "../../model/plan.ts";
import type { IntentReport } from "../ports.ts";
import { intent as anyIntent } from "../testing/intents-fixture.ts";
import { asLoopOf, change, LoopFixture } from "../testing/loop-fixture.ts";
import { startIntents } from "./intents.ts";

const WEB: ObjectRef = { kind: "Service", namespace: "shop", name: "web", uid: "uid-shop/web" };
const ORPHAN: ObjectRef = { kind: "LoadBalancer", name: "lb-1" };
const BUSY: Next = {
  kind: "waiting",
  reason: { code: "BalancerProvisioning", provider: "sandbox", id: "lb-1", what: "updating" },
  forMs: 2_000,
};

function intent(action: ObjectAction, more: Partial<Intent> = {}): Intent {
  return anyIntent({
    kind: action.kind,
    action,
    controller: "service-lb-controller",
    object: action.kind === "remove-orphan" ? ORPHAN : WEB,
    why: "it looks wrong",
    ...more,
  });
}

function fixture() {
  const all = new LoopFixture();
  all.onKeyOf = ({ kind, namespace, name }) =>
    kind === "LoadBalancer" ? `orphan:${name}` : `${namespace}/${name}`;
  const reports: IntentReport[] = [];
  let offer: (intent: Intent) => void = () => undefined;
  startIntents({
    source: {
      watch: (handler) => {
        offer = handler;
      },
      claim: () => Promise.resolve(true),
      report: (_intent, _claimant, report) => {
        reports.push(report);
        return Promise.resolve(true);
      },
    },
    loops: new Map([
      asLoopOf("service-lb-controller", all.loop),
      asLoopOf("cloud-node-controller", all.loop),
    ]),
    claimant: { identity: "host_1", leaseTransitions: 3 },
    clock: all.clock,
    signal: new AbortController().signal,
    onError: (error) => {
      throw error;
    },
  });
  const ended = async (action: Intent, stepMs = 0) => {
    offer(action);
    await all.until(() => reports.some(({ state }) => state !== "running"), stepMs);
    return reports.at(-1);
  };
  return { all, ended };
}

describe("an action to rewrite a whole load balancer", () => {
  it("is verified when the loop would change nothing more by itself", async () => {
    const { all, ended } = fixture();
    all.thing("shop/web");
    all.onRequest = () => ({
      changes: [change("shop/web", "balancer.update")],
      notTaken: [],
      next: { kind: "settled", reason: { code: "InStep" } },
    });
    expect(await ended(intent({ kind: "reensure" }))).toMatchObject({ state: "verified" });
    expect(all.last).toMatchObject({ outcome: "changed", applied: 1 });
  });

  it("waits for a cloud that is at work, however often it has to check", async () => {
    const { all, ended } = fixture();
    const thing = all.thing("shop/web", [], BUSY);
    all.onRequest = () => ({
      changes: [change("shop/web", "balancer.update")],
      notTaken: [],
      next: BUSY,
    });
    let previews = 0;
    all.onObserve = () => {
      previews += 1;
      if (previews === 6) thing.next = { kind: "settled", reason: { code: "InStep" } };
      return Promise.resolve();
    };
    expect(await ended(intent({ kind: "reensure" }), 20)).toMatchObject({ state: "verified" });
  });
});

describe("an action to remove an orphan", () => {
  const remove = intent({ kind: "remove-orphan", balancer: "lb-1" });

  it("goes to the load balancer's own key and is verified when the load balancer is gone", async () => {
    const { all, ended } = fixture();
    all.thing("orphan:lb-1", [change("lb-1", "balancer.delete")]);
    all.onApply = () => {
      all.things.delete("orphan:lb-1");
      return Promise.resolve();
    };
    expect(await ended(remove)).toMatchObject({
      state: "verified",
      result: "Done and confirmed: it is gone.",
    });
    expect(all.observed.map(({ key }) => key)).toEqual(["orphan:lb-1", "orphan:lb-1"]);
  });

  it("is verified when the next leader finds it done", async () => {
    const { ended } = fixture();
    expect(await ended({ ...remove, state: "running", planHash: "shown" })).toMatchObject({
      state: "verified",
    });
  });
});

describe("a retry that an earlier leader may have carried out", () => {
  it("is verified when nothing remains of the plan that was shown", async () => {
    const { all, ended } = fixture();
    all.thing("shop/web");
    const taken = intent({ kind: "retry" }, { state: "claimed", planHash: "shown" });
    expect(await ended(taken)).toMatchObject({
      state: "verified",
      result: "Nothing had to be changed: It is in sync with the cloud.",
    });
  });

  it("is rejected when the plan differs, or when no leader had claimed it", async () => {
    const first = fixture();
    first.all.thing("shop/web", [change("shop/web", "balancer.update")]);
    const taken = intent({ kind: "retry" }, { state: "claimed", planHash: "shown" });
    expect(await first.ended(taken)).toMatchObject({ state: "rejected" });
    const second = fixture();
    second.all.thing("shop/web");
    expect(await second.ended({ ...taken, state: "requested" })).toMatchObject({
      state: "rejected",
    });
  });
});

describe("an action that the controller or the object does not support", () => {
  it.each<[ObjectAction, Partial<Intent>, string]>([
    [
      { kind: "reensure" },
      { controller: "cloud-node-controller" },
      "cloud-node-controller cannot carry out the action reensure; request it from service-lb-controller.",
    ],
    [
      { kind: "override", until: 4_102_444_800_000 },
      {},
      "The action override does not apply to a Service; choose another action.",
    ],
    [
      { kind: "hold", until: 4_102_444_800_000 },
      { object: ORPHAN },
      "The action hold does not apply to a LoadBalancer; choose another action.",
    ],
    [
      { kind: "hold", until: 4_102_444_800_000 },
      { controller: "cloud-node-controller" },
      "cloud-node-controller cannot carry out the action hold; request it from service-lb-controller.",
    ],
  ])("is rejected: %o", async (action, more, result) => {
    const { all, ended } = fixture();
    all.thing("shop/web");
    expect(await ended(intent(action, more))).toEqual({ state: "rejected", result });
    expect(all.observed).toEqual([]);
  });
});

describe("a retry of an unwanted route", () => {
  const object: ObjectRef = { kind: "Route", name: "r-1", uid: "r-1" };
  const retry = intent({ kind: "retry" }, { object });

  it("is verified when the route is gone", async () => {
    const { all, ended } = fixture();
    all.onKeyOf = ({ name }) => `route/${name}`;
    all.thing("route/r-1", [change("r-1", "route.delete")]).uid = "r-1";
    all.onApply = () => {
      all.things.delete("route/r-1");
      return Promise.resolve();
    };
    expect(await ended(retry)).toMatchObject({
      state: "verified",
      result: "Done and confirmed: it is gone.",
    });
  });
});
