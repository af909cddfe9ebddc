// @vitest-environment happy-dom
import type { Intent, IntentState } from "@cloudwright/core/model/actions/intent";
import type { Change } from "@cloudwright/core/model/plan";
import type { AuditRow } from "@cloudwright/store/views/views";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { intent, shownPlan } from "../../platform/actions/testing/intents.ts";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { ActionPage } from "./action-page.tsx";

function entry(action: string, over: Partial<AuditRow> = {}): AuditRow {
  return {
    ...{ seq: 1, id: action, at: Date.now(), action, object: undefined },
    actor: { kind: "person", id: "u-1", name: "Ana" },
    ...{ why: "disk check", result: "applied", before: null, after: null },
    ...{ runId: undefined, intentId: "i-1", intent: undefined, client: undefined },
    ...{ evidence: undefined, hash: "0" },
    ...over,
  };
}

function show(of: Partial<Intent>, answers: Answers = {}, viewer = ANA) {
  return renderPage(<ActionPage id="i-1" />, {
    viewer,
    answers: {
      "intents.byId": () => intent(of),
      "audit.list": () => ({ rows: [], nextCursor: undefined, total: { kind: "exact", count: 0 } }),
      ...answers,
    },
  });
}

/** Returns the page's fact with this term. */
async function fact(term: string): Promise<string | undefined> {
  const found = await screen.findByText(term, { selector: "dt" });
  return found.nextElementSibling?.textContent;
}

const steps = async () => {
  const [current] = await screen.findAllByText(/\((done|now|ended here)\)$/);
  const line = current?.closest("ol");
  return within(line ?? document.body)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
};

describe("the page of an action", () => {
  it("lets another user decide on one that waits for approval", async () => {
    const waiting = intent({ state: "awaiting-approval", actor: "bo" });
    show(waiting, { "approvals.waiting": () => [{ intent: waiting, isOwn: false }] });
    expect(await screen.findByRole("button", { name: "Review: Hold node w-9" })).toBeDefined();
    expect(await steps()).toEqual(expect.arrayContaining(["Awaiting approval (now)"]));
  });

  it.each([
    ["Approved by", { state: "verified", claimedBy: "ctl-1" }],
    ["Approved by", { state: "rejected", claimedBy: "ctl-1" }],
    ["Declined by", { state: "rejected" }],
  ] as const)("says %s whom, and why: %j", async (term, over) => {
    const decision = { by: "bo", why: "agreed", at: Date.now() - 14 * 60_000 };
    show({ ...over, decision });
    expect(await fact(term)).toBe("bo, 14 min ago: agreed");
  });

  it("says who requested what on which object, why and until when", async () => {
    show({
      action: { kind: "hold", until: Date.now() + 3_600_000 },
      requestedAt: Date.now() - 14 * 60_000,
    });
    expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("Hold node w-9");
    expect(await fact("Reason")).toBe("disk check");
    expect(await fact("Requested by")).toBe("ana, 14 min ago");
    expect(await fact("Until")).toMatch(/^in (60 min|59 min|1 h)/);
    expect(await fact("Claimed by")).toBe("no controller yet");
    expect(screen.getByRole("link", { name: /w-9/ }).getAttribute("href")).toBe("/c/c-1/nodes/w-9");
  });

  it("names who claimed it and in which term of the Lease", async () => {
    show({ state: "running", claimedBy: "ctl-1_aa", claimedTransition: 7 });
    expect(await fact("Claimed by")).toMatch(/ctl-1.*, term 7$/);
  });

  it.each<[IntentState, Partial<Intent>, readonly string[]]>([
    [
      "requested",
      {},
      ["Requested (now)", "Claimed (to come)", "Running (to come)", "Verified (to come)"],
    ],
    ["running", {}, ["Requested (done)", "Claimed (done)", "Running (now)", "Verified (to come)"]],
    ["verified", {}, ["Requested (done)", "Claimed (done)", "Running (done)", "Verified (done)"]],
    ["expired", {}, ["Requested (done)", "Expired (ended here)"]],
    [
      "rejected",
      { claimedBy: "ctl-1" },
      ["Requested (done)", "Claimed (done)", "Rejected (ended here)"],
    ],
    [
      "failed",
      { claimedBy: "ctl-1", runIds: ["r-1"] },
      ["Requested (done)", "Claimed (done)", "Running (done)", "Failed (ended here)"],
    ],
  ])("shows the progress of one that is %s, and where it ended", async (state, over, expected) => {
    show({ state, ...over });
    expect(await steps()).toEqual(expected);
  });

  it("says when it expires only while it is open", async () => {
    show({ state: "verified" });
    await screen.findByText("Runs");
    expect(screen.queryByText("Expires", { selector: "dt" })).toBeNull();
  });

  it("expects neither a controller nor a run if it ended without them", async () => {
    show({ state: "cancelled" });
    expect(await fact("Claimed by")).toBe("no controller");
    expect(await fact("Runs")).toBe("none");
  });

  it("links each run that it caused, once", async () => {
    const [first, second] = ["0190-aaaaaaaa", "0190-bbbbbbbb"];
    const controllers = ["cloud-node-controller", "node-route-controller"] as const;
    show({
      ...{
        kind: "retry",
        action: { kind: "retry", controllers: [...controllers] },
        state: "running",
      },
      runIds: [first],
      loops: [
        { controller: controllers[0], state: "verified", runId: first },
        { controller: controllers[1], state: "running", runId: second },
      ],
    });
    await screen.findByText("Runs");
    const links = ["aaaaaaaa", "bbbbbbbb"].map((name) => screen.getByRole("link", { name }));
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      `/c/c-1/runs/${first}`,
      `/c/c-1/runs/${second}`,
    ]);
    const loops = within(screen.getByRole("list", { name: "Each controller" }));
    expect(loops.getAllByRole("listitem")).toHaveLength(2);
  });

  it("lists exactly the nodes that a release of the guard named", async () => {
    show({
      ...{ kind: "release-guard", controller: "cloud-node-lifecycle-controller" },
      object: { kind: "Controller", name: "cloud-node-lifecycle-controller" },
      action: {
        kind: "release-guard",
        nodes: [
          { name: "w-1", uid: "1" },
          { name: "w-2", uid: "2" },
        ],
      },
    });
    expect(await fact("Nodes")).toBe("w-1, w-2");
    expect(screen.queryByText("Runs", { selector: "dt" })).toBeNull();
  });
});

