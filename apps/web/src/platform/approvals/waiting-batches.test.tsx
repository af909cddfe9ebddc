// @vitest-environment happy-dom
import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { WaitingApproval } from "@cloudwright/store/views/approvals";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { holdChange } from "../../testing/run-detail.ts";
import { intent, shownPlan } from "../actions/testing/intents.ts";
import { WaitingApprovals } from "./waiting-approvals.tsx";

const BATCH = "0b000000-0000-4000-8000-00000000000b";

function waiting(
  name: string,
  { over = {}, batch = BATCH }: { over?: Partial<WaitingApproval>; batch?: string } = {},
): WaitingApproval {
  return {
    isOwn: false,
    intent: intent({
      ...{ id: `i-${name}`, kind: "release", action: { kind: "release" }, why: "INC-13", batch },
      object: { kind: "Node", name, uid: `u-${name}` },
      ...{ state: "awaiting-approval", planHash: `h-${name}`, actor: "bo" },
      ...{ requestedAt: Date.now() - 300_000, expiresAt: Date.now() + 3_300_000 },
    }),
    ...over,
  };
}

const THREE = ["w-1", "w-2", "w-3"].map((name) => waiting(name));

interface Request {
  readonly id: string;
  readonly kind: string;
  readonly action: unknown;
  readonly object: { readonly name: string };
}

/** The leader plans each action with the plan that its requester saw, except that `moved` gets another hash; `refused` is refused. */
function planning({ moved = "", refused = "" } = {}): Answers {
  return {
    "intents.requestBatch": (input) =>
      (input as { readonly requests: readonly Request[] }).requests.map(({ id, object }) => ({
        kind: "requested",
        intent: intent({
          ...{ id, kind: "preview", action: { kind: "release" } },
          ...(object.name === refused
            ? { state: "rejected", result: "It is not held." }
            : { state: "verified", preview: planOf(object.name, moved) }),
        }),
      })),
  };
}

function planOf(name: string, moved: string) {
  const changes = [holdChange(name)];
  return shownPlan({ changes, planHash: name === moved ? "another" : `h-${name}` });
}

interface Decided {
  readonly actions: readonly { readonly id: string }[];
}

const decided = (input: unknown) =>
  (input as Decided).actions.map(({ id }) => ({
    kind: "decided",
    intent: intent({ id, state: "requested" }),
  }));

function show(list: readonly WaitingApproval[], answers: Answers = {}, batch?: string) {
  return renderPage(<WaitingApprovals {...(batch === undefined ? {} : { batch })} />, {
    address: "/c/c-1",
    answers: {
      "approvals.waiting": () => list,
      "approvals.decideBatch": decided,
      ...planning(),
      ...answers,
    },
  });
}

