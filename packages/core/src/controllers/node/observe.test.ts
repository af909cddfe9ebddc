import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Node } from "../../kube/client.ts";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { Trigger } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { Driver } from "../../reconcile/testing/driver.ts";
import { HOLD_ANNOTATION, HOLD_UNTIL_ANNOTATION } from "../hold/hold.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { RoutesUnderWay } from "../objects/routes-under-way.ts";
import { CREATED_AT, FakeInformer, found, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { INSTANCES, testRun } from "../testing/test-run.ts";
import { OVERRIDE_ANNOTATION, overrideText } from "./actions/override.ts";
import { createNodeReconciler } from "./create-node-reconciler.ts";

const PERIOD_MS = 300_000;
const START: Trigger = { kind: "start" };
const CHANGE: Trigger = { kind: "change", what: "labels" };
const INTENT: Trigger = { kind: "intent", intentId: "1", actor: "ada" };
const FAILED = {
  kind: "failed",
  error: new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" }),
} as const;

const HOLD: ObjectAction = { kind: "hold", until: CREATED_AT + 1 };
const OVERRIDE: ObjectAction = { kind: "override", until: CREATED_AT + 1 };
const HELD = node({ taints: [UNINITIALIZED], annotations: { [HOLD_ANNOTATION]: "" } });
const HELD_ONCE = node({
  taints: [UNINITIALIZED],
  annotations: {
    [HOLD_ANNOTATION]: "",
    [HOLD_UNTIL_ANNOTATION]: new Date(CREATED_AT).toISOString(),
  },
});
const OVERRIDDEN = node({
  annotations: {
    [OVERRIDE_ANNOTATION]: overrideText({ by: "a", why: "w", untilMs: CREATED_AT, intentId: "i" }),
  },
});

function requestedFor(action: ObjectAction): RequestedAction<ObjectAction> {
  return { action, intentId: "1", by: "ada", why: "INC-88" };
}

function setUp(...nodes: readonly ReturnType<typeof node>[]) {
  const informer = new FakeInformer(...nodes);
  const clock = createManualClock();
  const write = () => Promise.reject(new Error("Nothing is written here."));
  const reconciler = createNodeReconciler({
    instances: INSTANCES,
    client: { patch: write, update: write },
    informer,
    sightings: watchNodes(informer, clock),
    provider: "p",
    policy: { newNodeGraceMs: 300_000, refreshPeriodMs: PERIOD_MS },
  });
  const driver = new Driver(reconciler, clock);
  return { informer, clock, reconciler, driver };
}

it("asks nothing of a node whose routes are being made; its writes wait for them", async () => {
  const fresh = node({ taints: [UNINITIALIZED] });
  const { driver } = setUp(fresh);
  const clock = createManualClock();
  const routesUnderWay = new RoutesUnderWay(clock);
  routesUnderWay.begin("n1");
  const informer = new FakeInformer(fresh);
  const write = () => Promise.reject(new Error("Nothing is written here."));
  const { untilReady } = createNodeReconciler({
    instances: INSTANCES,
    client: { patch: write, update: write },
    informer,
    sightings: watchNodes(informer, clock),
    provider: "p",
    policy: { newNodeGraceMs: 300_000, refreshPeriodMs: PERIOD_MS },
    routesUnderWay,
  });
  const observed = await driver.preview(
    "n1",
    testRun(() => found(), START),
  );
  if (observed === undefined) throw new Error("the node is there");
  let isReady = false;
  const ready = untilReady?.(driver.plan(observed))?.then(() => {
    isReady = true;
  });
  await clock.advance(100);
  expect(isReady).toBe(false);
  routesUnderWay.end("n1");
  await ready;
  expect(isReady).toBe(true);
  expect(untilReady?.({ ...driver.plan(observed), changes: [] })).toBeUndefined();
});

describe("how the cloud is asked", () => {
  const fresh = node({ taints: [UNINITIALIZED] });
  const known = node({ providerID: "p://i-1" });
  const NEW = { maxAgeMs: 30_000, notBefore: 0, priority: "new" };
  const USER = { maxAgeMs: 0, notBefore: 0, priority: "person" };
  test.each([
    {
      of: "a new node by what was asked since it was seen",
      one: fresh,
      trigger: START,
      options: NEW,
    },
    { of: "a new node for a person, first and anew", one: fresh, trigger: INTENT, options: USER },
    {
      of: "an initialised node, last",
      one: known,
      trigger: { kind: "period" } as const,
      options: { maxAgeMs: 10_000, notBefore: 0, priority: "refresh" },
    },
    { of: "an initialised node for a person", one: known, trigger: INTENT, options: USER },
  ])("for $of", async ({ one, trigger, options }) => {
    const { driver } = setUp(one);
    const run = testRun(() => found(), trigger);
    await driver.preview("n1", run);
    expect(run.lookups).toEqual([
      {
        ref: { nodeName: "n1", providerID: one.spec?.providerID },
        options: { ...options, mode: "batch" },
      },
    ]);
  });

  test.each<Trigger>([{ kind: "retry" }, CHANGE])(
    "for $kind after a look by what was asked since that was answered",
    async (trigger) => {
      const { driver, clock } = setUp(fresh);
      const first = testRun(() => FAILED, START);
      await clock.advance(1_000);
      await driver.preview("n1", first);
      await clock.advance(4_000);
      const run = testRun(() => found(), trigger);
      await driver.preview("n1", run);
      expect(run.lookups).toMatchObject([{ options: { maxAgeMs: 30_000, notBefore: 1_000 } }]);
    },
  );

  it("for a run that starts over, from what it knows", async () => {
    const { reconciler, driver, clock } = setUp(fresh);
    const run = testRun(() => found(), START);
    await clock.advance(1_000);
    const earlier = await reconciler.observe("n1", driver.context(run));
    await clock.advance(1_000);
    await reconciler.observe("n1", driver.context(run, earlier));
    expect(run.lookups.map(({ options }) => options.notBefore)).toEqual([0, 0]);
  });

  it("for a node recreated under the name, only by answers requested since", async () => {
    const { driver, clock, informer } = setUp(fresh);
    await clock.advance(3_000);
    informer.put(node({ uid: "uid-again", taints: [UNINITIALIZED] }));
    const run = testRun(() => found(), START);
    await driver.preview("n1", run);
    expect(run.lookups).toMatchObject([{ options: { notBefore: 3_000 } }]);
  });

  it("at each change for a node that lost the taint before it was initialised", async () => {
    const { driver, informer } = setUp(fresh);
    informer.put(node());
    const observed = await driver.preview(
      "n1",
      testRun(() => found(), CHANGE),
    );
    expect(observed?.wasUninitialised).toBe(true);
    const again = testRun(() => found(), CHANGE);
    await driver.preview("n1", again);
    expect(again.lookups).toMatchObject([{ options: { priority: "new" } }]);
  });

  it("never for a node that is held", async () => {
    const { driver } = setUp(
      node({ taints: [UNINITIALIZED], annotations: { "cloudwright.io/hold": "" } }),
    );
    const run = testRun(() => found(), INTENT);
    await driver.preview("n1", run);
    expect(run.lookups).toEqual([]);
  });

  test.each<{ of: string; one: Node; trigger: Trigger; action?: ObjectAction; lookups: number }>([
    {
      of: "a node with an overridden taint, as for a new one",
      one: OVERRIDDEN,
      trigger: CHANGE,
      lookups: 1,
    },
    { of: "a node whose hold is over", one: HELD_ONCE, trigger: CHANGE, lookups: 1 },
    { of: "a hold", one: fresh, trigger: INTENT, action: HOLD, lookups: 0 },
    { of: "a release", one: known, trigger: INTENT, action: { kind: "release" }, lookups: 0 },
    { of: "an override", one: fresh, trigger: INTENT, action: OVERRIDE, lookups: 1 },
    { of: "an override of a held node", one: HELD, trigger: INTENT, action: OVERRIDE, lookups: 0 },
  ])("for $of $lookups times", async ({ one, trigger, action, lookups }) => {
    const { driver } = setUp(one);
    const requested = action === undefined ? undefined : requestedFor(action);
    const run = testRun(() => found(), trigger, requested);
    const observed = await driver.preview("n1", run);
    expect(run.lookups).toHaveLength(lookups);
    expect(observed?.requested).toBe(requested);
  });

  it("for an override for at most 2 s, without leaving a timer", async () => {
    const { driver, clock } = setUp(fresh);
    const run = testRun(() => new Promise(() => undefined), INTENT, requestedFor(OVERRIDE));
    const observing = driver.preview("n1", run);
    await clock.advance(2_000);
    const { lookup } = (await observing) ?? {};
    if (lookup?.kind !== "failed") throw new Error("a lookup without an answer has failed");
    expect(reasonOfProviderError(lookup.error)).toMatchObject({
      code: "ProviderTimedOut",
      afterMs: 2_000,
    });
    await driver.preview(
      "n1",
      testRun(() => found(), INTENT, requestedFor(OVERRIDE)),
    );
    expect(clock.pending).toBe(0);
  });

  it("not for a mere change of an initialised node, until its periodic check is due", async () => {
    const { driver, clock } = setUp(known);
    await driver.preview(
      "n1",
      testRun(() => found(), START),
    );
    const change = testRun(() => found(), CHANGE);
    const observed = await driver.preview("n1", change);
    expect(change.lookups).toEqual([]);
    expect(observed).toMatchObject({ facts: { type: "m1" } });
    await clock.advance(PERIOD_MS + 1);
    const due = testRun(() => found(), CHANGE);
    await driver.preview("n1", due);
    expect(due.lookups).toHaveLength(1);
  });
});

it("keeps the facts last seen when a lookup fails", async () => {
  const { driver } = setUp(node({ providerID: "p://i-1" }));
  await driver.preview(
    "n1",
    testRun(() => found({ type: "m7" })),
  );
  const observed = await driver.preview(
    "n1",
    testRun(() => FAILED),
  );
  expect(observed).toMatchObject({ lookup: { kind: "failed" }, facts: { type: "m7" } });
});

it("judges the node as it is after the answer, not before", async () => {
  const { driver, informer } = setUp(node({ taints: [UNINITIALIZED] }));
  const run = testRun(() => {
    informer.put(node({ taints: [UNINITIALIZED], labels: { late: "1" }, resourceVersion: "2" }));
    return found();
  });
  const observed = await driver.preview("n1", run);
  expect(observed?.node.metadata?.labels).toMatchObject({ late: "1" });
});

it("finds nothing when the node disappeared while the cloud was asked", async () => {
  const { driver, informer } = setUp(node({ taints: [UNINITIALIZED] }));
  const run = testRun(() => {
    informer.remove("n1");
    return found();
  });
  expect(await driver.preview("n1", run)).toBeUndefined();
});

it("finds nothing of the old node when it was registered again while the cloud was asked", async () => {
  const { driver, informer } = setUp(node({ taints: [UNINITIALIZED] }));
  const run = testRun(() => {
    informer.put(node({ uid: "another", providerID: "p://i-2" }));
    return found();
  });
  expect(await driver.preview("n1", run)).toBeUndefined();
});

it("names another node with the same provider ID", async () => {
  const { driver } = setUp(
    node({ taints: [UNINITIALIZED] }),
    node({ name: "n2", providerID: "p://i-1" }),
  );
  expect(
    (
      await driver.preview(
        "n1",
        testRun(() => found()),
      )
    )?.twin,
  ).toBe("n2");
  expect(
    (
      await driver.preview(
        "n1",
        testRun(() => found({ providerID: "p://i-9" })),
      )
    )?.twin,
  ).toBeUndefined();
});
