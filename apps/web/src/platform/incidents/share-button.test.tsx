// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { ShareButton } from "./share-button.tsx";

const ABOUT = { kind: "object", of: "Node", name: "w-9" } as const;

function show(answers: Answers = {}) {
  return renderPage(<ShareButton about={ABOUT} name="w-9" />, {
    answers: { "incidents.share": () => ({ id: "i-1" }), ...answers },
  });
}

async function openDialog(page: ReturnType<typeof show>) {
  await page.user.click(screen.getByRole("button", { name: "Share what you see of w-9" }));
  return within(await screen.findByRole("dialog", { name: "Share what you see" }));
}

describe("sharing an incident", () => {
  it("freezes it under a title, and shows the link", async () => {
    const page = show();
    const dialog = await openDialog(page);
    await page.user.type(dialog.getByLabelText(/^Title/), "INC-88");
    await page.user.click(dialog.getByRole("button", { name: "Freeze and get the link" }));
    expect(await dialog.findByLabelText("Link")).toHaveProperty(
      "value",
      `${window.location.origin}/incidents/i-1`,
    );
    expect(page.sent("incidents.share")).toEqual([
      { cluster: "c-1", about: ABOUT, title: "INC-88" },
    ]);
    const open = dialog.getByRole("link", { name: "Open it" });
    expect(open.getAttribute("href")).toBe("/c/c-1/incidents/i-1");
    await page.user.click(dialog.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("needs no title, and starts afresh each time", async () => {
    const page = show();
    const first = await openDialog(page);
    await page.user.click(first.getByRole("button", { name: "Freeze and get the link" }));
    await page.user.click(await first.findByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const second = await openDialog(page);
    expect(second.getByLabelText(/^Title/)).toBeDefined();
    expect(page.sent("incidents.share")).toEqual([
      { cluster: "c-1", about: ABOUT, title: undefined },
    ]);
  });

  it("says in the dialog why it failed", async () => {
    const page = show({ "incidents.share": refusal("NOT_FOUND", "It is gone.") });
    const dialog = await openDialog(page);
    await page.user.click(dialog.getByRole("button", { name: "Freeze and get the link" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("It is gone.");
  });
});
