// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ANA, refusal } from "../../../testing/render-page.tsx";
import { BEN, LINK, openTask, show } from "./testing/users-section.tsx";

describe("changing a user", () => {
  it("sends the new role, closes and refetches the users", async () => {
    const page = show({ "people.changeRole": () => ({}) });
    const dialog = await openTask(page, "Change role…");
    expect(dialog.getByLabelText("Role")).toHaveProperty("value", "operator");
    await page.user.selectOptions(dialog.getByLabelText("Role"), "admin");
    const readBefore = page.sent("people.list").length;
    await page.user.click(dialog.getByRole("button", { name: "Change role" }));
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
    expect(page.sent("people.changeRole")).toEqual([{ id: "u-2", role: "admin", why: undefined }]);
    expect(page.sent("people.list").length).toBeGreaterThan(readBefore);
  });

  it("restricts a user to the ticked clusters", async () => {
    const clusters = [
      { id: "c-1", name: "north" },
      { id: "c-2", name: "south" },
    ];
    const page = show({ "clusters.list": () => clusters, "people.setClusters": () => ({}) });
    const dialog = await openTask(page, "Change clusters…");
    expect(dialog.queryByRole("checkbox")).toBeNull();
    await page.user.click(await dialog.findByRole("radio", { name: "Only these" }));
    await page.user.click(dialog.getByRole("checkbox", { name: "south" }));
    await page.user.click(dialog.getByRole("button", { name: "Change clusters" }));
    await expect
      .poll(() => page.sent("people.setClusters"))
      .toEqual([{ id: "u-2", clusters: ["c-2"], why: undefined }]);
  });

  it("restores access to all clusters, whatever was ticked before", async () => {
    const page = show(
      { "clusters.list": () => [{ id: "c-2", name: "south" }], "people.setClusters": () => ({}) },
      [{ ...BEN, clusters: ["c-2"] }],
    );
    const dialog = await openTask(page, "Change clusters…");
    expect(await dialog.findByRole("checkbox", { name: "south" })).toHaveProperty("checked", true);
    await page.user.click(dialog.getByRole("radio", { name: "All, including future ones" }));
    await page.user.click(dialog.getByRole("button", { name: "Change clusters" }));
    await expect
      .poll(() => page.sent("people.setClusters"))
      .toEqual([{ id: "u-2", clusters: "all", why: undefined }]);
  });

  it("offers no clusters if they could not be read, and says why", async () => {
    const page = show({ "clusters.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") });
    const dialog = await openTask(page, "Change clusters…");
    expect((await dialog.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(dialog.queryByRole("button", { name: "Change clusters" })).toBeNull();
  });

  it("shows the link of a password reset, which nobody else has seen", async () => {
    const page = show({ "people.setPassword": () => ({ signInLink: LINK }) });
    const dialog = await openTask(page, "Reset password…");
    await page.user.click(dialog.getByRole("button", { name: "Reset password" }));
    expect(await dialog.findByLabelText("Sign-in link of Ben")).toHaveProperty("value", LINK.url);
    expect(page.sent("people.setPassword")).toEqual([{ id: "u-2", why: undefined }]);
  });

  it("does not disable a user without a reason", async () => {
    const page = show({ "people.disable": () => ({}) });
    const dialog = await openTask(page, "Disable…");
    await page.user.click(dialog.getByRole("button", { name: "Disable user" }));
    expect(page.sent("people.disable")).toEqual([]);
    await page.user.type(dialog.getByLabelText(/^Reason/), "left");
    await page.user.click(dialog.getByRole("button", { name: "Disable user" }));
    await expect.poll(() => page.sent("people.disable")).toEqual([{ id: "u-2", why: "left" }]);
  });

  it("ends all sessions of a user who has some", async () => {
    const page = show({ "sessions.revokeAll": () => ({}) });
    const dialog = await openTask(page, "End all sessions…");
    await page.user.click(dialog.getByRole("button", { name: "End sessions" }));
    await expect
      .poll(() => page.sent("sessions.revokeAll"))
      .toEqual([{ userId: "u-2", why: undefined }]);
  });

  it("offers to enable a disabled user, but neither a reset nor an end of no sessions", async () => {
    const page = show({}, [{ ...BEN, disabled: true, sessions: 0 }]);
    await page.user.click(await screen.findByRole("button", { name: "Change Ben" }));
    expect(await screen.findByRole("menuitem", { name: "Enable again…" })).toBeDefined();
    expect(screen.queryByRole("menuitem", { name: "Disable…" })).toBeNull();
    for (const name of ["Reset password…", "End all sessions…"]) {
      expect(screen.getByRole("menuitem", { name })).toHaveProperty("disabled", true);
    }
  });

  it("does not offer to reset the admin's own password, which needs the current one", async () => {
    const page = show({}, [{ ...BEN, ...ANA }]);
    await page.user.click(await screen.findByRole("button", { name: "Change Ana" }));
    expect(await screen.findByRole("menuitem", { name: "Change role…" })).toBeDefined();
    expect(screen.queryByRole("menuitem", { name: "Reset password…" })).toBeNull();
  });
});

describe("a refused change of a user", () => {
  it("is explained in the dialog, which stays open with what was typed", async () => {
    const refused =
      "This is the last admin of all clusters who can sign in: make another user an admin first.";
    const page = show({ "people.changeRole": refusal("PRECONDITION_FAILED", refused) });
    const dialog = await openTask(page, "Change role…");
    await page.user.selectOptions(dialog.getByLabelText("Role"), "viewer");
    await page.user.type(dialog.getByLabelText(/^Reason/), "moved on");
    await page.user.click(dialog.getByRole("button", { name: "Change role" }));
    expect((await dialog.findByRole("alert")).textContent).toContain(refused);
    expect(dialog.getByLabelText("Role")).toHaveProperty("value", "viewer");
    expect(dialog.getByLabelText(/^Reason/)).toHaveProperty("value", "moved on");
  });

  it("comes without a list's advice to go back or to set a filter", async () => {
    const page = show({ "people.changeRole": refusal("BAD_REQUEST", "The role is not valid.") });
    const dialog = await openTask(page, "Change role…");
    await page.user.click(dialog.getByRole("button", { name: "Change role" }));
    expect((await dialog.findByRole("alert")).textContent?.trim()).toBe("The role is not valid.");
  });

  it("is said to be possibly done if the answer was lost, not that the page retries", async () => {
    const page = show({
      "people.disable": () => {
        throw new TypeError("fetch failed");
      },
    });
    const dialog = await openTask(page, "Disable…");
    await page.user.type(dialog.getByLabelText(/^Reason/), "left");
    await page.user.click(dialog.getByRole("button", { name: "Disable user" }));
    const said = (await dialog.findByRole("alert")).textContent;
    expect(said).toMatch(/^The dashboard's server did not answer\./);
    expect(said).toMatch(/may have been made/);
    expect(said).not.toMatch(/by itself/);
  });

  it("is forgotten when the dialog is opened again", async () => {
    const page = show({ "people.disable": refusal("NOT_FOUND", "This user does not exist.") });
    const dialog = await openTask(page, "Disable…");
    await page.user.type(dialog.getByLabelText(/^Reason/), "left");
    await page.user.click(dialog.getByRole("button", { name: "Disable user" }));
    await dialog.findByRole("alert");
    await page.user.click(dialog.getByRole("button", { name: "Cancel" }));
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
    const again = await openTask(page, "Disable…");
    expect(again.queryByRole("alert")).toBeNull();
    expect(again.getByLabelText(/^Reason/)).toHaveProperty("value", "");
  });
});

describe("a dialog about a user", () => {
  const TASKS = [
    ["Change role…", "Change the role of Ben", "Change role"],
    ["Reset password…", "Reset the password of Ben", "Reset password"],
    ["End all sessions…", "End all sessions of Ben", "End sessions"],
    ["Disable…", "Disable Ben", "Disable user"],
  ] as const;

  it.each(TASKS)("%s names the user, and nothing is sent if it is cancelled", async (...task) => {
    const [item, title, button] = task;
    const page = show();
    await openTask(page, item);
    const dialog = within(await screen.findByRole("dialog", { name: title }));
    expect(dialog.getByRole("button", { name: button })).toBeDefined();
    const before = page.calls.length;
    await page.user.click(dialog.getByRole("button", { name: "Cancel" }));
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
    expect(page.calls).toHaveLength(before);
  });

  it("returns the focus to the button that opened it", async () => {
    const page = show();
    const dialog = await openTask(page, "Disable…");
    await page.user.click(dialog.getByRole("button", { name: "Cancel" }));
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
    await expect.poll(() => document.activeElement?.getAttribute("aria-label")).toBe("Change Ben");
  });

  it("is closed by Escape", async () => {
    const page = show();
    await openTask(page, "Change role…");
    await page.user.keyboard("{Escape}");
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
    expect(page.sent("people.changeRole")).toEqual([]);
  });

  it("enables a disabled user, naming role and sign-in", async () => {
    const page = show({ "people.enable": () => ({}) }, [{ ...BEN, disabled: true }]);
    const dialog = await openTask(page, "Enable again…");
    expect(
      dialog.getByText("Ben may sign in again as operator, with their previous password."),
    ).toBeDefined();
    await page.user.click(dialog.getByRole("button", { name: "Enable user" }));
    await expect.poll(() => page.sent("people.enable")).toEqual([{ id: "u-2", why: undefined }]);
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  });

  it("promises no password to a user who had none", async () => {
    const page = show({}, [{ ...BEN, disabled: true, hasPassword: false }]);
    const dialog = await openTask(page, "Enable again…");
    expect(dialog.getByText("Ben may sign in again as operator.")).toBeDefined();
  });

  it.each([
    [1, /^The only session of Ben ends/],
    [3, /^All 3 sessions of Ben end /],
  ])("says how many of %i sessions end", async (sessions, text) => {
    const page = show({}, [{ ...BEN, sessions }]);
    const dialog = await openTask(page, "End all sessions…");
    expect(dialog.getByText(text)).toBeDefined();
  });

  it("says what a password reset ends", async () => {
    const page = show({}, [{ ...BEN, hasPassword: false }]);
    const dialog = await openTask(page, "Reset password…");
    expect(dialog.getByText(/^All their sessions end\./)).toBeDefined();
  });

  it("leaves a user without any cluster if none is ticked", async () => {
    const page = show({
      "clusters.list": () => [{ id: "c-1", name: "north" }],
      "people.setClusters": () => ({}),
    });
    const dialog = await openTask(page, "Change clusters…");
    await page.user.click(await dialog.findByRole("radio", { name: "Only these" }));
    await page.user.click(dialog.getByRole("button", { name: "Change clusters" }));
    await expect
      .poll(() => page.sent("people.setClusters"))
      .toEqual([{ id: "u-2", clusters: [], why: undefined }]);
  });

  it("keeps the ticked clusters while “All” is selected in between", async () => {
    const page = show({
      "clusters.list": () => [
        { id: "c-1", name: "north" },
        { id: "c-2", name: "south" },
      ],
    });
    const dialog = await openTask(page, "Change clusters…");
    await page.user.click(await dialog.findByRole("radio", { name: "Only these" }));
    await page.user.click(dialog.getByRole("checkbox", { name: "south" }));
    await page.user.click(dialog.getByRole("radio", { name: "All, including future ones" }));
    await page.user.click(dialog.getByRole("radio", { name: "Only these" }));
    expect(dialog.getByRole("checkbox", { name: "south" })).toHaveProperty("checked", true);
  });
});
