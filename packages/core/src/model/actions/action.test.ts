import { describe, expect, it } from "vitest";
import { CONTROLLER_NAMES, controllerOf } from "../controller-names.ts";
import type { ObjectRef } from "../object-ref.ts";
import {
  ACTION_KINDS,
  type Action,
  type ActionKind,
  actionFrom,
  actionOf,
  actionSchema,
  actionsOn,
  buttonOf,
  callsOf,
  carrierOf,
  carriersOf,
  carriesOut,
  isControlAction,
  titleOf,
  typedOf,
} from "./action.ts";
import { consequencesOf, problemOf } from "./whole-actions.ts";

const UNTIL = Date.UTC(2026, 10, 24, 14, 30);
const NODE: ObjectRef = { kind: "Node", name: "w-9", uid: "u-9" };
const WEB: ObjectRef = { kind: "Service", namespace: "shop", name: "web", uid: "u-1" };
const ORPHAN: ObjectRef = { kind: "LoadBalancer", name: "lb-9" };
const GUARD: ObjectRef = { kind: "Controller", name: "cloud-node-lifecycle-controller" };
const LEADER: ObjectRef = { kind: "Controller", name: "cloudwright-controller" };

const EACH: readonly [
  Action,
  ObjectRef,
  title: string,
  button: string,
  typed: string | undefined,
][] = [
  [{ kind: "retry" }, NODE, "Retry it", "Retry node", undefined],
  [{ kind: "hold", until: UNTIL }, NODE, "Hold it", "Hold node", undefined],
  [{ kind: "release" }, NODE, "Release it", "Release node", undefined],
  [
    { kind: "override", until: UNTIL },
    NODE,
    "Override the taint of it",
    "Override taint",
    "the node's name: w-9",
  ],
  [{ kind: "reensure" }, WEB, "Write the load balancer of it again", "Write all again", undefined],
  [
    { kind: "adopt", balancer: "lb-7" },
    WEB,
    "Adopt load balancer lb-7 for it",
    "Adopt load balancer",
    "the load balancer's ID: lb-7",
  ],
  [
    { kind: "adopt", route: "r-7" },
    NODE,
    "Adopt route r-7 for it",
    "Adopt route",
    "the route's ID: r-7",
  ],
  [
    { kind: "abandon" },
    WEB,
    "Let it go without deleting its load balancer",
    "Let it go",
    "the Service's name: web",
  ],
  [
    { kind: "remove-orphan", balancer: "lb-9" },
    ORPHAN,
    "Remove load balancer lb-9",
    "Remove load balancer",
    "the load balancer's ID: lb-9",
  ],
  [{ kind: "pause", until: UNTIL }, GUARD, "Pause it", "Pause controller", undefined],
  [{ kind: "resume" }, GUARD, "Resume it", "Resume controller", undefined],
  [
    { kind: "release-guard", nodes: [{ name: "w-1", uid: "u-1" }] },
    GUARD,
    "Release 1 held deletion",
    "Release 1 deletion",
    "the number of nodes: 1",
  ],
  [
    { kind: "set-setting", setting: "node-monitor-period", from: "5s", value: "10s" },
    GUARD,
    "Set --node-monitor-period to 10s",
    "Set to 10s",
    undefined,
  ],
  [
    {
      ...{ kind: "set-setting", setting: "node-monitor-period" },
      ...{ from: "10s", value: "5s", reset: true },
    },
    GUARD,
    "Set --node-monitor-period back to the flag, 5s",
    "Set to 5s",
    undefined,
  ],
  [
    { kind: "shorten-retention", setting: "ledger-retention-runs", from: "30d", value: "3d" },
    LEADER,
    "Set --ledger-retention-runs to 3d",
    "Set to 3d",
    "the new value: 3d",
  ],
  [
    { kind: "loosen-guard", setting: "node-deletion-guard", from: "5,10%,10m", value: "off" },
    GUARD,
    "Set --node-deletion-guard to off",
    "Set to off",
    "the new value: off",
  ],
];