async function review(list: readonly WaitingApproval[] = THREE, answers: Answers = {}) {
  const page = show(list, answers);
  await page.user.click(await screen.findByRole("button", { name: /^Review: Release 3 nodes/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Approve? Release 3 nodes" }));
  const approve = (name: string) => dialog.findByRole("button", { name });
  const reason = () => dialog.getByRole("textbox", { name: /^Reason/ });
  return { page, dialog, approve, reason };
}

const section = async () =>
  within(await screen.findByRole("region", { name: "Waiting for approval" }));

describe("a batch that waits for approval", () => {
  it("is one line with a link to its page; similar actions outside the batch are not part of it", async () => {
    const single = waiting("w-9", { batch: "" });
    const { batch: _, ...alone } = single.intent;
    show([...THREE, { ...single, intent: alone as Intent }, waiting("w-8", { batch: "another" })]);
    const lines = (await section()).getAllByRole("listitem");
    expect(lines.map((line) => line.textContent)).toEqual([
      expect.stringMatching(/^bo wants to release 3 nodes: INC-13Requested 5 min ago/),
      expect.stringMatching(/^bo wants to release node w-9: INC-13/),
      expect.stringMatching(/^bo wants to release node w-8: INC-13/),
    ]);
    const link = (await section()).getByRole("link", { name: "release 3 nodes" });
    expect(link.getAttribute("href")).toBe(`/c/c-1/actions/batches/${BATCH}`);
  });

  it("is the only one read on its page", async () => {
    const page = show(THREE, {}, BATCH);
    await section();
    expect(page.sent("approvals.waiting")).toEqual([{ cluster: "c-1", batch: BATCH }]);
  });

  it("is not offered to its requester or to a lesser role, who read why", async () => {
    const own = THREE.map((each) => ({ ...each, isOwn: true, whyNot: "You requested this." }));
    const whyNot = "Needs role operator, as requesting it does; Ana is viewer.";
    const others = ["w-4", "w-5"].map((name) => waiting(name, { over: { whyNot } }));
    show([...own, ...others]);
    const [mine, theirs] = (await section()).getAllByRole("listitem");
    expect(mine?.textContent).toMatch(/^You want to release 3 nodes.*another user's approval/);
    expect(within(mine as HTMLElement).queryByRole("button")).toBeNull();
    const button = within(theirs as HTMLElement).getByRole("button", { name: /^Review/ });
    expect(button.getAttribute("aria-description")).toBe(whyNot);
  });
});

describe("deciding on a batch", () => {
  it("plans all actions again and approves each with the plan shown, with one reason", async () => {
    const { page, dialog, approve, reason } = await review();
    const button = await approve("Approve these 3 plans");
    expect(page.sent("intents.requestBatch")).toMatchObject([
      {
        requests: ["w-1", "w-2", "w-3"].map((name) => ({
          ...{ kind: "preview", action: { kind: "release" }, object: { name } },
        })),
      },
    ]);
    expect(dialog.getByText("3 of 3 nodes would change.")).toBeDefined();
    const plans = within(dialog.getByRole("list", { name: "The nodes by their plans" }));
    expect(plans.getByText("3 nodes")).toBeDefined();
    await page.user.click(button);
    expect(dialog.getByText(/Enter a reason/)).toBeDefined();
    // Enter in the field decides nothing.
    await page.user.type(reason(), "Agreed{Enter}");
    expect(page.sent("approvals.decideBatch")).toEqual([]);
    await page.user.click(button);
    await expect
      .poll(() => page.sent("approvals.decideBatch"))
      .toEqual([
        {
          ...{ cluster: "c-1", batch: BATCH, decision: "approve", why: "Agreed" },
          actions: ["w-1", "w-2", "w-3"].map((name) => ({
            ...{ id: `i-${name}`, planHash: `h-${name}` },
          })),
        },
      ]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await expect.poll(() => page.sent("approvals.waiting").length).toBeGreaterThan(1);
  });

  it("says how many plans differ from the requested ones, and is bound to those shown", async () => {
    const { page, dialog, approve, reason } = await review(THREE, planning({ moved: "w-2" }));
    const button = await approve("Approve these 3 plans");
    expect(dialog.getByText(/^One plan has changed since bo asked/)).toBeDefined();
    await page.user.type(reason(), "Still right");
    await page.user.click(button);
    await expect
      .poll(() => page.sent("approvals.decideBatch"))
      .toMatchObject([{ actions: [{}, { planHash: "another" }, {}] }]);
  });

  it("leaves actions waiting that the leader would refuse, and says why", async () => {
    const { page, dialog, approve, reason } = await review(THREE, planning({ refused: "w-2" }));
    const button = await approve("Approve these 2 plans");
    expect(dialog.getByText("Left out: It is not held.")).toBeDefined();
    await page.user.type(reason(), "Agreed");
    await page.user.click(button);
    await expect
      .poll(() => page.sent("approvals.decideBatch"))
      .toMatchObject([{ actions: [{ id: "i-w-1" }, { id: "i-w-3" }] }]);
  });

  it("declines all, even before there are plans", async () => {
    const none = { "intents.requestBatch": () => new Promise<never>(() => undefined) };
    const { page, approve, reason } = await review(THREE, none);
    const blocked = await approve("Approve");
    expect(blocked.getAttribute("aria-description")).toBe("Not all plans are known yet.");
    await page.user.type(reason(), "Not on a Friday");
    await page.user.click(blocked);
    expect(page.sent("approvals.decideBatch")).toEqual([]);
    await page.user.click(await approve("Decline all 3"));
    await expect
      .poll(() => page.sent("approvals.decideBatch"))
      .toEqual([
        {
          ...{ cluster: "c-1", batch: BATCH, decision: "decline", why: "Not on a Friday" },
          actions: [{ id: "i-w-1" }, { id: "i-w-2" }, { id: "i-w-3" }],
        },
      ]);
  });

  it("shows no number to approve if there are no plans", async () => {
    const unplanned = { "intents.requestBatch": refusal("FORBIDDEN", "You may not.") };
    const { approve } = await review(THREE, unplanned);
    const whyNot = async () => (await approve("Approve")).getAttribute("aria-description");
    await expect.poll(whyNot).toBe("Without a plan it cannot be approved.");
  });

  it("says for a partial result how many were decided, and which others were not and why", async () => {
    const why = "It no longer waits for approval: nobody approved it before 2026-11-28T02:00:00Z.";
    const { page, dialog, approve, reason } = await review(THREE, {
      "approvals.decideBatch": (input) =>
        (decided(input) as readonly object[]).map((answer, index) =>
          index === 0
            ? answer
            : { kind: "refused", id: `i-w-${index + 1}`, code: "Precondition", why },
        ),
    });
    await page.user.type(reason(), "Agreed");
    await page.user.click(await approve("Approve these 3 plans"));
    expect(await dialog.findByText("1 approved, 2 not decided.")).toBeDefined();
    const left = within(dialog.getByRole("list", { name: "Not decided" }));
    expect(left.getByRole("listitem").textContent).toBe(`w-2, w-3${why}`);
    expect(dialog.queryByRole("button", { name: /Approve/ })).toBeNull();
    // The dialog's header has a Close button as well.
    const [, close] = dialog.getAllByRole("button", { name: "Close" });
    await page.user.click(close as HTMLElement);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("stays open and says so when it is refused as a whole", async () => {
    const { page, dialog, approve, reason } = await review(THREE, {
      "approvals.decideBatch": refusal("FORBIDDEN", "You requested this."),
    });
    await page.user.type(reason(), "Agreed");
    await page.user.click(await approve("Approve these 3 plans"));
    expect((await dialog.findByRole("alert")).textContent).toBe("You requested this.");
  });
});
