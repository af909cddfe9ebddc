// @vitest-environment happy-dom
import type { ApprovalPolicyView } from "@cloudwright/store/views/approvals";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { cluster } from "../../../testing/cluster-view.ts";
import { ANA, type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { ApprovalSection } from "./approval-section.tsx";

function show(
  policy: ApprovalPolicyView,
  answers: Answers = {},
  role: "admin" | "operator" = "admin",
) {
  return renderPage(<ApprovalSection cluster="c-1" />, {
    viewer: { ...ANA, role },
    answers: {
      "clusters.list": () => [
        { ...cluster({ id: "c-1", name: "prod-eu" }), serverNow: Date.now() },
      ],
      "approvals.policy": () => policy,
      "approvals.setPolicy": () => ({
        ...policy,
        required: !policy.required,
        changed: { by: "Ana", at: Date.now() },
      }),
      ...answers,
    },
  });
}

const panel = async () => within(await screen.findByRole("region", { name: "prod-eu" }));

describe("approval by another user", () => {
  it("is turned on with a reason, for this cluster", async () => {
    const page = show({ required: false, admins: 2 });
    const button = await (await panel()).findByRole("button", {
      name: "Require approval on prod-eu",
    });
    expect((await panel()).getByText("Approval is not required.")).toBeDefined();
    await page.user.click(button);
    const dialog = within(
      await screen.findByRole("dialog", { name: "Require approval on prod-eu" }),
    );
    await page.user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "After INC-13");
    await page.user.click(dialog.getByRole("button", { name: "Require approval" }));
    await expect
      .poll(() => page.sent("approvals.setPolicy"))
      .toEqual([{ cluster: "c-1", required: true, why: "After INC-13" }]);
    expect(await (await panel()).findByText("Approval is required.")).toBeDefined();
    expect((await panel()).getByText(/^Ana turned it on/)).toBeDefined();
  });

  it("is turned off by a single admin", async () => {
    const page = show({ required: true, admins: 2, changed: { by: "Bo", at: Date.now() } });
    await page.user.click(
      await screen.findByRole("button", { name: "Turn off approval on prod-eu" }),
    );
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/Actions that are already waiting keep waiting/)).toBeDefined();
    await page.user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "Everybody is away");
    await page.user.click(dialog.getByRole("button", { name: "Turn off" }));
    await expect.poll(() => page.sent("approvals.setPolicy")).toMatchObject([{ required: false }]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("says in the dialog why it was not turned on", async () => {
    const why = "Only one admin has access to this cluster.";
    const page = show(
      { required: false, admins: 1 },
      { "approvals.setPolicy": refusal("PRECONDITION_FAILED", why) },
    );
    expect(await screen.findByText(/so it cannot be turned on/)).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: /^Require approval/ }));
    const dialog = within(await screen.findByRole("dialog"));
    await page.user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "x");
    await page.user.click(dialog.getByRole("button", { name: "Require approval" }));
    expect((await dialog.findByRole("alert")).textContent).toContain(why);
  });

  it("warns if too few admins are left, and can only be changed by admins", async () => {
    show({ required: true, admins: 1, changed: { by: "Bo", at: 1 } }, {}, "operator");
    expect(await screen.findByText(/nobody can approve that admin's requests/)).toBeDefined();
    const button = screen.getByRole("button", { name: /^Turn off/ });
    expect(button.getAttribute("aria-disabled")).toBe("true");
  });

  it("lists what needs approval and which role may request it", async () => {
    show({ required: false, admins: 2 });
    const list = await screen.findByRole("region", { name: "What another user has to approve" });
    expect(list.textContent).toContain("Release deletions that the guard holds (admin)");
    expect(list.textContent).not.toContain("Pause a controller");
  });
});
