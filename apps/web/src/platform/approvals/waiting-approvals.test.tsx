// @vitest-environment happy-dom
import type { WaitingApproval } from "@cloudwright/store/views/approvals";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { intent, shownPlan } from "../actions/testing/intents.ts";
import { WaitingApprovals } from "./waiting-approvals.tsx";

function waiting(over: Partial<WaitingApproval> = {}, name = "w-9"): WaitingApproval {
  return {
    isOwn: false,
    intent: intent({
      ...{ id: `i-${name}`, kind: "release", action: { kind: "release" }, why: "INC-13" },
      object: { kind: "Node", name, uid: `u-${name}` },
      ...{ state: "awaiting-approval", planHash: "h-1", actor: "bo" },
      ...{ requestedAt: Date.now() - 300_000, expiresAt: Date.now() + 3_300_000 },
    }),
    ...over,
  };
}

/** The leader answers previews with this plan. */
const planning = (planHash = "h-1"): Answers => ({
  "intents.request": () =>
    intent({ id: "p-1", kind: "preview", state: "verified", preview: shownPlan({ planHash }) }),
  "intents.byId": () =>
    intent({ id: "p-1", kind: "preview", state: "verified", preview: shownPlan({ planHash }) }),
});

function show(list: readonly WaitingApproval[], answers: Answers = {}, most?: number) {
  return renderPage(<WaitingApprovals {...(most === undefined ? {} : { most })} />, {
    address: "/c/c-1",
    answers: {
      "approvals.waiting": () => list,
      "approvals.decide": () => intent({ state: "requested" }),
      ...planning(),
      ...answers,
    },
  });
}

const section = async () =>
  within(await screen.findByRole("region", { name: "Waiting for approval" }));

async function review(list: readonly WaitingApproval[], answers: Answers = {}) {
  const page = show(list, answers);
  await page.user.click(await screen.findByRole("button", { name: /^Review: Release node w-9/ }));
  const dialog = within(await screen.findByRole("dialog", { name: /Release node w-9/ }));
  const approve = () => dialog.findByRole("button", { name: "Approve this plan" });
  await waitFor(async () => expect((await approve()).getAttribute("aria-disabled")).toBeNull());
  return { page, dialog, approve };
}

describe("waiting approvals", () => {
  it("are absent if nothing waits", async () => {
    const page = show([]);
    await expect.poll(() => page.sent("approvals.waiting")).toEqual([{ cluster: "c-1" }]);
    expect(screen.queryByRole("region")).toBeNull();
  });

  it("say in one sentence who requests what, why, and until when", async () => {
    show([waiting()]);
    const line = (await section()).getByRole("listitem");
    expect(line.textContent).toMatch(
      /^bo wants to release node w-9: INC-13Requested 5 min ago, expires in 5\d min\./,
    );
    const link = within(line).getByRole("link", { name: "release node w-9" });
    expect(link.getAttribute("href")).toBe("/c/c-1/actions/i-w-9");
  });

  it("say that the requester's own action waits for another user, and let them withdraw it", async () => {
    const own = waiting({ isOwn: true, whyNot: "You requested this." });
    const page = show([{ ...own, intent: { ...own.intent, actor: "Ana" } }], {
      "intents.cancel": () => intent({ state: "cancelled" }),
    });
    const line = within((await section()).getByRole("listitem"));
    expect(line.getByText(/is waiting for another user's approval/)).toBeDefined();
    expect(line.queryByRole("button", { name: /Review/ })).toBeNull();
    await page.user.click(line.getByRole("button", { name: "Cancel action" }));
    await expect.poll(() => page.sent("intents.cancel")).toEqual([{ cluster: "c-1", id: "i-w-9" }]);
  });

  it("say why a user cannot decide", async () => {
    show([waiting({ whyNot: "Needs role operator, as requesting it does; Ana is viewer." })]);
    const button = (await section()).getByRole("button", { name: /^Review/ });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(button.getAttribute("aria-description")).toMatch(/Needs role operator/);
  });

  it("show the first of many, with a link to the others", async () => {
    show([waiting(), waiting({}, "w-8"), waiting({}, "w-7")], {}, 2);
    expect((await section()).getAllByRole("listitem")).toHaveLength(2);
    const link = (await section()).getByRole("link", { name: /^One more/ });
    expect(link.getAttribute("href")).toBe("/c/c-1/actions");
  });
});

describe("deciding", () => {
  it("returns the focus to the button that opened the dialog on Escape", async () => {
    const { page } = await review([waiting()]);
    await page.user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const button = screen.getByRole("button", { name: /^Review: Release node w-9/ });
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it("approves the plan that was shown with a reason, and closes", async () => {
    const { page, dialog, approve } = await review([waiting()]);
    expect(page.sent("intents.request")).toMatchObject([
      { kind: "preview", action: { kind: "release" }, object: { name: "w-9" } },
    ]);
    await page.user.click(await approve());
    expect(dialog.getByText(/Enter a reason/)).toBeDefined();
    await page.user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "Agreed");
    await page.user.click(await approve());
    await expect
      .poll(() => page.sent("approvals.decide"))
      .toEqual([
        { cluster: "c-1", id: "i-w-9", decision: "approve", planHash: "h-1", why: "Agreed" },
      ]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await expect.poll(() => page.sent("approvals.waiting").length).toBeGreaterThan(1);
  });

  it("says that the plan differs from the requested one, and is bound to the plan shown now", async () => {
    const { page, dialog, approve } = await review([waiting()], planning("h-2"));
    expect(dialog.getByText(/plan has changed since bo asked/)).toBeDefined();
    await page.user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "Still right");
    await page.user.click(await approve());
    await expect.poll(() => page.sent("approvals.decide")).toMatchObject([{ planHash: "h-2" }]);
  });

  it("declines with a reason, even if the leader has no plan", async () => {
    const none = () => intent({ id: "p-1", kind: "preview", state: "rejected", result: "Gone." });
    const page = show([waiting()], { "intents.request": none, "intents.byId": none });
    await page.user.click(await screen.findByRole("button", { name: /^Review/ }));
    const dialog = within(await screen.findByRole("dialog"));
    await dialog.findByText(/would be refused now: Gone/);
    const approve = dialog.getByRole("button", { name: "Approve this plan" });
    expect(approve.getAttribute("aria-disabled")).toBe("true");
    // Enter in the field decides nothing.
    await page.user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "Too late{Enter}");
    expect(page.sent("approvals.decide")).toEqual([]);
    await page.user.click(dialog.getByRole("button", { name: "Decline" }));
    await expect
      .poll(() => page.sent("approvals.decide"))
      .toEqual([{ cluster: "c-1", id: "i-w-9", decision: "decline", why: "Too late" }]);
  });

  it("stays open and says so when another user was faster", async () => {
    const { page, dialog, approve } = await review([waiting()], {
      "approvals.decide": refusal(
        "PRECONDITION_FAILED",
        "It no longer waits for approval: cleo has approved it.",
      ),
    });
    await page.user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "Agreed");
    await page.user.click(await approve());
    expect((await dialog.findByRole("alert")).textContent).toContain("cleo has approved it");
  });
});
