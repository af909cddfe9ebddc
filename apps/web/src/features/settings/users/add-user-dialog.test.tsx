// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type Answers, refusal } from "../../../testing/render-page.tsx";
import { BEN, LINK, show } from "./testing/users-section.tsx";

describe("adding a user", () => {
  async function openForm(answers: Answers) {
    const page = show(answers);
    await page.user.click(screen.getByRole("button", { name: "Add user…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Add a user" }));
    await page.user.type(dialog.getByLabelText("Name"), "  Cleo ");
    await page.user.type(dialog.getByLabelText("E-mail address"), "cleo@example.org");
    return { page, dialog };
  }

  it("sends what was typed, and shows the returned sign-in link", async () => {
    const created = { person: { ...BEN, id: "u-3", name: "Cleo" }, signInLink: LINK };
    const { page, dialog } = await openForm({ "people.create": () => created });
    await page.user.selectOptions(dialog.getByLabelText("Role"), "operator");
    await page.user.type(dialog.getByLabelText(/^Reason/), "joined the team");
    await page.user.click(dialog.getByRole("button", { name: "Add user" }));
    expect(await dialog.findByLabelText("Sign-in link of Cleo")).toHaveProperty("value", LINK.url);
    expect(page.sent("people.create")).toEqual([
      { name: "Cleo", email: "cleo@example.org", role: "operator", why: "joined the team" },
    ]);
  });

  it("gives the least role by default, and no reason if none was typed", async () => {
    const { page, dialog } = await openForm({});
    await page.user.click(dialog.getByRole("button", { name: "Add user" }));
    expect(page.sent("people.create")).toEqual([
      { name: "Cleo", email: "cleo@example.org", role: "viewer", why: undefined },
    ]);
  });

  it("sends one request while the server has not answered", async () => {
    const { page, dialog } = await openForm({});
    await page.user.click(dialog.getByRole("button", { name: "Add user" }));
    const saving = await dialog.findByRole("button", { name: "Saving…" });
    expect(saving.getAttribute("aria-disabled")).toBe("true");
    await page.user.type(dialog.getByLabelText("Name"), "{Enter}");
    expect(page.sent("people.create")).toHaveLength(1);
  });

  it("says why it was refused, keeps what was typed, and can be sent again", async () => {
    const { page, dialog } = await openForm({
      "people.create": refusal("CONFLICT", "There is a user with this address."),
    });
    await page.user.click(dialog.getByRole("button", { name: "Add user" }));
    const alert = await dialog.findByRole("alert");
    expect(alert.textContent).toContain("There is a user with this address.");
    expect(dialog.getByLabelText("Name")).toHaveProperty("value", "  Cleo ");
    await page.user.click(dialog.getByRole("button", { name: "Add user" }));
    expect(page.sent("people.create")).toHaveLength(2);
  });

  it("sends nothing when it is cancelled", async () => {
    const { page, dialog } = await openForm({});
    await page.user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(page.sent("people.create")).toEqual([]);
  });
});
