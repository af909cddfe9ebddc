import { describe, expect, it } from "vitest";
import {
  controllersOf,
  INTENT_KINDS,
  INTENT_STATES,
  type IntentState,
  intentSchema,
  isFinal,
  lifetimeMs,
  mayBecome,
  roleFor,
} from "./intent.ts";

const ROW = {
  ...{ id: "i-1", cluster: "c", kind: "retry", controller: "cloud-node-controller" },
  ...{ object: { kind: "Node", name: "w-1" }, why: "it is back", actor: "ana" },
  ...{ state: "requested", requestedAt: 1, expiresAt: 2 },
};

describe("the life cycle of an intent", () => {
  it("has final states that are never left", () => {
    for (const from of INTENT_STATES.filter(isFinal)) {
      for (const to of INTENT_STATES) expect(mayBecome(from, to)).toBe(false);
    }
  });

  it("goes from each state only to these", () => {
    const to = (from: IntentState) => INTENT_STATES.filter((state) => mayBecome(from, state));
    expect(to("awaiting-approval")).toEqual(["requested", "rejected", "expired", "cancelled"]);
    expect(to("requested")).toEqual(["claimed", "rejected", "expired", "cancelled"]);
    expect(to("claimed")).toEqual(["claimed", "running", "failed", "rejected", "expired"]);
    expect(to("running")).toEqual(["claimed", "running", "verified", "failed", "rejected"]);
  });

  it("is verified only after it ran, and is not cancelled once it is being carried out", () => {
    const before = (to: IntentState) => INTENT_STATES.filter((from) => mayBecome(from, to));
    expect(before("verified")).toEqual(["running"]);
    expect(before("cancelled")).toEqual(["awaiting-approval", "requested"]);
  });

  it("never ends in a state that waits, and in every other one", () => {
    expect(INTENT_STATES.filter((state) => !isFinal(state))).toEqual([
      ...["awaiting-approval", "requested", "claimed", "running"],
    ]);
  });
});

describe("the role for a request", () => {
  it.each([
    ["preview", "viewer"],
    ["retry", "operator"],
    ["hold", "operator"],
    ["release", "operator"],
    ["reensure", "operator"],
    ["override", "admin"],
    ["adopt", "admin"],
    ["abandon", "admin"],
    ["remove-orphan", "admin"],
    ["pause", "admin"],
    ["resume", "admin"],
    ["release-guard", "admin"],
  ] as const)("for a %s: a %s", (kind, role) => {
    expect(roleFor(kind)).toBe(role);
  });

  it("is defined for every kind", () => {
    for (const kind of INTENT_KINDS)
      expect(["viewer", "operator", "admin"]).toContain(roleFor(kind));
  });
});

it("a preview expires long before an action that somebody confirmed", () => {
  expect(lifetimeMs("preview")).toBe(30_000);
  for (const kind of INTENT_KINDS.filter((one) => one !== "preview")) {
    expect(lifetimeMs(kind)).toBe(600_000);
  }
});

describe("the loops of an intent", () => {
  const controller = "cloud-node-controller";

  it("are those that a retry names, in its order", () => {
    const controllers = ["node-route-controller", controller];
    expect(controllersOf({ action: { kind: "retry", controllers }, controller })).toEqual(
      controllers,
    );
  });

  it("are the controller's if it names none, or is not a retry", () => {
    expect(controllersOf({ action: { kind: "retry" }, controller })).toEqual([controller]);
    expect(controllersOf({ action: { kind: "release" }, controller })).toEqual([controller]);
  });
});

describe("a row that is read back", () => {
  it("of an earlier release without action and runs is a retry without any", () => {
    expect(intentSchema.parse(ROW)).toMatchObject({ action: { kind: "retry" }, runIds: [] });
  });

  it.each([
    ["an action that nobody defines", { action: { kind: "reboot" } }],
    ["a hold without an end", { action: { kind: "hold" } }],
    ["a state that is none", { state: "done" }],
    ["a kind that is none", { kind: "reboot" }],
    ["a controller whose name cannot be one", { controller: "DROP TABLE" }],
    ["progress of a loop in a state that loops have not", { loops: [loop("claimed")] }],
  ])("is refused with %s", (_what, over) => {
    expect(intentSchema.safeParse({ ...ROW, ...over }).success).toBe(false);
  });

  it("keeps how far each loop has come", () => {
    const loops = [loop("verified"), loop("running")];
    expect(intentSchema.parse({ ...ROW, loops }).loops).toEqual(loops);
  });
});

function loop(state: string) {
  return { controller: "cloud-node-controller", state };
}
