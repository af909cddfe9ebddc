import { describe, expect, it } from "vitest";
import type { ObjectRef } from "../object-ref.ts";
import type { Change, NotTaken } from "../plan.ts";
import type { Role } from "../roles.ts";
import {
  type Action,
  type ActionKind,
  actionOf,
  actionSchema,
  briefOf,
  buttonOf,
  doneSentence,
  openerOf,
  titleOf,
} from "./action.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./define.ts";
import { roleFor } from "./intent.ts";
import { consequencesOf } from "./whole-actions.ts";

const UNTIL = Date.UTC(2026, 10, 24, 14, 30);
const NODE: ObjectRef = { kind: "Node", name: "w-9", uid: "u-9" };
const WEB: ObjectRef = { kind: "Service", namespace: "shop", name: "web", uid: "u-1" };
const ROUTES: ObjectRef = { kind: "Controller", name: "node-route-controller" };
const LIFECYCLE: ObjectRef = { kind: "Controller", name: "cloud-node-lifecycle-controller" };
const HOLD: Action = { kind: "hold", until: UNTIL };
const OVERRIDE: Action = { kind: "override", until: UNTIL };
const PAUSE: Action = { kind: "pause", until: UNTIL };

function change(kind: string, target: ObjectRef = NODE): Change {
  const reason = { code: "InStep" } as const;
  return { kind, system: "cluster", target, before: null, after: null, reason };
}

function skipped(...steps: readonly string[]): readonly NotTaken[] {
  return steps.map((step) => ({ step, reason: { code: "InStep" } }));
}

interface Planned {
  readonly changes?: readonly Change[];
  readonly notTaken?: readonly NotTaken[];
  readonly waiting?: number;
}

function read(action: Action, { changes = [], notTaken = [], waiting = 0 }: Planned = {}) {
  const clock = (at: number) => new Date(at).toISOString().slice(11, 16);
  return consequencesOf(action, { changes, notTaken, clock, waiting })?.join(" ") ?? "";
}

/** UX.md section 10: who may do it, what is required before, how long it lasts. */
const RULES: readonly [
  ActionKind,
  Role,
  plan: "shown" | "optional",
  usual: number | undefined,
  longest: number | undefined,
  undo: "can be undone" | "cannot be undone",
][] = [
  ["retry", "operator", "optional", undefined, undefined, "can be undone"],
  ["hold", "operator", "shown", HOUR_MS, 7 * DAY_MS, "can be undone"],
  ["release", "operator", "optional", undefined, undefined, "can be undone"],
  ["override", "admin", "shown", 4 * HOUR_MS, 7 * DAY_MS, "cannot be undone"],
  ["reensure", "operator", "shown", undefined, undefined, "can be undone"],
  ["adopt", "admin", "shown", undefined, undefined, "cannot be undone"],
  ["abandon", "admin", "shown", undefined, undefined, "cannot be undone"],
  ["remove-orphan", "admin", "shown", undefined, undefined, "cannot be undone"],
  ["pause", "admin", "shown", 30 * MINUTE_MS, 7 * DAY_MS, "can be undone"],
  ["resume", "admin", "optional", undefined, undefined, "can be undone"],
  ["release-guard", "admin", "shown", undefined, undefined, "cannot be undone"],
  ["set-setting", "admin", "shown", undefined, undefined, "can be undone"],
  ["shorten-retention", "admin", "shown", undefined, undefined, "cannot be undone"],
  ["loosen-guard", "admin", "shown", undefined, undefined, "cannot be undone"],
];

describe("the requirements of an action", () => {
  it.each(RULES)("%s: %s, plan %s", (...[kind, role, plan, usual, longest, undo]) => {
    const facts = actionOf(kind);
    expect(roleFor(kind)).toBe(role);
    expect(facts.needsPlan === true).toBe(plan === "shown");
    expect(facts.lengths?.usual).toBe(usual);
    expect(facts.lengths?.longest).toBe(longest);
    expect(facts.isDestructive === true).toBe(undo === "cannot be undone");
  });

  it("a viewer may preview each of them, and do nothing else", () => {
    expect(roleFor("preview")).toBe("viewer");
    expect(RULES.map(([kind]) => roleFor(kind))).not.toContain("viewer");
  });

  it("a label that opens a dialog has an ellipsis; one that acts at once has none", () => {
    const atOnce = RULES.map(([kind]) => kind).filter((kind) => !openerOf(kind).endsWith("…"));
    expect(atOnce).toEqual(["retry", "resume"]);
  });

  it("a dialog fills in a reason only for a retry: all others require one", () => {
    const filled = RULES.map(([kind]) => kind).filter((kind) => actionOf(kind).usualReason);
    expect(filled).toEqual(["retry"]);
  });

  it("those on one object, its pause and the guard exclude each other only within their group", () => {
    const kindsOf = (group: string) =>
      RULES.map(([kind]) => kind).filter((kind) => (actionOf(kind).group ?? "none") === group);
    const groups = ["none", "object", "pause", "guard"];
    expect(Object.fromEntries(groups.map((group) => [group, kindsOf(group)]))).toEqual({
      none: ["retry", "set-setting", "shorten-retention", "loosen-guard"],
      object: ["hold", "release", "override", "reensure", "adopt", "abandon", "remove-orphan"],
      pause: ["pause", "resume"],
      guard: ["release-guard"],
    });
  });
});

