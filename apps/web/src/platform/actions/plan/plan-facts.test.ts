import type { Action } from "@cloudwright/core/model/actions/action";
import type { Change } from "@cloudwright/core/model/plan";
import type { Reason } from "@cloudwright/core/model/reason";
import { describe, expect, it } from "vitest";
import { type FactsInput, planFacts, type ShownPlan } from "./plan-facts.ts";
import { callsText } from "./plan-text.tsx";

const UNTIL = Date.UTC(2026, 10, 21, 15);
const REQUESTED: Reason = { code: "PersonAsked", by: "ana", why: "disk check", intentId: "i-1" };
const MISSING: Reason = { code: "InstanceNotFound", provider: "sandbox", by: "name", value: "w-9" };
const TAINT = { key: "uninitialized", value: "true", effect: "NoSchedule" };

function plan(changes: readonly Partial<Change>[], rest: Partial<ShownPlan> = {}): ShownPlan {
  return {
    planHash: "h-1",
    changes: changes.map((change) => ({
      kind: "node.hold",
      system: "cluster",
      target: { kind: "Node", name: "w-9" },
      before: null,
      after: null,
      reason: REQUESTED,
      ...change,
    })),
    notTaken: [],
    next: { kind: "settled", reason: { code: "InStep" } },
    ...rest,
  };
}

function facts(action: Action, shown: ShownPlan, waiting = 0) {
  const clock: FactsInput["clock"] = (at) => new Date(at).toISOString().slice(11, 16);
  return planFacts({ action, plan: shown, clock, waiting });
}

const NO_CHANGES = { changes: [] };

/** A change to a Service that is not held any more. */
const FREE = { hold: null };

describe("the effect of a plan", () => {
  it("says when nothing would change", () => {
    expect(facts({ kind: "retry" }, plan([])).effect).toBe("Nothing would change");
  });

  it("counts nodes, not changes", () => {
    const both = plan([{ kind: "node.addresses.write" }, { kind: "node.labels.write" }]);
    expect(facts({ kind: "retry" }, both).effect).toBe("1 node changes");
  });

  it("counts routes that are created and deleted", () => {
    const target = { kind: "Node", name: "w-9" } as const;
    const moved = plan([
      { kind: "route.delete", system: "cloud", target },
      { kind: "route.create", system: "cloud", target },
      { kind: "node.network-condition.write", target },
    ]);
    expect(facts({ kind: "retry" }, moved).effect).toBe("1 route is deleted, 1 route is created");
  });

  it.each<[string, Partial<Change>, string]>([
    [
      "loses its last taint",
      { before: { taints: [TAINT] }, after: { taints: [] } },
      "1 node changes · becomes schedulable",
    ],
    [
      "gets the taint back",
      { before: { taints: [] }, after: { taints: [TAINT] } },
      "1 node changes · takes no new pods",
    ],
    [
      "keeps another taint that keeps pods away",
      { before: { taints: [TAINT, TAINT] }, after: { taints: [TAINT] } },
      "1 node changes",
    ],
    [
      "keeps one that only advises",
      {
        before: { taints: [TAINT] },
        after: { taints: [{ ...TAINT, effect: "PreferNoSchedule" }] },
      },
      "1 node changes · becomes schedulable",
    ],
  ])("says of a node that %s", (_what, change, effect) => {
    expect(facts({ kind: "retry" }, plan([change])).effect).toBe(effect);
  });

  it("names the end of an action that ends by itself", () => {
    expect(facts({ kind: "hold", until: UNTIL }, plan([{}])).effect).toBe(
      "1 node changes · until 15:00",
    );
  });

  it("counts the nodes that the guard would release", () => {
    const nodes = [
      { name: "w-1", uid: "u-1" },
      { name: "w-2", uid: "u-2" },
    ];
    const released = plan([
      {
        kind: "guard.release",
        target: { kind: "Controller", name: "cloud-node-lifecycle-controller" },
        after: { released: nodes },
      },
    ]);
    expect(facts({ kind: "release-guard", nodes }, released).effect).toBe("2 nodes may be deleted");
  });
});