describe("an action", () => {
  it("has an example of each kind here", () => {
    expect(new Set(EACH.map(([{ kind }]) => kind))).toEqual(new Set(ACTION_KINDS));
  });

  it.each(EACH)(
    "%j has a name, is confirmed and is read back as it was written",
    (action, object, ...said) => {
      const typed = typedOf(action, object);
      const confirmation = typed === undefined ? undefined : `${typed.what}: ${typed.text}`;
      expect([titleOf(action, "it"), buttonOf(action, "node"), confirmation]).toEqual(said);
      expect(problemOf(action, object)).toBeUndefined();
      expect(actionSchema.parse(JSON.parse(JSON.stringify(action)))).toEqual(action);
      expect(actionFrom(action.kind, { ...action, why: "not of it" })).toEqual(action);
    },
  );

  it("that cannot be undone requires the plan that was shown and typing something", () => {
    for (const [action, object] of EACH) {
      const { isDestructive = false, needsPlan = false } = actionOf(action.kind);
      if (!isDestructive) continue;
      expect([action.kind, needsPlan, typedOf(action, object) !== undefined]).toEqual([
        action.kind,
        true,
        true,
      ]);
    }
  });

  it("has an end exactly if it has a choice of durations, including the usual one", () => {
    for (const kind of ACTION_KINDS) {
      const { lengths } = actionOf(kind);
      const hasEnd = "until" in actionFrom(kind, { until: UNTIL });
      expect([kind, hasEnd]).toEqual([kind, lengths !== undefined]);
      if (lengths === undefined) continue;
      expect(lengths.choices).toContain(lengths.usual);
      expect(Math.max(...lengths.choices)).toBe(lengths.longest);
    }
  });

  it.each<[Action, ObjectRef]>([
    [{ kind: "adopt", route: "r-7" }, WEB],
    [{ kind: "adopt" }, WEB],
    [{ kind: "adopt", balancer: "lb-7", route: "r-7" }, NODE],
    [{ kind: "remove-orphan", balancer: "lb-8" }, ORPHAN],
    [
      {
        kind: "release-guard",
        nodes: [
          { name: "a", uid: "u" },
          { name: "b", uid: "u" },
        ],
      },
      GUARD,
    ],
    [{ kind: "set-setting", setting: "node-monitor-period", from: "5s", value: "7s" }, LEADER],
    [{ kind: "set-setting", setting: "node-monitor-period", from: "5s", value: "5000ms" }, GUARD],
    [{ kind: "set-setting", setting: "ledger-retention-runs", from: "30d", value: "3d" }, LEADER],
    [
      { kind: "set-setting", setting: "node-deletion-guard", from: "5,10%,10m", value: "off" },
      GUARD,
    ],
    [
      { kind: "loosen-guard", setting: "node-deletion-guard", from: "off", value: "5,10%,10m" },
      GUARD,
    ],
  ])("%j that contradicts itself or its object is refused in one sentence", (action, object) => {
    expect(problemOf(action, object)).toMatch(/^An? .*\.$/);
  });

  it("costs an observation before and after, unless it needs nothing from the cloud or costs by the node", () => {
    const nodes = [1, 2, 3].map((each) => ({ name: `w-${each}`, uid: `u-${each}` }));
    expect(callsOf({ kind: "retry" })).toBe(2);
    expect(callsOf({ kind: "pause", until: UNTIL })).toBe(0);
    expect(callsOf({ kind: "release-guard", nodes })).toBe(3);
  });

  it("leaves a retry's consequences to its plan, and has texts for all others", () => {
    const plan = { changes: [], notTaken: [], clock: () => "14:30", waiting: 0 };
    for (const [action] of EACH) {
      const worded = consequencesOf(action, plan);
      expect([action.kind, worded === undefined]).toEqual([action.kind, action.kind === "retry"]);
      for (const text of worded ?? []) expect(text).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("is carried out by controllers of the record exactly if not every controller does it", () => {
    const declared = ACTION_KINDS.filter((kind) => carriersOf(kind).length > 0);
    const isDeclared = (kind: ActionKind) => !["any", "named"].includes(actionOf(kind).carriers);
    expect(declared).toEqual(ACTION_KINDS.filter(isDeclared));
    const named = CONTROLLER_NAMES.flatMap((name) =>
      Object.values(controllerOf(name).actions ?? {}).flat(),
    );
    expect(named.filter((kind) => !declared.some((known) => known === kind))).toEqual([]);
  });

  it.each([
    ["adopt", "Service", "service-lb-controller"],
    ["adopt", "Node", "node-route-controller"],
    ["hold", "Namespace", "namespace-label-controller"],
    ["override", "Namespace", "namespace-label-controller"],
    ["hold", "Route", undefined],
  ] as const)("%s of a %s may be asked of %s", (kind, of, carrier) => {
    expect(carrierOf(kind, of, "namespace-label-controller")).toBe(carrier);
  });

  it.each([
    ["its module's own", { Namespace: ["hold"] }, "hold", "Namespace", true],
    ["only for that kind", { Namespace: ["hold"] }, "hold", "Secret", false],
    ["only what is named", { Namespace: ["hold"] }, "override", "Namespace", false],
    ["a retry without a word", {}, "retry", "Namespace", true],
    ["nothing where nothing is declared", undefined, "hold", "Namespace", false],
  ] as const)("is declared by %s", (...[_what, actions, kind, of, is]) => {
    const name = "namespace-label-controller";
    expect(carriesOut({ name, actions }, kind, of)).toBe(is);
  });

  it("is declared by the record if the module declares nothing, and otherwise only by the module", () => {
    const name = "cloud-node-controller";
    expect(carriesOut({ name }, "override", "Node")).toBe(true);
    expect(carriesOut({ name, actions: { Node: ["hold"] } }, "override", "Node")).toBe(false);
  });

  it("is offered for an object by its name alone if it needs nothing else but an end", () => {
    expect(actionsOn({ name: "service-lb-controller" }, "Service")).toEqual([
      ...["retry", "hold", "release", "reensure"],
    ]);
    expect(actionsOn({ name: "service-lb-controller" }, "LoadBalancer")).toEqual(["retry"]);
    expect(actionsOn({ name: "x-controller", actions: { A: ["release"] } }, "A")).toEqual([
      ...["retry", "release"],
    ]);
  });

  it("is about the control record exactly if its object is a controller", () => {
    for (const [action, object] of EACH) {
      expect([action.kind, isControlAction(action)]).toEqual([
        action.kind,
        object.kind === "Controller",
      ]);
    }
  });
});