describe("the consequences in a dialog", () => {
  it.each<[what: string, Action, Planned, says: RegExp, not?: RegExp]>([
    [
      "a held node: nothing is written to it until its end",
      HOLD,
      { changes: [change("node.hold")] },
      /nothing is written to it.*lifts by itself at 14:30\.$/,
      /load balancer|taint/,
    ],
    [
      "a held node that was overridden: its taint comes back first",
      HOLD,
      { changes: [change("node.override-end"), change("node.hold")] },
      /^The uninitialized taint comes back first.*nothing is written to it/,
    ],
    [
      "a held Service: its load balancer is still compared",
      HOLD,
      { changes: [change("service.hold", WEB)] },
      /load balancer is compared and shown, but nothing of it is changed or deleted/,
      /initialised/,
    ],
    [
      "a released object: it is checked at once",
      { kind: "release" },
      {},
      /checked at once, and what is missing is written/,
      /deleted/,
    ],
    [
      "a released Service that is being deleted: its load balancer goes",
      { kind: "release" },
      {
        changes: [{ ...change("service.release", WEB), after: { hold: null, loadBalancer: null } }],
      },
      /^Its load balancer is deleted at once, because the Service no longer wants one\.$/,
    ],
    [
      "an override of a node without a provider ID: no volumes",
      OVERRIDE,
      { notTaken: skipped("provider ID") },
      /volumes cannot attach.*at 14:30, the taint comes back.*Cannot be undone for pods/,
      /kubectl|zone/,
    ],
    [
      "an override of a node without addresses: no exec",
      OVERRIDE,
      { notTaken: skipped("addresses") },
      /kubectl logs and exec may fail/,
      /volumes|zone/,
    ],
    [
      "an override of a node without labels: pods stay away",
      OVERRIDE,
      { notTaken: skipped("labels") },
      /pods that require a zone are not scheduled there/,
      /volumes|kubectl/,
    ],
    [
      "an override of a node that lacks nothing else: only that the taint comes back",
      OVERRIDE,
      { notTaken: skipped("something else") },
      /^If it is still not initialised at 14:30, the taint comes back\./,
      /^Without/,
    ],
    [
      "everything written again: also what is in sync",
      { kind: "reensure" },
      {},
      /written again, including what is in sync/,
    ],
    [
      "an adopted load balancer: it becomes the Service's",
      { kind: "adopt", balancer: "lb-7" },
      {},
      /This Service becomes the owner of the load balancer/,
      /route/,
    ],
    [
      "an adopted route: it becomes the node's",
      { kind: "adopt", route: "r-7" },
      {},
      /route/,
      /load balancer/,
    ],
    [
      "a removed load balancer: its address is lost",
      { kind: "remove-orphan", balancer: "lb-9" },
      {},
      /deleted in the cloud with its address\. The address cannot be recovered/,
    ],
    [
      "a pause while nothing waits",
      PAUSE,
      {},
      /processes nothing until 14:30; what is due waits\..*earlier if somebody presses Resume\.$/,
      /now\)/,
    ],
    [
      "a pause while keys wait, with their number",
      PAUSE,
      { waiting: 12 },
      /what is due waits \(12 now\)\./,
    ],
    [
      "a resumed controller that nothing waits for",
      { kind: "resume" },
      {},
      /^Nothing is waiting for it\.$/,
    ],
    [
      "a resumed controller with its waiting keys",
      { kind: "resume" },
      { waiting: 3 },
      /processes the 3 that are waiting/,
    ],
    [
      "released deletions: checked once more, within ten minutes, for good",
      { kind: "release-guard", nodes: [{ name: "w-1", uid: "u-1" }] },
      {},
      /once more that their machines do not exist.*not carried out within 10 min are held again.*cannot be undone/,
    ],
  ])("%s", (...[_what, action, planned, says, not]) => {
    const text = read(action, planned);
    expect(text).toMatch(says);
    if (not !== undefined) expect(text).not.toMatch(not);
  });

  it("names what else stops while the route or node controller is paused", () => {
    const plain = read(PAUSE);
    const consequences = ["cloud-node-controller", "cloud-node-lifecycle-controller"].map((name) =>
      read(PAUSE, { changes: [change("controller.pause", { kind: "Controller", name })] }),
    );
    for (const text of consequences) expect(text.length).toBeGreaterThan(plain.length);
    expect(new Set(consequences).size).toBe(2);
  });
});

