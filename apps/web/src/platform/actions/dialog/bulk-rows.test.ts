import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { Change, Next } from "@cloudwright/core/model/plan";
import { describe, expect, it } from "vitest";
import {
  nodeAction,
  routeAdoption,
  routeRetry,
  serviceAction,
  staleRouteRetry,
  volumeRetry,
} from "../action-choice.ts";
import { bulkOf, bulkTitle, targetKey } from "../bulk-choice.ts";
import { intent, shownPlan } from "../testing/intents.ts";
import { traySummary } from "../tray/tray-summary.ts";
import { type BulkRow, bulkSentence, isConfirmable, standingOf } from "./bulk-rows.ts";

const CHANGE: Change = {
  kind: "node.labels.write",
  system: "cluster",
  target: { kind: "Node", name: "w-9" },
  before: {},
  after: {},
  reason: { code: "FactsChanged", fields: ["zone"] },
};

function row(part: Partial<BulkRow> = {}): BulkRow {
  return {
    target: nodeAction(
      { cluster: "c-1", controller: "cloud-node-controller", name: "w-9", uid: "u-9" },
      "retry",
    ),
    preview: { kind: "answered", plan: shownPlan({ changes: [CHANGE] }) },
    requested: undefined,
    problem: undefined,
    ...part,
  };
}

describe("a node of a bulk retry", () => {
  it("is ready with the plan that it will be bound to", () => {
    expect(standingOf(row())).toEqual({
      kind: "ready",
      text: "Write the labels of node w-9.",
      plan: shownPlan({ changes: [CHANGE] }),
    });
  });

  it("that waits for another user's approval is finished here, and said to wait", () => {
    const requested = intent({ state: "awaiting-approval" });
    expect(standingOf(row({ requested }))).toEqual({
      kind: "done",
      text: "Waits for another user's approval.",
    });
  });

  it("that needs nothing may still be retried", () => {
    const standing = standingOf(row({ preview: { kind: "answered", plan: shownPlan() } }));
    expect(standing.text).toBe("Nothing would change: it is in sync with the cloud.");
    expect(isConfirmable(standing)).toBe(true);
  });

  it("is not promised what one of its loops cannot do", () => {
    const next: Next = {
      kind: "failed",
      reason: { code: "InstanceNotFound", provider: "sandbox", by: "name", value: "w-9" },
    };
    const plan = shownPlan({ changes: [CHANGE], next });
    const { text } = standingOf(row({ preview: { kind: "answered", plan } }));
    expect(text).toMatch(/^Write the labels of node w-9\. It would not be finished: no instance/);
  });

  it.each<[string, Next["reason"]]>([
    ["a release", { code: "PersonAsked", by: "Ana", why: "preview", intentId: "i-1" }],
    ["a hold", { code: "HeldByAnnotation", by: "Ana", why: "preview" }],
  ])("does not give %s that is previewed as what it would wait for", (_name, reason) => {
    const next: Next = { kind: "waiting", reason, forMs: 0 };
    const plan = shownPlan({ changes: [CHANGE], next });
    const { text } = standingOf(row({ preview: { kind: "answered", plan } }));
    expect(text).toBe("Write the labels of node w-9.");
  });

  it("that is held is left out", () => {
    const next = { kind: "settled", reason: { code: "HeldByAnnotation", by: "bo" } } as const;
    const preview = { kind: "answered", plan: shownPlan({ next }) } as const;
    expect(standingOf(row({ preview }))).toMatchObject({ kind: "leftOut" });
  });

  it.each([
    [{ state: "requested" }, "waiting"],
    [{ state: "verified" }, "done"],
    [{ state: "rejected", planHash: "h-0", preview: shownPlan() }, "moved"],
    [{ state: "failed", result: "The cloud refused it." }, "ended"],
  ] as const)("that was asked for and is %j is %s", (requested, kind) => {
    expect(standingOf(row({ requested: intent(requested) })).kind).toBe(kind);
  });

  it("is done when its retry ran and failed, because the tray shows that", () => {
    const requested = intent({ state: "failed", result: "The cloud refused it.", runIds: ["r-1"] });
    expect(standingOf(row({ requested }))).toMatchObject({
      kind: "done",
      text: expect.stringContaining("refused it"),
    });
  });

  it("is not done when its run was rejected, as nothing was accepted then", () => {
    const requested = intent({ state: "rejected", result: "It is held.", runIds: ["r-1"] });
    const standing = standingOf(row({ requested }));
    expect(standing).toEqual({ kind: "ended", text: "Rejected. It is held." });
    expect(bulkSentence([standing], "services")).toBe("0 of 1 Service would change, 1 not done.");
  });

  it("whose plan has changed can be confirmed again, bound to the current plan", () => {
    const now = shownPlan({ planHash: "h-2", changes: [CHANGE] });
    const requested = intent({ state: "rejected", planHash: "h-1", preview: now });
    const standing = standingOf(row({ requested }));
    expect(isConfirmable(standing)).toBe(true);
    expect(standing.plan).toEqual(now);
  });
});