describe("the plan of an action", () => {
  it("is absent if none was made", async () => {
    show({});
    await screen.findByText("Record");
    expect(screen.queryByRole("heading", { name: "Plan" })).toBeNull();
  });

  it("of a preview is the previewed plan", async () => {
    show({ kind: "preview", state: "verified", preview: shownPlan() });
    expect(await screen.findByRole("heading", { name: "Plan" })).toBeDefined();
    expect(screen.queryByText(/so nothing was done/)).toBeNull();
  });

  it("that had changed is compared with the confirmed one, not with a newer one", async () => {
    const hold = (name: string): Change => ({
      ...{ kind: "node.hold", system: "cluster", before: { hold: null }, after: { hold: {} } },
      target: { kind: "Node", name, uid: `u-${name}` },
      reason: { code: "PersonAsked", by: "ana", why: "disk check", intentId: "i-1" },
    });
    const plan = (planHash: string, ...names: readonly string[]) =>
      shownPlan({ planHash, changes: names.map(hold) });
    const rejected = { state: "rejected", planHash: "h-1", kind: "hold" } as const;
    const page = show(
      { ...rejected, preview: plan("h-3", "w-1", "w-3") },
      {
        "intents.list": () => ({
          rows: [
            intent({ id: "p-2", kind: "preview", preview: plan("h-2", "w-1", "w-3") }),
            intent({
              id: "p-1",
              kind: "preview",
              preview: plan("h-1", "w-1"),
            }),
          ],
          nextCursor: undefined,
          total: { kind: "exact", count: 2 },
        }),
      },
    );
    expect(await screen.findByRole("heading", { name: "The plan had changed" })).toBeDefined();
    const alert = within(await screen.findByRole("alert"));
    expect((await alert.findByRole("listitem")).textContent).toBe("New: Hold node w-3");
    await expect
      .poll(() => page.sent("intents.list"))
      .toMatchObject([{ filter: { object: { kind: "Node", name: "w-9" } } }]);
  });
});