describe("its consequences", () => {
  it("of an override are named step by step, with one shared cause", () => {
    const notTaken = ["provider ID", "addresses", "labels"].map((step) => ({
      step,
      reason: MISSING,
    }));
    const said = facts({ kind: "override", until: UNTIL }, plan([{}], { notTaken }));
    expect(said.undone).toEqual([
      "Not done: provider ID, addresses, labels. No instance in sandbox is named w-9.",
    ]);
    expect(said.consequences).toEqual([
      "Without a provider ID volumes cannot attach.",
      "Without addresses from the cloud kubectl logs and exec may fail.",
      "Without zone and type labels, pods that require a zone are not scheduled there.",
      "If it is still not initialised at 15:00, the taint comes back.",
      "Cannot be undone for pods that have started on it by then.",
    ]);
  });

  it("of a hold on a node with an overridden taint begin with the taint", () => {
    const said = facts({ kind: "hold", until: UNTIL }, plan([{ kind: "node.override-end" }, {}]));
    expect(said.consequences[0]).toContain("uninitialized taint comes back first");
  });

  it("of a pause are what users notice", () => {
    const target = { kind: "Controller", name: "cloud-node-controller" } as const;
    const said = facts(
      { kind: "pause", until: UNTIL },
      plan([{ kind: "controller.pause", target }]),
    );
    expect(said.consequences[1]).toContain("new nodes keep the uninitialized taint");
  });

  it("of a pause include the number of waiting objects", () => {
    expect(facts({ kind: "pause", until: UNTIL }, plan([{}]), 4).consequences[0]).toContain(
      "what is due waits (4 now)",
    );
  });
});

describe("its cost", () => {
  const cloud = {
    callsLastMinute: 212,
    throttledLastMinute: 0,
    allowedPerSecond: 400 / 60,
    resumesAt: undefined,
  };
  it.each<[Action, typeof cloud | undefined, string]>([
    [{ kind: "retry" }, cloud, "Uses about 2 cloud calls (188 left this minute)."],
    [{ kind: "resume" }, cloud, "Uses no cloud call."],
    [
      { kind: "release-guard", nodes: [{ name: "w-1", uid: "u-1" }] },
      { ...cloud, callsLastMinute: 500 },
      "Uses about 1 cloud call (0 left this minute).",
    ],
    [{ kind: "retry" }, undefined, "Uses about 2 cloud calls (the number left is not known)."],
  ])("%j", (action, left, text) => {
    expect(callsText(action, NO_CHANGES, left)).toBe(text);
  });

  it("says so if no limit is known", () => {
    expect(
      callsText({ kind: "retry" }, NO_CHANGES, { ...cloud, allowedPerSecond: undefined }),
    ).toBe("Uses about 2 cloud calls (212 were made in the last minute, no limit is known).");
  });
});

describe("a plan for a load balancer", () => {
  const WEB = { kind: "Service", namespace: "shop", name: "web" } as const;
  const cloud = (kind: Change["kind"], target: Change["target"] = WEB) =>
    ({ kind, target, system: "cloud" }) as const;
  const finalizer = { kind: "service.finalizer.remove", target: WEB } as const;

  it.each<[string, readonly Partial<Change>[], string]>([
    ["a new one", [cloud("balancer.create")], "1 load balancer is created"],
    [
      "several parts",
      [cloud("balancer.update"), cloud("balancer.members")],
      "1 load balancer changes",
    ],
    ["one part less", [cloud("balancer.delete")], "1 load balancer changes"],
    ["all of it", [cloud("balancer.delete"), finalizer], "1 load balancer is deleted"],
    ["a hold", [{ kind: "service.hold", target: WEB }], "1 Service changes"],
    ["a release", [{ kind: "service.release", target: WEB, after: FREE }], "1 Service changes"],
    [
      "a release of what is being deleted",
      [{ kind: "service.release", target: WEB, after: { ...FREE, loadBalancer: null } }],
      "1 load balancer is deleted",
    ],
    [
      "an orphan",
      [cloud("balancer.delete", { kind: "LoadBalancer", name: "lb-9" })],
      "1 load balancer is deleted",
    ],
  ])("of %s counts load balancers", (_name, changes, effect) => {
    expect(facts({ kind: "retry" }, plan(changes)).effect).toBe(effect);
  });

  it("explains what holding it means, and that its address cannot be recovered", () => {
    const held = facts(
      { kind: "hold", until: UNTIL },
      plan([{ kind: "service.hold", target: WEB }]),
    );
    expect(held.consequences.join(" ")).toMatch(/compared and shown, but nothing of it is changed/);
    const removed = facts({ kind: "remove-orphan", balancer: "lb-9" }, plan([]));
    expect(removed.consequences.join(" ")).toMatch(/The address cannot be recovered/);
  });

  it("costs its writes plus the reads", () => {
    const shown = plan([cloud("balancer.update"), cloud("balancer.members"), finalizer]);
    expect(callsText({ kind: "reensure" }, shown, undefined)).toMatch(/^Uses about 4 cloud calls/);
  });
});

