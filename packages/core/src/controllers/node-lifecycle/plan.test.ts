import { type AbsenceProof, type Lookup, ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import { HOLD_ANNOTATION, HOLD_UNTIL_ANNOTATION } from "../hold/hold.ts";
import { SHUTDOWN_TAINT } from "../objects/node-object.ts";
import { CREATED_AT, found, type NodeShape, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import type { LifecycleObserved } from "./observed.ts";
import { planLifecycle } from "./plan.ts";

const POLICY = { newNodeGraceMs: 300_000, monitorPeriodMs: 5_000 };
const NOW = CREATED_AT + 3_600_000;
const S = { key: SHUTDOWN_TAINT, effect: "NoSchedule" };
const OTHER = { key: "node.kubernetes.io/unreachable", effect: "NoExecute" };
const ERROR = new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" });

function heldUntil(untilMs: number): NodeShape {
  const annotations = {
    [HOLD_ANNOTATION]: "racks",
    [HOLD_UNTIL_ANNOTATION]: new Date(untilMs).toISOString(),
  };
  return { annotations };
}

function absent(at = NOW, more: Partial<AbsenceProof> = {}): Extract<Lookup, { kind: "absent" }> {
  return { kind: "absent", proof: { by: "providerID", cloudShowsOthers: true, at, ...more } };
}

function observe(
  shape: NodeShape,
  lookup: Lookup | undefined,
  more: Partial<LifecycleObserved> = {},
): LifecycleObserved {
  return {
    node: node({ ready: "False", providerID: "p://i-1", ...shape }),
    provider: "p",
    policy: POLICY,
    lookup,
    earlierAbsence: undefined,
    guard: undefined,
    heldUpon: undefined,
    nodesOfCloud: 3,
    ...more,
  };
}

/** Returns a node without a provider ID, which `node()` cannot make. */
function nameless(shape: NodeShape, lookup: Lookup, more: Partial<LifecycleObserved> = {}) {
  const observed = observe(shape, lookup, more);
  const { providerID: _, ...spec } = observed.node.spec ?? {};
  return { ...observed, node: { ...observed.node, spec } };
}

function changesOf(observed: LifecycleObserved, nowMs = NOW) {
  return planLifecycle(observed, nowMs).changes.map(({ kind, after }) => [kind, after]);
}

describe("the shutdown taint", () => {
  test.each<[string, LifecycleObserved, unknown]>([
    [
      "is set while the instance is off",
      observe({}, found({ power: "stopped" })),
      [["node.shutdown-taint.add", { taints: [S] }]],
    ],
    [
      "is set behind the taints of others",
      observe({ taints: [OTHER] }, found({ power: "stopped" })),
      [["node.shutdown-taint.add", { taints: [OTHER, S] }]],
    ],
    ["is not set twice", observe({ taints: [S, OTHER] }, found({ power: "stopped" })), []],
    [
      "loses a value",
      observe({ taints: [{ ...S, value: "x" }] }, found({ power: "stopped" })),
      [["node.shutdown-taint.add", { taints: [S] }]],
    ],
    [
      "leaves one of another effect while the instance is off",
      observe({ taints: [{ ...S, effect: "NoExecute" }] }, found({ power: "stopped" })),
      [["node.shutdown-taint.add", { taints: [{ ...S, effect: "NoExecute" }, S] }]],
    ],
    [
      "goes when the instance runs though the node is not Ready",
      observe({ taints: [OTHER, S] }, found()),
      [["node.shutdown-taint.remove", { taints: [OTHER] }]],
    ],
    ["stays while the instance starts", observe({ taints: [S] }, found({ power: "pending" })), []],
    ["is not set while the instance starts", observe({}, found({ power: "pending" })), []],
    [
      "goes with every effect when the node is Ready",
      observe({ ready: "True", taints: [S, { ...S, effect: "NoExecute" }, OTHER] }, undefined),
      [["node.shutdown-taint.remove", { taints: [OTHER] }]],
    ],
    ["is not set on a Ready node", observe({ ready: "True" }, undefined), []],
    [
      "stays while the cloud cannot be asked",
      observe({ taints: [S] }, { kind: "failed", error: ERROR }),
      [],
    ],
  ])("%s", (_case, observed, changes) => {
    expect(changesOf(observed)).toEqual(changes);
  });
});

describe("a silent node whose instance is absent", () => {
  const DELETE = ["node.delete", null];

  it.each(["False", "Unknown", "Missing"] as const)(
    "is deleted on the second proof when Ready is %s",
    (ready) => {
      const second = observe({ ready }, absent(NOW), { earlierAbsence: absent(NOW - 5_000).proof });
      expect(changesOf(second)).toEqual([DELETE]);
      expect(planLifecycle(second, NOW).changes[0]?.before).toEqual({
        uid: "uid-n1",
        providerID: "p://i-1",
      });
    },
  );

  it("stays on the first proof and is checked once more after a period", () => {
    expect(planLifecycle(observe({}, absent(NOW, { requestId: "r1" })), NOW)).toMatchObject({
      changes: [],
      notTaken: [{ step: "delete" }],
      next: {
        kind: "waiting",
        forMs: 5_000,
        reason: { code: "InstanceAbsentOnce", providerID: "p://i-1", requestId: "r1" },
      },
    });
  });

  test.each<[string, LifecycleObserved, object]>([
    [
      "when the second proof comes too early",
      observe({}, absent(NOW), { earlierAbsence: absent(NOW - 2_000).proof }),
      { kind: "waiting", forMs: 3_000, reason: { code: "InstanceAbsentOnce" } },
    ],
    [
      "when periods are short but the proofs are not a second apart",
      observe({}, absent(NOW), {
        earlierAbsence: absent(NOW - 600).proof,
        policy: { ...POLICY, monitorPeriodMs: 200 },
      }),
      { kind: "waiting", forMs: 400 },
    ],
    [
      "when the cloud shows nothing at all",
      observe({}, absent(NOW, { cloudShowsOthers: false }), {
        earlierAbsence: absent(NOW - 5_000).proof,
      }),
      { kind: "failed", reason: { code: "CloudListsNothing", provider: "p", nodes: 3 } },
    ],
    [
      "when only its name is unknown",
      observe({}, absent(NOW, { by: "name" }), {
        earlierAbsence: absent(NOW - 5_000, { by: "name" }).proof,
      }),
      { kind: "blocked", reason: { code: "InstanceNotFound", by: "name", value: "n1" } },
    ],
    [
      "when it is being deleted already",
      observe({ deletionTimestamp: "2026-01-01T00:30:00Z" }, absent(NOW), {
        earlierAbsence: absent(NOW - 5_000).proof,
      }),
      { kind: "waiting", reason: { code: "InstanceGone" } },
    ],
    [
      "when it is held",
      observe({ annotations: { "cloudwright.io/hold": "" } }, undefined),
      { kind: "settled", reason: { code: "HeldByAnnotation" } },
    ],
    [
      "when it is held until later",
      observe(heldUntil(NOW + 60_000), undefined),
      { kind: "waiting", forMs: 60_000, reason: { code: "HeldByAnnotation" } },
    ],
    [
      "when its hold is over but it is absent for the first time",
      observe(heldUntil(NOW), absent(NOW)),
      { kind: "waiting", reason: { code: "InstanceAbsentOnce" } },
    ],
    [
      "when it has no provider ID although somebody initialised it",
      nameless({}, absent(NOW, { by: "name" }), {
        earlierAbsence: absent(NOW - 5_000, { by: "name" }).proof,
      }),
      { kind: "blocked", reason: { code: "InstanceNotFound", by: "name" } },
    ],
    [
      "when the cloud cannot be asked",
      observe({}, { kind: "failed", error: ERROR }, { earlierAbsence: absent(NOW - 5_000).proof }),
      { kind: "failed", reason: { code: "ProviderUnavailable" } },
    ],
    [
      "when a listing lacks it",
      observe({}, { kind: "notListed" }, { earlierAbsence: absent(NOW - 5_000).proof }),
      { kind: "failed" },
    ],
    [
      "when it is another cloud's",
      observe({ providerID: "q://1" }, { kind: "foreign" }),
      { kind: "settled", reason: { code: "ForeignNode" } },
    ],
    [
      "when its ID is malformed",
      observe({ providerID: "odd" }, { kind: "malformed", expected: "p://<id>" }),
      { kind: "blocked", reason: { code: "ProviderIDMalformed" } },
    ],
    [
      "when the cloud says that it is not its own",
      observe({}, { kind: "unclaimed" }),
      { kind: "settled", reason: { code: "InstanceUnclaimed" } },
    ],
  ])("stays %s", (_case, observed, next) => {
    const plan = planLifecycle(observed, NOW);
    expect(plan.changes).toEqual([]);
    expect(plan.next).toMatchObject(next);
  });

  it("is deleted although the cloud shows nothing, if it was the cluster's only node there", () => {
    const earlierAbsence = absent(NOW - 5_000).proof;
    const only = observe({}, absent(NOW, { cloudShowsOthers: false }), {
      earlierAbsence,
      nodesOfCloud: 1,
    });
    expect(changesOf(only)).toEqual([DELETE]);
  });

  describe("and that waits for its initialisation without a provider ID", () => {
    const byName = { by: "name" } as const;
    const young = nameless({ taints: [UNINITIALIZED] }, absent(NOW, byName), {
      earlierAbsence: absent(NOW - 5_000, byName).proof,
    });

    it("stays during the grace period of new nodes", () => {
      const plan = planLifecycle(young, CREATED_AT + 299_000);
      expect(plan.changes).toEqual([]);
      expect(plan.next).toEqual({
        kind: "waiting",
        reason: { code: "NewNodeGrace", untilMs: CREATED_AT + 300_000 },
        forMs: 1_000,
      });
    });

    it("is deleted after the grace period, on two proofs", () => {
      expect(changesOf(young, CREATED_AT + 300_000)).toEqual([DELETE]);
      expect(changesOf({ ...young, earlierAbsence: undefined }, CREATED_AT + 300_000)).toEqual([]);
    });
  });
});

test("what a healthy node reports", () => {
  expect(planLifecycle(observe({ ready: "True" }, undefined), NOW).next).toEqual({
    kind: "settled",
    reason: { code: "NodeReady" },
  });
  expect(planLifecycle(observe({}, found()), NOW).next).toEqual({
    kind: "settled",
    reason: { code: "NodeUnreadyInstanceRuns", provider: "p" },
  });
  expect(planLifecycle(observe({}, found({ power: "stopped" })), NOW).next).toEqual({
    kind: "settled",
    reason: { code: "InstanceStopped", provider: "p", state: "stopped" },
  });
  expect(planLifecycle(observe({}, found({ power: "pending" })), NOW).next).toEqual({
    kind: "settled",
    reason: { code: "InstanceStopped", provider: "p", state: "pending" },
  });
});

describe("the deletion guard", () => {
  const PROVEN = { earlierAbsence: absent(NOW - 10_000).proof };
  const HELD = { kind: "held", deleted: 5, limit: 5, windowMs: 600_000, held: 3 } as const;
  const REASON = {
    code: "DeletionGuardHeld",
    provider: "p",
    providerID: "p://i-1",
    deleted: 5,
    limit: 5,
    windowMs: 600_000,
    held: 3,
  };

  const RELEASED = { kind: "released", by: "ana", intentId: "i" } as const;
  const heldUpon = absent().proof;

  test.each<[string, LifecycleObserved]>([
    ["that is off", observe({}, absent(), PROVEN)],
    ["below its limit", observe({}, absent(), { ...PROVEN, guard: { kind: "free" } })],
    ["after an admin's release", observe({}, absent(), { ...PROVEN, guard: RELEASED })],
  ])("%s lets a proven deletion through", (_case, observed) => {
    expect(changesOf(observed)).toEqual([["node.delete", null]]);
  });

  test.each<[string, LifecycleObserved]>([
    ["at its limit", observe({}, absent(), { ...PROVEN, guard: HELD })],
    [
      "as long as the cloud does not list the instance",
      observe({}, { kind: "notListed" }, { guard: HELD, heldUpon }),
    ],
  ])("%s holds a proven deletion", (_case, observed) => {
    expect(planLifecycle(observed, NOW)).toEqual({
      changes: [],
      notTaken: [{ step: "delete", reason: REASON }],
      next: { kind: "blocked", reason: REASON },
    });
  });

  test.each<[string, LifecycleObserved, unknown]>([
    [
      "deletes nothing upon a list, released or not",
      observe({}, { kind: "notListed" }, { guard: RELEASED, heldUpon }),
      { kind: "failed" },
    ],
    [
      "does not hold what has come back",
      observe({}, found(), { guard: HELD, heldUpon }),
      { kind: "settled", reason: { code: "NodeUnreadyInstanceRuns" } },
    ],
    [
      "does not speak of what needs a second proof anyway",
      observe({}, absent(), { guard: HELD }),
      { kind: "waiting", reason: { code: "InstanceAbsentOnce" } },
    ],
  ])("%s", (_case, observed, next) => {
    const plan = planLifecycle(observed, NOW);
    expect(plan.changes).toEqual([]);
    expect(plan.next).toMatchObject(next as object);
  });
});
