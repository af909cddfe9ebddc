import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Node } from "../../kube/client.ts";
import type { Trigger } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import type { Asked, ObjectWish } from "../../model/wish.ts";
import { HOLD_ANNOTATION, HOLD_UNTIL_ANNOTATION } from "../hold/hold.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { RoutesUnderWay } from "../objects/routes-under-way.ts";
import { createNodeView } from "../objects/written-nodes.ts";
import { CREATED_AT, FakeInformer, found, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { testRun } from "../testing/test-run.ts";
import { NodeMemories } from "./node-memory.ts";
import { type ObservePorts, observeNode } from "./observe.ts";
import { OVERRIDE_ANNOTATION, overrideText } from "./override.ts";

const PERIOD_MS = 300_000;
const START: Trigger = { kind: "start" };
const CHANGE: Trigger = { kind: "change", what: "labels" };
const INTENT: Trigger = { kind: "intent", intentId: "1", actor: "ada" };
const FAILED = {
  kind: "failed",
  error: new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" }),
} as const;

const HOLD: ObjectWish = { kind: "hold", until: CREATED_AT + 1 };
const OVERRIDE: ObjectWish = { kind: "override", until: CREATED_AT + 1 };
const HELD = node({ taints: [UNINITIALIZED], annotations: { [HOLD_ANNOTATION]: "" } });
const HELD_ONCE = node({
  taints: [UNINITIALIZED],
  annotations: {
    [HOLD_ANNOTATION]: "",
    [HOLD_UNTIL_ANNOTATION]: new Date(CREATED_AT).toISOString(),
  },
});
const FREED = node({
  annotations: {
    [OVERRIDE_ANNOTATION]: overrideText({ by: "a", why: "w", untilMs: CREATED_AT, intentId: "i" }),
  },
});

function askedFor(wish: ObjectWish): Asked<ObjectWish> {
  return { wish, intentId: "1", by: "ada", why: "INC-88" };
}

function setUp(...nodes: readonly ReturnType<typeof node>[]) {
  const informer = new FakeInformer(...nodes);
  const clock = createManualClock();
  const memories = new NodeMemories();
  const ports: ObservePorts = {
    view: createNodeView(informer),
    informer,
    memories,
    sightings: watchNodes(informer, clock),
    provider: "p",
    policy: { newNodeGraceMs: 300_000, refreshPeriodMs: PERIOD_MS },
    clock,
  };
  return { informer, clock, memories, ports };
}

describe("a node whose routes are being made", () => {
  const fresh = node({ taints: [UNINITIALIZED] });
  it.each([
    { of: "a new one waits for them while the cloud is asked", one: fresh, waits: true },
    { of: "an initialised one does not", one: node({ providerID: "p://i-1" }), waits: false },
  ])("$of", async ({ one, waits }) => {
    const { ports, clock } = setUp(one);
    const routesUnderWay = new RoutesUnderWay(clock);
    routesUnderWay.begin("n1");
    let isObserved = false;
    const run = testRun(() => found(), START);
    const observing = observeNode({ ...ports, routesUnderWay }, "n1", run).then((observed) => {
      isObserved = true;
      return observed;
    });
    await clock.advance(100);
    expect(run.lookups).toHaveLength(1);
    expect(isObserved).toBe(!waits);
    routesUnderWay.end("n1");
    expect((await observing)?.lookup).toMatchObject({ kind: "found" });
  });
});

describe("how the cloud is asked", () => {
  const fresh = node({ taints: [UNINITIALIZED] });
  const known = node({ providerID: "p://i-1" });
  const NEW = { maxAgeMs: 30_000, notBefore: 0, priority: "new" };
  const PERSON = { maxAgeMs: 0, notBefore: 0, priority: "person" };
  test.each([
    {
      of: "a new node by what was asked since it was seen",
      one: fresh,
      trigger: START,
      options: NEW,
    },
    { of: "a new node for a person, first and anew", one: fresh, trigger: INTENT, options: PERSON },
    {
      of: "an initialised node, last",
      one: known,
      trigger: { kind: "period" } as const,
      options: { maxAgeMs: 10_000, notBefore: 0, priority: "refresh" },
    },
    { of: "an initialised node for a person", one: known, trigger: INTENT, options: PERSON },
  ])("for $of", async ({ one, trigger, options }) => {
    const { ports } = setUp(one);
    const run = testRun(() => found(), trigger);
    await observeNode(ports, "n1", run);
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
      const { ports, clock } = setUp(fresh);
      const first = testRun(() => FAILED, START);
      await clock.advance(1_000);
      await observeNode(ports, "n1", first);
      await clock.advance(4_000);
      const run = testRun(() => found(), trigger);
      await observeNode(ports, "n1", run);
      expect(run.lookups).toMatchObject([{ options: { maxAgeMs: 30_000, notBefore: 1_000 } }]);
    },
  );

  it("for a run that begins again by what it knows", async () => {
    const { ports, clock } = setUp(fresh);
    const run = testRun(() => found(), START);
    await clock.advance(1_000);
    await observeNode(ports, "n1", run);
    await observeNode(ports, "n1", run);
    expect(run.lookups.map(({ options }) => options.notBefore)).toEqual([0, 0]);
  });

  it("for a node that was made anew under the name by what was asked since", async () => {
    const { ports, clock, informer } = setUp(fresh);
    await clock.advance(3_000);
    informer.put(node({ uid: "uid-again", taints: [UNINITIALIZED] }));
    const run = testRun(() => found(), START);
    await observeNode(ports, "n1", run);
    expect(run.lookups).toMatchObject([{ options: { notBefore: 3_000 } }]);
  });

  it("at each change for a node that lost the taint before it was initialised", async () => {
    const { ports, informer } = setUp(fresh);
    informer.put(node());
    const observed = await observeNode(
      ports,
      "n1",
      testRun(() => found(), CHANGE),
    );
    expect(observed?.wasUninitialised).toBe(true);
    const again = testRun(() => found(), CHANGE);
    await observeNode(ports, "n1", again);
    expect(again.lookups).toMatchObject([{ options: { priority: "new" } }]);
  });

  it("never for a node that is held", async () => {
    const { ports } = setUp(
      node({ taints: [UNINITIALIZED], annotations: { "cloudwright.io/hold": "" } }),
    );
    const run = testRun(() => found(), INTENT);
    await observeNode(ports, "n1", run);
    expect(run.lookups).toEqual([]);
  });

  test.each<{ of: string; one: Node; trigger: Trigger; wish?: ObjectWish; lookups: number }>([
    { of: "a freed node, as for a new one", one: FREED, trigger: CHANGE, lookups: 1 },
    { of: "a node whose hold is over", one: HELD_ONCE, trigger: CHANGE, lookups: 1 },
    { of: "a hold", one: fresh, trigger: INTENT, wish: HOLD, lookups: 0 },
    { of: "a release", one: known, trigger: INTENT, wish: { kind: "release" }, lookups: 0 },
    { of: "an override", one: fresh, trigger: INTENT, wish: OVERRIDE, lookups: 1 },
    { of: "an override of a held node", one: HELD, trigger: INTENT, wish: OVERRIDE, lookups: 0 },
  ])("for $of $lookups times", async ({ one, trigger, wish, lookups }) => {
    const { ports } = setUp(one);
    const asked = wish === undefined ? undefined : askedFor(wish);
    const run = testRun(() => found(), trigger, asked);
    const observed = await observeNode(ports, "n1", run);
    expect(run.lookups).toHaveLength(lookups);
    expect(observed?.asked).toBe(asked);
  });

  it("for an override no longer than 2 s, and not by a timer that stays", async () => {
    const { ports, clock } = setUp(fresh);
    const run = testRun(() => new Promise(() => undefined), INTENT, askedFor(OVERRIDE));
    const observing = observeNode(ports, "n1", run);
    await clock.advance(2_000);
    const { lookup } = (await observing) ?? {};
    if (lookup?.kind !== "failed") throw new Error("a lookup without an answer has failed");
    expect(reasonOfProviderError(lookup.error)).toMatchObject({
      code: "ProviderTimedOut",
      afterMs: 2_000,
    });
    await observeNode(
      ports,
      "n1",
      testRun(() => found(), INTENT, askedFor(OVERRIDE)),
    );
    expect(clock.pending).toBe(0);
  });

  it("not for a mere change of an initialised node, until its look is due", async () => {
    const { ports, clock } = setUp(known);
    await observeNode(
      ports,
      "n1",
      testRun(() => found(), START),
    );
    const change = testRun(() => found(), CHANGE);
    const observed = await observeNode(ports, "n1", change);
    expect(change.lookups).toEqual([]);
    expect(observed).toMatchObject({ facts: { type: "m1" } });
    await clock.advance(PERIOD_MS + 1);
    const due = testRun(() => found(), CHANGE);
    await observeNode(ports, "n1", due);
    expect(due.lookups).toHaveLength(1);
  });
});

it("keeps the facts last seen beside a failure", async () => {
  const { ports } = setUp(node({ providerID: "p://i-1" }));
  await observeNode(
    ports,
    "n1",
    testRun(() => found({ type: "m7" })),
  );
  const observed = await observeNode(
    ports,
    "n1",
    testRun(() => FAILED),
  );
  expect(observed).toMatchObject({ lookup: { kind: "failed" }, facts: { type: "m7" } });
});

it("knows nothing of a node that was registered anew under the name", async () => {
  const { ports, informer } = setUp(node({ providerID: "p://i-1" }));
  await observeNode(
    ports,
    "n1",
    testRun(() => found({ type: "m7" })),
  );
  informer.put(node({ uid: "another" }));
  const observed = await observeNode(
    ports,
    "n1",
    testRun(() => FAILED),
  );
  expect(observed?.facts).toBeUndefined();
});

it("judges the node as it is after the answer, not as it was before", async () => {
  const { ports, informer } = setUp(node({ taints: [UNINITIALIZED] }));
  const run = testRun(() => {
    informer.put(node({ taints: [UNINITIALIZED], labels: { late: "1" }, resourceVersion: "2" }));
    return found();
  });
  const observed = await observeNode(ports, "n1", run);
  expect(observed?.node.metadata?.labels).toMatchObject({ late: "1" });
});

it("finds nothing when the node went while the cloud was asked", async () => {
  const { ports, informer } = setUp(node({ taints: [UNINITIALIZED] }));
  const run = testRun(() => {
    informer.remove("n1");
    return found();
  });
  expect(await observeNode(ports, "n1", run)).toBeUndefined();
});

it("asks anew when the node was registered anew while the cloud was asked", async () => {
  const { ports, informer } = setUp(node({ taints: [UNINITIALIZED] }));
  const run = testRun(({ ref }) => {
    if (ref.providerID === undefined) informer.put(node({ uid: "another", providerID: "p://i-2" }));
    return found({ providerID: ref.providerID });
  });
  const observed = await observeNode(ports, "n1", run);
  expect(observed).toMatchObject({
    node: { metadata: { uid: "another" } },
    facts: { providerID: "p://i-2" },
  });
});

it("names another node with the same provider ID", async () => {
  const { ports } = setUp(
    node({ taints: [UNINITIALIZED] }),
    node({ name: "n2", providerID: "p://i-1" }),
  );
  expect(
    (
      await observeNode(
        ports,
        "n1",
        testRun(() => found()),
      )
    )?.twin,
  ).toBe("n2");
  expect(
    (
      await observeNode(
        ports,
        "n1",
        testRun(() => found({ providerID: "p://i-9" })),
      )
    )?.twin,
  ).toBeUndefined();
});