describe("an adoption", () => {
  const consequencesOf = (action: Action) => facts(action, plan([])).consequences.join(" ");

  it("of a load balancer marks it, and of a route replaces or removes it", () => {
    expect(consequencesOf({ kind: "adopt", balancer: "lb-1" })).toContain("becomes the owner");
    const ofRoute = consequencesOf({ kind: "adopt", route: "r-9" });
    expect(ofRoute).toMatch(/^The route is removed; if the node needs one/);
    expect(ofRoute).not.toContain("Service");
  });
});

describe("a retry", () => {
  const RETRY: Action = { kind: "retry" };
  const LOST: Reason = {
    code: "ProviderUnavailable",
    provider: "sandbox",
    operation: "create",
    message: "no answer",
  };

  it("promises nothing that depends on a write", () => {
    expect(facts(RETRY, plan([{ kind: "node.initialise" }])).consequences).toEqual([
      "If every write succeeds: It is in sync with the cloud.",
    ]);
  });

  it("says why something has just failed", () => {
    const [first] = facts(
      RETRY,
      plan([{ kind: "route.create" }], { lastFailure: LOST }),
    ).consequences;
    expect(first).toMatch(/^The last attempt failed: /);
  });

  it("of several loops words each skipped step, and names each cause once", () => {
    const grace = { code: "NewNodeGrace", untilMs: UNTIL } as const;
    const noAddress = { code: "NodeAddressesMissing" } as const;
    const shown = plan([], {
      notTaken: [
        { step: "initialise", reason: grace },
        { step: "route.delete", reason: grace },
        { step: "route.create", reason: noAddress },
      ],
      loops: [
        {
          controller: "cloud-node-controller",
          plan: { changes: [], notTaken: [], next: { kind: "failed", reason: MISSING } },
        },
        {
          controller: "node-route-controller",
          plan: { changes: [], notTaken: [], next: { kind: "failed", reason: noAddress } },
        },
      ],
    });
    const { undone, consequences } = facts(RETRY, shown);
    expect(undone).toEqual([
      expect.stringMatching(/^Not done: initialise, delete the route\. The cloud does not list/),
    ]);
    expect(consequences[1]).toBe("Routes: The node has no address yet that a route could lead to.");
  });

  it("of several loops says how each ends", () => {
    const shown = plan([{ kind: "route.create" }], {
      loops: [
        {
          controller: "cloud-node-controller",
          plan: { changes: [], notTaken: [], next: { kind: "failed", reason: MISSING } },
        },
        { controller: "node-route-controller", plan: { ...plan([{ kind: "route.create" }]) } },
        { controller: "node-ipam-controller", problem: "It is paused." },
      ],
    });
    expect(facts(RETRY, shown).consequences).toEqual([
      expect.stringMatching(/^Node initialisation: No instance/),
      "Routes: If every write succeeds: It is in sync with the cloud.",
      "Node IPAM: It is paused.",
    ]);
  });
});
