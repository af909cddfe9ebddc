import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../kube/client.ts";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { Change, Plan } from "../../model/plan.ts";
import { HOLD_ANNOTATION, HOLD_BY_ANNOTATION, HOLD_UNTIL_ANNOTATION } from "./hold.ts";
import { planExpiry, planRequested } from "./plan-held.ts";

const NOW = Date.UTC(2026, 10, 24, 12);
const UNTIL = NOW + 3_600_000;
const FREE: KubeObject = { metadata: { name: "pv-1" } };
const HELD: KubeObject = {
  metadata: {
    name: "pv-1",
    annotations: {
      [HOLD_ANNOTATION]: "INC-88",
      [HOLD_BY_ANNOTATION]: "Ada",
      [HOLD_UNTIL_ANNOTATION]: new Date(UNTIL).toISOString(),
    },
  },
};

function change(kind: Change["kind"], reason: Change["reason"]): Change {
  const target = { kind: "PersistentVolume", name: "pv-1" } as const;
  return { kind, system: "cluster", target, before: null, after: null, reason };
}

const UNASKED: Plan = {
  changes: [change("volume.grow", { code: "VolumeTooSmall", id: "d", hasGiB: 1, wantedGiB: 2 })],
  notTaken: [{ step: "labels", reason: { code: "InStep" } }],
  next: { kind: "settled", reason: { code: "InStep" } },
};

function planned(object: KubeObject, action?: ObjectAction, name = "the volume"): Plan {
  const requested: RequestedAction<ObjectAction> | undefined =
    action === undefined ? undefined : { action, by: "Ada", why: "INC-88", intentId: "i-1" };
  return planRequested(
    requested,
    {
      ...{ object, name, unasked: UNASKED },
      hold: (_until, reason) => [change("volume.hold", reason)],
      release: (_hold, reason) => change("volume.release", reason),
    },
    NOW,
  );
}

const kinds = ({ changes }: Plan) => changes.map(({ kind }) => kind);

describe("an action on an object that can be held", () => {
  it.each<[string, ObjectAction | undefined]>([
    ["nothing", undefined],
    ["a retry", { kind: "retry" }],
  ])("is, for %s, what the controller would do by itself", (_what, action) => {
    expect(planned(FREE, action)).toBe(UNASKED);
  });

  it("is a hold in the user's name, and the plan waits until its end", () => {
    const plan = planned(FREE, { kind: "hold", until: UNTIL });
    expect(kinds(plan)).toEqual(["volume.hold"]);
    expect(plan.changes[0]?.reason).toMatchObject({ code: "PersonAsked", by: "Ada" });
    expect(plan.next).toMatchObject({ kind: "waiting", forMs: UNTIL - NOW });
  });

  it("is a release, after which the object comes back at once", () => {
    const plan = planned(HELD, { kind: "release" });
    expect(kinds(plan)).toEqual(["volume.release"]);
    expect(plan.next).toMatchObject({ kind: "waiting", forMs: 0 });
  });

  it.each<[KubeObject, ObjectAction, object]>([
    [
      HELD,
      { kind: "hold", until: UNTIL },
      { what: "the volume is held as requested", phrase: { code: "volumeHeldAsRequested" } },
    ],
    [
      FREE,
      { kind: "release" },
      { what: "the volume is not held", phrase: { code: "volumeNotHeld" } },
    ],
  ])("changes nothing when there is nothing left to do: %#", (object, action, what) => {
    const plan = planned(object, action);
    expect(plan.changes).toBe(UNASKED.changes);
    expect(plan.notTaken.at(-1)).toEqual({
      step: action.kind,
      reason: { code: "NothingToDo", ...what },
    });
  });

  it("uses the name that a third-party controller gives to its kind of object", () => {
    const { notTaken } = planned(FREE, { kind: "release" }, "the namespace");
    expect(notTaken.at(-1)?.reason).toEqual({
      code: "NothingToDo",
      what: "the namespace is not held",
      phrase: { code: "otherNotHeld", values: ["the namespace"] },
    });
  });

  it("changes the end of a hold", () => {
    expect(kinds(planned(HELD, { kind: "hold", until: UNTIL + 1 }))).toEqual(["volume.hold"]);
  });

  it("is refused if it is for another kind of object, and nothing is written", () => {
    const plan = planned(FREE, { kind: "override", until: UNTIL });
    expect(plan.changes).toEqual([]);
    expect(plan.notTaken).toEqual([
      ...UNASKED.notTaken,
      {
        step: "override",
        reason: {
          code: "WishRefused",
          problem: "the action override does not apply to the volume",
          phrase: { code: "notForVolume", values: ["override"] },
        },
      },
    ]);
  });
});

it("an expired hold ends in its own name, and the same run does what waited", () => {
  const hold = { code: "HeldByAnnotation", by: "Ada", untilMs: NOW } as const;
  const plan = planExpiry(hold, (reason) => change("volume.release", reason));
  expect(plan).toMatchObject({ again: true, next: { kind: "settled" } });
  expect(plan.changes[0]?.reason).toEqual({ code: "HoldExpired", by: "Ada", untilMs: NOW });
});