it("the summary counts what would change and what was left out", () => {
  const empty = { kind: "answered", plan: shownPlan() } as const;
  const refused = { kind: "refused", sentence: "It is gone.", plan: undefined } as const;
  const rows = [row(), row({ preview: empty }), row({ preview: refused })];
  const standings = rows.map(standingOf);
  expect(bulkSentence(standings, "nodes")).toBe("1 of 3 nodes would change, 1 left out.");
  expect(bulkSentence(standings.slice(0, 1), "services")).toBe("1 of 1 Service would change.");
  const asking = standingOf(row({ preview: { kind: "asking" } }));
  expect(bulkSentence([...standings, asking], "nodes")).toBe("Asking the leader for 1 plan…");
});

describe("the targets of a bulk action", () => {
  it.each([
    ["retry", "nodes", 3, "Retry 3 nodes"],
    ["retry", "routes", 1, "Repair the routes of 1 node"],
    ["retry", "services", 2, "Retry 2 Services"],
    ["retry", "volumes", 1, "Retry 1 volume"],
    ["retry", "staleRoutes", 2, "Retry 2 routes"],
    ["adopt", "adoptions", 2, "Adopt 2 cloud resources"],
    ["retry", "objects", 2, "Retry 2 objects"],
    ["hold", "nodes", 41, "Hold 41 nodes"],
    ["release", "volumes", 1, "Release 1 volume"],
    ["reensure", "services", 2, "Write all of 2 Services again"],
  ] as const)("is named by what is done to it: %s of %s", (...[kind, of, count, text]) => {
    expect(bulkTitle({ kind, of }, count)).toBe(text);
  });

  const node = { cluster: "c-1", name: "w-9", uid: "u-9" };
  it.each([
    [nodeAction({ ...node, controller: "cloud-node-controller" }, "retry"), "nodes"],
    [routeRetry(node), "routes"],
    [serviceAction({ cluster: "c-1", service: "shop/web", uid: "u-1" }, "retry"), "services"],
    [volumeRetry(node), "volumes"],
    [staleRouteRetry("c-1", "r-9"), "staleRoutes"],
    [
      {
        controller: "namespace-label-controller",
        object: { kind: "Namespace", name: "shop" },
        kind: "retry",
      },
      "objects",
    ],
    [routeAdoption(node, "r-9"), "adoptions"],
    [
      serviceAction({ cluster: "c-1", service: "shop/web", uid: "u-1" }, "adopt", "lb-1"),
      "adoptions",
    ],
  ] as const)("is named by what is done to its objects: %j", (target, of) => {
    expect(bulkOf(target)).toBe(of);
  });

  it("are distinguished by UID, or by name if there is none", () => {
    const retry = serviceAction({ cluster: "c-1", service: "shop/web", uid: "u-1" }, "retry");
    expect(targetKey(retry)).toBe("u-1");
    const { uid: _, ...object } = retry.object;
    expect(targetKey({ object })).toBe("shop/web");
  });
});

it("an adoption whose plan is refused is left out, with the reason", () => {
  const target = routeAdoption({ cluster: "c-1", name: "w-9", uid: "u-9" }, "r-9");
  const preview = { kind: "refused", sentence: "r-9 is no route.", plan: undefined } as const;
  expect(standingOf(row({ target, preview }))).toEqual({
    kind: "leftOut",
    text: "Left out: r-9 is no route.",
  });
});

describe("the tray's summary", () => {
  it("of one action is its own result", () => {
    const one = intent({ state: "verified", result: "Done." });
    expect(traySummary([one], 1)).toEqual({ state: "verified", text: "Done.", isSettled: true });
  });

  it("of a retry of several loops says how each ended", () => {
    const loops: Intent["loops"] = [
      { controller: "cloud-node-controller", state: "failed", result: "No instance." },
      { controller: "node-route-controller", state: "verified" },
    ];
    const one = intent({ state: "failed", result: "Node initialisation failed: No.", loops });
    expect(traySummary([one], 1)).toEqual({
      state: "failed",
      text: "Node initialisation: failed, Routes: verified",
      isSettled: false,
    });
  });

  it("of many actions shows one that is not over first, then the worst end", () => {
    const states = ["verified", "rejected", "running"] as const;
    const intents = states.map((state) => intent({ state }));
    expect(traySummary(intents, 3)).toEqual({
      state: "running",
      text: "1 verified, 1 rejected, 1 running",
      isSettled: false,
    });
    expect(traySummary(intents.slice(0, 2), 2)?.state).toBe("rejected");
  });

  it("of many actions does not say that they are over while one is unknown", () => {
    expect(traySummary([intent({ state: "verified" })], 3)).toEqual({
      state: "requested",
      text: "1 verified, 2 not known",
      isSettled: false,
    });
  });

  it("is undefined before the first is known", () => {
    expect(traySummary([], 1)).toBeUndefined();
  });
});