describe("the record of an action", () => {
  it("lists its audit entries in chronological order, in words", async () => {
    const rows = [
      entry("intent.request"),
      entry("intent.claim", { actor: { kind: "controller", id: "x", name: "ctl-1" } }),
      entry("node.hold"),
      entry("something.new"),
    ];
    const page = show(
      {},
      { "audit.list": () => ({ rows, nextCursor: undefined, total: rows.length }) },
    );
    expect(await screen.findByText(/requested it/)).toBeDefined();
    const texts = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
    const order = ["requested it", "claimed it", "held the node", "something.new"].map((words) =>
      texts.findIndex((text) => text.includes(words)),
    );
    expect(order).toEqual(order.toSorted((left, right) => left - right));
    expect(order).not.toContain(-1);
    expect(page.sent("audit.list")).toMatchObject([
      { filter: { intentId: "i-1" }, sort: { by: "inserted", descending: false } },
    ]);
  });

  it("says that none has arrived, or why it could not be read, without losing the rest", async () => {
    show({}, { "audit.list": refusal("INTERNAL_SERVER_ERROR", "The record cannot be read.") });
    expect((await screen.findByRole("alert")).textContent).toContain("The record cannot be read.");
    expect(screen.queryByText("No audit entry has arrived yet.")).toBeNull();
    expect(await fact("Reason")).toBe("disk check");
  });
});

describe("cancelling an action", () => {
  const BEN = { ...ANA, name: "Ben", role: "operator" } as const;

  it("is offered while no leader has claimed it, and shows the result", async () => {
    const page = show(
      {},
      { "intents.cancel": () => intent({ state: "cancelled", result: "Withdrawn." }) },
    );
    await page.user.click(await screen.findByRole("button", { name: "Cancel action" }));
    expect(await screen.findByText("Withdrawn.")).toBeDefined();
    expect(screen.queryByRole("button", { name: "Cancel action" })).toBeNull();
    expect(page.sent("intents.cancel")).toEqual([{ cluster: "c-1", id: "i-1" }]);
  });

  it("is requested once, however often it is pressed", async () => {
    const page = show({}, { "intents.cancel": () => new Promise(() => undefined) });
    const button = await screen.findByRole("button", { name: "Cancel action" });
    await page.user.dblClick(button);
    expect(page.sent("intents.cancel")).toHaveLength(1);
  });

  it.each<IntentState>(["claimed", "running", "verified", "failed", "rejected", "expired"])(
    "is not offered once it is %s",
    async (state) => {
      show({ state });
      await screen.findByText("Record");
      expect(screen.queryByRole("button", { name: "Cancel action" })).toBeNull();
    },
  );

  it("is not open to an operator who did not request it, and says who may", async () => {
    const page = show({}, {}, BEN);
    const button = await screen.findByRole("button", { name: "Cancel action" });
    expect(button.getAttribute("aria-description")).toBe(
      "Only ana, who requested it, or an admin can cancel it.",
    );
    await page.user.click(button);
    expect(page.sent("intents.cancel")).toEqual([]);
  });

  it("is open to its requester, whatever their role", async () => {
    show({ actor: "Ben" }, {}, BEN);
    const button = await screen.findByRole("button", { name: "Cancel action" });
    expect(button.getAttribute("aria-disabled")).toBeNull();
  });

  it("says why it came too late", async () => {
    const page = show(
      {},
      {
        "intents.cancel": refusal(
          "PRECONDITION_FAILED",
          "This action is running and cannot be cancelled.",
        ),
      },
    );
    await page.user.click(await screen.findByRole("button", { name: "Cancel action" }));
    expect((await screen.findByRole("alert")).textContent).toBe(
      "This action is running and cannot be cancelled.",
    );
  });
});

describe("an action that cannot be shown", () => {
  it("links to all actions if it does not exist", async () => {
    show({}, { "intents.byId": refusal("NOT_FOUND", "No such action in this cluster.") });
    const name = "No such action is known in this cluster";
    expect(await screen.findByRole("heading", { level: 1, name })).toBeDefined();
    const link = screen.getByRole("link", { name: "Show all actions" });
    expect(link.getAttribute("href")).toMatch(/^\/c\/[^/]+\/actions$/);
  });

  it("says why it could not be read, and is refetched on demand", async () => {
    const page = show({}, { "intents.byId": refusal("INTERNAL_SERVER_ERROR", "It failed.") });
    expect((await screen.findByRole("alert")).textContent).toContain("It failed.");
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("intents.byId")).toHaveLength(2);
  });
});
