// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ANA, refusal, renderPage } from "../../../testing/render-page.tsx";
import { hasShape } from "../../../testing/shapes.ts";
import { BEN, LINK, openTask, show } from "./testing/users-section.tsx";
import { UsersSection } from "./users-section.tsx";

describe("a user of the identity provider", () => {
  it("is managed there, except for sessions and disabling", async () => {
    const page = show({}, [{ ...BEN, isExternal: true, clustersByGroups: true }]);
    expect(await screen.findByText("identity provider")).toBeDefined();
    await page.user.click(await screen.findByRole("button", { name: "Change Ben" }));
    await screen.findByText("Role and clusters follow groups at the identity provider");
    const items = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
    expect(items).toEqual(["End all sessions…", "Disable…"]);
  });

  it("has clusters chosen by an admin if groups give none", async () => {
    const page = show({}, [{ ...BEN, isExternal: true }]);
    await page.user.click(await screen.findByRole("button", { name: "Change Ben" }));
    await screen.findByText("The role follows groups at the identity provider");
    expect(screen.getByRole("menuitem", { name: "Change clusters…" })).toBeDefined();
    expect(screen.queryByRole("menuitem", { name: "Change role…" })).toBeNull();
  });
});

describe("an authenticator app", () => {
  it("is removed from another user, with the reason for the record", async () => {
    const withApp = { ...BEN, authenticator: { since: 0, recoveryCodes: 10 } };
    const page = show({ "people.removeAuthenticator": () => BEN }, [withApp]);
    const dialog = await openTask(page, "Remove authenticator app…");
    await page.user.type(dialog.getByLabelText(/^Reason/), "Lost the phone");
    await page.user.click(dialog.getByRole("button", { name: "Remove app" }));
    await expect
      .poll(() => page.sent("people.removeAuthenticator"))
      .toEqual([{ id: "u-2", why: "Lost the phone" }]);
  });

  it("cannot be removed if there is none", async () => {
    const page = show();
    await page.user.click(await screen.findByRole("button", { name: "Change Ben" }));
    await screen.findByRole("menuitem", { name: "Change role…" });
    expect(screen.queryByRole("menuitem", { name: /authenticator/ })).toBeNull();
  });
});

describe("a sign-in link", () => {
  async function reset(clipboard: Pick<Clipboard, "writeText">) {
    const page = show({ "people.setPassword": () => ({ signInLink: LINK }) });
    const dialog = await openTask(page, "Reset password…");
    await page.user.click(dialog.getByRole("button", { name: "Reset password" }));
    await dialog.findByLabelText("Sign-in link of Ben");
    vi.stubGlobal("navigator", { ...navigator, clipboard });
    return { page, dialog };
  }
  afterEach(() => vi.unstubAllGlobals());

  it("is copied by its button, which says so", async () => {
    const writeText = vi.fn(() => Promise.resolve());
    const { page, dialog } = await reset({ writeText });
    await page.user.click(dialog.getByRole("button", { name: "Copy link" }));
    expect(await dialog.findByRole("button", { name: "Copied" })).toBeDefined();
    expect(writeText).toHaveBeenCalledWith(LINK.url);
  });

  it("says when the browser refuses to copy it, and stays visible to be selected", async () => {
    const { page, dialog } = await reset({ writeText: () => Promise.reject(new Error("denied")) });
    await page.user.click(dialog.getByRole("button", { name: "Copy link" }));
    expect(await dialog.findByText(/does not allow copying/)).toBeDefined();
    expect(dialog.getByLabelText("Sign-in link of Ben")).toHaveProperty("value", LINK.url);
  });
});

describe("the table of users", () => {
  const rowOf = async (name: string) =>
    within(await screen.findByRole("row", { name: new RegExp(name) }));

  it("shows each user's name, whether and how they may sign in, and where", async () => {
    const cleo = {
      ...{ ...BEN, id: "u-3", name: "Cleo", email: "cleo@example.org", role: "viewer" as const },
      ...{ disabled: true, disabledWhy: "left", hasPassword: false, sessions: 0 },
      clusters: ["c-1", "c-2"],
    };
    show({}, [BEN, cleo]);
    const ben = await rowOf("Ben");
    for (const text of ["operator", "all", "Active", "password", "never"])
      expect(ben.getByText(text), text).toBeDefined();
    const other = await rowOf("Cleo");
    for (const text of ["viewer", "Disabled", "link"])
      expect(other.getByText(text), text).toBeDefined();
    expect(other.getByTitle("left")).toBeDefined();
    expect([ben.getByText("Active"), other.getByText("Disabled")].map(hasShape)).toEqual([
      false,
      true,
    ]);
  });

  it("shows who also signs in with an authenticator app", async () => {
    show({}, [{ ...BEN, authenticator: { since: 0, recoveryCodes: 10 } }]);
    expect((await rowOf("Ben")).getByText("password and app")).toBeDefined();
  });

  it("marks the user's own row", async () => {
    show({}, [{ ...BEN, ...ANA }]);
    expect((await rowOf("Ana")).getByText("you")).toBeDefined();
  });
});

describe("the users' page", () => {
  it("says why the users could not be read, and refetches them on demand", async () => {
    const page = show({ "people.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    expect(page.sent("people.list")).toHaveLength(2);
  });

  it("warns of many wrong passwords, with a link to their audit entries", async () => {
    const failedSignIns = { count: 1_200, lastAt: Date.now(), lastAddress: "192.0.2.7" };
    show({}, [{ ...BEN, failedSignIns }]);
    const notes = within(await screen.findByRole("list", { name: "Wrong passwords" }));
    expect(notes.getByRole("listitem").textContent).toMatch(/^Ben: 1,200 wrong .*192\.0\.2\.7/);
    const link = notes.getByRole("link", { name: "Show the audit entries" });
    expect(link.getAttribute("href")).toContain("chain=accounts");
  });

  it("says nothing about a few, which are typing mistakes", async () => {
    show({}, [{ ...BEN, failedSignIns: { count: 4, lastAt: 0, lastAddress: undefined } }]);
    await screen.findByRole("button", { name: "Change Ben" });
    expect(screen.queryByRole("list", { name: "Wrong passwords" })).toBeNull();
  });

  it("requests no list of users unless the user is an admin, and names whom to ask", async () => {
    const page = renderPage(<UsersSection cluster="c-1" />, {
      viewer: { ...ANA, role: "operator" },
      answers: { "people.admins": () => ["Cleo"] },
    });
    expect(await screen.findByText(/see and change who else has an account: Cleo\./)).toBeDefined();
    expect(page.sent("people.list")).toEqual([]);
    expect(screen.queryByRole("button", { name: "Add user…" })).toBeNull();
  });

  it("lets an admin preview a lesser role, and return from it", async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: "viewer" }));
    expect(screen.queryByRole("button", { name: "Add user…" })).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "yourself" }));
    expect(screen.getByRole("button", { name: "Add user…" })).toBeDefined();
  });
});