describe("the texts of a dialog", () => {
  it.each<[Action, title: string, button: string]>([
    [
      {
        kind: "release-guard",
        nodes: Array.from({ length: 1_200 }, (_, n) => ({ name: `w-${n}`, uid: `u-${n}` })),
      },
      "Release 1,200 held deletions",
      "Release 1,200 deletions",
    ],
    [{ kind: "adopt", route: "r-7" }, "Adopt route r-7 for node w-9", "Adopt route"],
    [HOLD, "Hold node w-9", "Hold volume"],
  ])("%# name the action and its object", (action, title, button) => {
    expect(titleOf(action, "node w-9")).toBe(title);
    expect(buttonOf(action, "volume")).toBe(button);
  });

  it.each<[Action & { readonly kind: "pause" | "resume" | "release-guard" }, ObjectRef, RegExp]>([
    [
      { kind: "pause", until: UNTIL },
      ROUTES,
      /^Done and confirmed: node-route-controller is paused until .*14:30.*\.$/,
    ],
    [{ kind: "resume" }, ROUTES, /^Done and confirmed: node-route-controller is not paused\.$/],
    [
      { kind: "release-guard", nodes: [{ name: "w-1", uid: "u-1" }] },
      LIFECYCLE,
      /^Done and confirmed: the named nodes may be deleted within 10 min, each after one more check/,
    ],
  ])(
    "say for %j what holds once it was observed on the control record",
    (action, object, sentence) => {
      expect(doneSentence(action, object)).toMatch(sentence);
    },
  );
});

describe("the part of an action that an audit entry keeps", () => {
  it("is all of it", () => {
    expect(briefOf(HOLD)).toEqual({ kind: "hold", until: UNTIL });
    expect(briefOf({ kind: "adopt", balancer: "lb-7" })).toEqual({
      kind: "adopt",
      balancer: "lb-7",
    });
  });

  it("except a list of nodes, which becomes its length", () => {
    const nodes = [1, 2, 3].map((each) => ({ name: `w-${each}`, uid: `u-${each}` }));
    expect(briefOf({ kind: "release-guard", nodes })).toEqual({ kind: "release-guard", nodes: 3 });
  });
});

describe("an action that is read", () => {
  const node = (each: number) => ({ name: `w-${each}`, uid: `u-${each}` });
  const nodes = (count: number) => Array.from({ length: count }, (_, each) => node(each));

  it.each<[what: string, unknown]>([
    ["a kind that nobody defines", { kind: "reboot" }],
    ["no kind", { until: UNTIL }],
    ["a hold without an end", { kind: "hold" }],
    ["an end that is no time", { kind: "hold", until: "tomorrow" }],
    ["an end before 1970", { kind: "pause", until: -1 }],
    ["an end within a millisecond", { kind: "override", until: 1.5 }],
    ["a retry by no controller", { kind: "retry", controllers: [] }],
    ["a retry by what is no name", { kind: "retry", controllers: ["No Controller"] }],
    [
      "a retry by more than ever work on one object",
      { kind: "retry", controllers: Array(21).fill("cloud-node-controller") },
    ],
    ["an adoption of an empty id", { kind: "adopt", balancer: "" }],
    ["an adoption of an endless id", { kind: "adopt", route: "r".repeat(201) }],
    ["a removal of nothing", { kind: "remove-orphan" }],
    ["a release of no deletions", { kind: "release-guard", nodes: [] }],
    ["a release of more than fit", { kind: "release-guard", nodes: nodes(10_001) }],
    ["a release of a node without a UID", { kind: "release-guard", nodes: [{ name: "w-1" }] }],
  ])("is refused for %s", (_what, action) => {
    expect(actionSchema.safeParse(action).success).toBe(false);
  });

  it.each<[what: string, unknown]>([
    ["as many deletions as fit", { kind: "release-guard", nodes: nodes(10_000) }],
    ["an id as long as it may be", { kind: "adopt", route: "r".repeat(200) }],
    [
      "as many controllers as ever work on one object",
      { kind: "retry", controllers: Array(20).fill("cloud-node-controller") },
    ],
    [
      "a controller of somebody's own",
      { kind: "retry", controllers: ["namespace-label-controller"] },
    ],
  ])("is accepted with %s", (_what, action) => {
    expect(actionSchema.parse(action)).toEqual(action);
  });

  it("loses fields that no action has", () => {
    expect(actionSchema.parse({ kind: "release", until: UNTIL })).toEqual({ kind: "release" });
  });
});
