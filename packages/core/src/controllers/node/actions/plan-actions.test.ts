import { type Lookup, ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import type { ObjectAction, RequestedAction } from "../../../model/actions/action.ts";
import { type Plan, planHash } from "../../../model/plan.ts";
import { CLOUD_LABELS_ANNOTATION } from "../../objects/node-object.ts";
import {
  CREATED_AT,
  found,
  type NodeShape,
  node,
  UNINITIALIZED,
} from "../../testing/node-fixture.ts";
import type { NodeChange } from "../changes.ts";
import { wantedLabels } from "../labels.ts";
import type { NodeObserved } from "../observed.ts";
import { planNode } from "../plan.ts";
import { OVERRIDE_ANNOTATION, overrideText } from "./override.ts";

const NOW = CREATED_AT + 3_600_000;
const UNTIL = NOW + 3_600_000;
const OTHER = { key: "example.org/own", effect: "NoExecute" };
const DOWN: Lookup = {
  kind: "failed",
  error: new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" }),
};
const UNAVAILABLE = { code: "ProviderUnavailable" };
const REQUESTED = { code: "PersonAsked", by: "Ada", why: "INC-88", intentId: "i-1" };
const OVERRIDDEN = { code: "FreedUnfinished", by: "Ada", why: "INC-88", untilMs: UNTIL };

const HOLD: ObjectAction = { kind: "hold", until: UNTIL };
const RELEASE: ObjectAction = { kind: "release" };
const OVERRIDE: ObjectAction = { kind: "override", until: UNTIL };

function requested(
  action: ObjectAction,
  more: Partial<RequestedAction> = {},
): RequestedAction<ObjectAction> {
  return { intentId: "i-1", by: "Ada", why: "INC-88", ...more, action };
}

function plan(
  shape: NodeShape,
  action?: ObjectAction | RequestedAction<ObjectAction>,
  { lookup = DOWN, nowMs = NOW }: { lookup?: Lookup; nowMs?: number } = {},
): Plan<NodeChange> {
  const one = node(shape);
  const seen = lookup.kind === "found" ? lookup.facts : undefined;
  const observed: NodeObserved = {
    node: one,
    provider: "p",
    policy: { newNodeGraceMs: 300_000, refreshPeriodMs: 300_000 },
    lookup,
    isRequested: true,
    facts: seen,
    labels: seen && wantedLabels(one, seen),
    wasUninitialised: false,
    requested: action === undefined || "action" in action ? action : requested(action),
    twin: undefined,
  };
  return planNode(observed, nowMs);
}

const TWO = [UNINITIALIZED, { ...UNINITIALIZED, effect: "NoExecute" }];
const NOTHING = "NothingToDo";
const REFUSED = "WishRefused";
const NEW: NodeShape = { taints: [OTHER, UNINITIALIZED] };
const DONE: NodeShape = {
  providerID: "p://i-1",
  annotations: { [CLOUD_LABELS_ANNOTATION]: "" },
};

function held(shape: NodeShape, untilMs?: number | string, by = "Ada"): NodeShape {
  const until = typeof untilMs === "number" ? new Date(untilMs).toISOString() : untilMs;
  return {
    ...shape,
    annotations: {
      ...shape.annotations,
      "cloudwright.io/hold": "INC-88",
      "cloudwright.io/hold-by": by,
      ...(until === undefined ? {} : { "cloudwright.io/hold-until": until }),
    },
  };
}

function overridden(untilMs = UNTIL, shape: NodeShape = {}): NodeShape {
  const record = { by: "Ada", why: "INC-88", untilMs, intentId: "i-1" };
  return {
    taints: [OTHER],
    ...shape,
    annotations: { ...shape.annotations, [OVERRIDE_ANNOTATION]: overrideText(record) },
  };
}

const BACK = [OTHER, UNINITIALIZED];

const HELD_FROM_NOW_ON = ["node.hold", { hold: null }, { hold: { until: UNTIL } }];
const BY_ANOTHER = requested(OVERRIDE, { intentId: "i-2", by: "Bob", why: "longer" });

describe("an action that a user requests", () => {
  test.each<{ of: string; shape: NodeShape; action: ObjectAction; wanted: readonly unknown[] }>([
    { of: "a new node is held", shape: NEW, action: HOLD, wanted: [HELD_FROM_NOW_ON] },
    { of: "an initialised node is held", shape: DONE, action: HOLD, wanted: [HELD_FROM_NOW_ON] },
    {
      of: "a hold without an end gets one",
      shape: held(NEW),
      action: HOLD,
      wanted: [["node.hold", { hold: { until: null } }, { hold: { until: UNTIL } }]],
    },
    {
      of: "a hold is extended",
      shape: held(NEW, UNTIL - 1),
      action: HOLD,
      wanted: [["node.hold", { hold: { until: UNTIL - 1 } }, { hold: { until: UNTIL } }]],
    },
    {
      of: "another user's hold with the same end is replaced",
      shape: held(NEW, UNTIL, "Bob"),
      action: HOLD,
      wanted: [["node.hold", { hold: { until: UNTIL } }, { hold: { until: UNTIL } }]],
    },
    {
      of: "a past hold is replaced",
      shape: held(NEW, NOW),
      action: HOLD,
      wanted: [["node.hold", { hold: { until: NOW } }, { hold: { until: UNTIL } }]],
    },
    {
      of: "a node with an overridden taint gets it back before it is held",
      shape: overridden(),
      action: HOLD,
      wanted: [
        ["node.override-end", { taints: [OTHER], until: UNTIL }, { taints: BACK }],
        HELD_FROM_NOW_ON,
      ],
    },
    {
      of: "a hold is released",
      shape: held(NEW, UNTIL),
      action: RELEASE,
      wanted: [["node.release", { hold: { until: UNTIL } }, { hold: null }]],
    },
    {
      of: "a hold that kubectl set is released",
      shape: held(DONE),
      action: RELEASE,
      wanted: [["node.release", { hold: { until: null } }, { hold: null }]],
    },
    {
      of: "the taint of a new node is overridden",
      shape: NEW,
      action: OVERRIDE,
      wanted: [["node.override", { taints: BACK }, { taints: [OTHER], until: UNTIL }]],
    },
    {
      of: "every taint of the key goes",
      shape: { taints: TWO },
      action: OVERRIDE,
      wanted: [["node.override", { taints: TWO }, { taints: [], until: UNTIL }]],
    },
    {
      of: "the taint of a node whose hold is over is overridden",
      shape: held(NEW, NOW),
      action: OVERRIDE,
      wanted: [["node.override", { taints: BACK }, { taints: [OTHER], until: UNTIL }]],
    },
  ])("$of", ({ shape, action, wanted }) => {
    const answer = plan(shape, action);
    expect(answer.changes.map(({ kind, before, after }) => [kind, before, after])).toEqual(wanted);
    for (const { reason, target } of answer.changes) {
      expect(reason).toEqual(REQUESTED);
      expect(target).toEqual({ kind: "Node", name: "n1", uid: "uid-n1" });
    }
  });

  it("may move the end of an override, whoever made it", () => {
    const answer = plan(overridden(UNTIL - 1), BY_ANOTHER);
    expect(answer.changes).toMatchObject([
      {
        kind: "node.override",
        before: { taints: [OTHER] },
        after: { taints: [OTHER], until: UNTIL },
      },
    ]);
    expect(answer.next.reason).toMatchObject({ by: "Bob", why: "longer", untilMs: UNTIL });
  });

  test.each<{
    of: string;
    shape: NodeShape;
    action: RequestedAction<ObjectAction>;
    code: string;
    lookup?: Lookup;
  }>([
    { of: "a hold that is there", shape: held(NEW, UNTIL), action: requested(HOLD), code: NOTHING },
    { of: "a release of what is not held", shape: NEW, action: requested(RELEASE), code: NOTHING },
    { of: "an override of a done node", shape: DONE, action: requested(OVERRIDE), code: NOTHING },
    {
      of: "an override that is there",
      shape: overridden(),
      action: requested(OVERRIDE),
      code: NOTHING,
    },
    {
      of: "an override of a held node",
      shape: held(NEW),
      action: requested(OVERRIDE),
      code: REFUSED,
    },
    {
      of: "an override of what can be initialised",
      shape: NEW,
      action: requested(OVERRIDE),
      code: REFUSED,
      lookup: found(),
    },
    {
      of: "another override of what can be finished",
      shape: overridden(),
      action: BY_ANOTHER,
      code: REFUSED,
      lookup: found(),
    },
  ])(
    "$of is refused, and the plan is what the loop does by itself",
    ({ shape, action, code, lookup }) => {
      const answer = plan(shape, action, { lookup: lookup ?? DOWN });
      const byItself = plan(shape, undefined, { lookup: lookup ?? DOWN });
      expect(answer.notTaken.at(-1)).toMatchObject({ step: action.action.kind, reason: { code } });
      expect({ ...answer, notTaken: answer.notTaken.slice(0, -1) }).toEqual(byItself);
    },
  );

  it("does not change the plan if it is a retry", () => {
    expect(plan(held(NEW, UNTIL), { kind: "retry" })).toEqual(plan(held(NEW, UNTIL)));
    expect(plan(NEW, { kind: "retry" })).toEqual(plan(NEW));
  });

  it("has the same hash whoever asks for it and why, and others for other ends and nodes", async () => {
    const hash = (action: RequestedAction<ObjectAction>, shape = NEW) =>
      planHash(plan(shape, action));
    for (const action of [HOLD, OVERRIDE]) {
      const first = await hash(requested(action));
      expect(await hash(requested(action, { by: "Bob", why: "x", intentId: "i-9" }))).toBe(first);
      expect(await hash(requested({ ...action, until: UNTIL + 1 } as ObjectAction))).not.toBe(
        first,
      );
      expect(await hash(requested(action), { ...NEW, uid: "another" })).not.toBe(first);
    }
  });
});

describe("a held node", () => {
  it("comes back when its hold ends", () => {
    expect(plan(held(NEW, UNTIL))).toEqual({
      changes: [],
      notTaken: [],
      next: {
        kind: "waiting",
        forMs: 3_600_000,
        reason: { code: "HeldByAnnotation", by: "Ada", why: "INC-88", untilMs: UNTIL },
      },
    });
    expect(plan(NEW, HOLD).next).toEqual(plan(held(NEW, UNTIL)).next);
  });

  it("is released by itself then, and gets what it needs in the same run", () => {
    const answer = plan(held(NEW, NOW));
    const reason = { code: "HoldExpired", by: "Ada", untilMs: NOW };
    expect(answer).toMatchObject({ next: { kind: "settled", reason }, again: true });
    expect(answer.changes).toMatchObject([
      { kind: "node.release", before: { hold: { until: NOW } }, after: { hold: null }, reason },
    ]);
  });

  it("comes back at once when a user has released it", () => {
    expect(plan(held(NEW, UNTIL), RELEASE).next).toEqual({
      kind: "waiting",
      forMs: 0,
      reason: REQUESTED,
    });
  });

  test.each(["tomorrow", "2026-01-01", "", "1767225600"])(
    "stays held for ever, and says so, when its end is %j",
    (until) => {
      const answer = plan(held(NEW, until));
      expect(answer.next).toEqual({
        kind: "settled",
        reason: { code: "HeldByAnnotation", by: "Ada", why: "INC-88" },
      });
      expect(answer.notTaken).toMatchObject([
        { step: "end of the hold", reason: { problem: expect.stringContaining(`"${until}"`) } },
      ]);
    },
  );

  test.each(["2026-01-01T01:00:01Z", "2026-01-01T03:00:01.000+02:00"])(
    "has an end that somebody wrote as %s",
    (until) => {
      expect(plan(held(NEW, until)).next).toMatchObject({ kind: "waiting", forMs: 1_000 });
    },
  );

  it("keeps its override and gets no taint while it is held", () => {
    expect(plan(held(overridden(NOW - 1), UNTIL)).changes).toEqual([]);
  });
});

describe("a node whose taint was overridden before it was initialised", () => {
  it("waits for the cloud, says what is not done and why, and is looked up every 10 s", () => {
    const answer = plan(overridden());
    expect(answer.changes).toEqual([]);
    expect(answer.notTaken).toMatchObject(
      ["provider ID", "addresses", "labels"].map((step) => ({ step, reason: UNAVAILABLE })),
    );
    expect(answer.next).toEqual({ kind: "waiting", forMs: 10_000, reason: OVERRIDDEN });
    const promised = plan(NEW, OVERRIDE);
    expect([promised.notTaken, promised.next]).toEqual([answer.notTaken, answer.next]);
  });

  it("has its provider ID step done if it registered with one", () => {
    const steps = plan({ ...overridden(), providerID: "p://i-1" }).notTaken.map(({ step }) => step);
    expect(steps).toEqual(["addresses", "labels"]);
  });

  it("is finished without touching its taints as soon as the cloud answers", () => {
    const answer = plan(overridden(), undefined, { lookup: found() });
    expect(answer.changes.map(({ kind }) => kind)).toEqual([
      "node.addresses.write",
      "node.initialise",
    ]);
    expect(answer.changes[1]).toMatchObject({
      before: { taints: [OTHER], annotations: { [OVERRIDE_ANNOTATION]: expect.any(String) } },
      after: {
        taints: [OTHER],
        providerID: "p://i-1",
        annotations: { [OVERRIDE_ANNOTATION]: null, [CLOUD_LABELS_ANNOTATION]: expect.any(String) },
      },
    });
    expect(answer.next).toEqual({ kind: "settled", reason: { code: "Initialised" } });
  });

  it("is finished rather than tainted again if the cloud answers at the override's end", () => {
    const answer = plan(overridden(NOW), undefined, { lookup: found() });
    expect(answer.changes.map(({ kind }) => kind)).toContain("node.initialise");
  });

  it("gets its taint back exactly at the override's end, and comes back at once", () => {
    const reason = { code: "OverrideExpired", by: "Ada", untilMs: NOW };
    const answer = plan(overridden(NOW));
    expect(answer.next).toEqual({ kind: "waiting", forMs: 0, reason });
    expect(answer.changes).toMatchObject([
      {
        kind: "node.override-end",
        before: { taints: [OTHER], until: NOW },
        after: { taints: BACK },
        reason,
      },
    ]);
    expect(plan(overridden(NOW + 1)).next).toMatchObject({ kind: "waiting", forMs: 1 });
  });

  it("is treated as a new node once somebody taints it again, and loses the record when it is done", () => {
    const again = { ...overridden(NOW - 1), taints: BACK };
    expect(plan(again).next).toMatchObject({ kind: "failed", reason: UNAVAILABLE });
    expect(plan(again, undefined, { lookup: found() }).changes[1]).toMatchObject({
      kind: "node.initialise",
      after: { taints: [OTHER], annotations: { [OVERRIDE_ANNOTATION]: null } },
    });
  });

  test.each(["{", "{}", "null", '{"by":"x","why":"y","until":"later","intent":"z"}'])(
    "is one only when its record can be read: not by %s",
    (record) => {
      const shape = {
        ...DONE,
        annotations: { ...DONE.annotations, [OVERRIDE_ANNOTATION]: record },
      };
      expect(plan(shape, undefined, { nowMs: Number.MAX_SAFE_INTEGER }).changes).toEqual([]);
    },
  );

  it("never loses its taint because of its own annotation", () => {
    const forged = { ...overridden(UNTIL), taints: BACK };
    expect(plan(forged).changes).toEqual([]);
  });
});
