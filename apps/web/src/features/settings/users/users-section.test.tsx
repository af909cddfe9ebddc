// @vitest-environment happy-dom
import type { UserView } from "@cloudwright/store/views/views";
import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ANA, type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { hasShape } from "../../../testing/shapes.ts";
import { UsersSection } from "./users-section.tsx";

const BEN: UserView = {
  id: "u-2",
  name: "Ben",
  email: "ben@example.org",
  role: "operator",
  clusters: "all",
  disabled: false,
  disabledWhy: undefined,
  hasPassword: true,
  authenticator: undefined,
  isExternal: false,
  clustersByGroups: false,
  sessions: 2,
  lastSeenAt: undefined,
  createdAt: 0,
  failedSignIns: undefined,
};
const LINK = { url: "https://dashboard.example/redeem?t=1", expiresAt: Date.now() + 60_000 };

function show(answers: Answers = {}, users: readonly UserView[] = [BEN]) {
  return renderPage(<UsersSection cluster="c-1" />, {
    answers: { "people.list": () => users, ...answers },
  });
}

/** Opens the dialog that `item` of Ben's menu leads to. */
async function openTask(page: ReturnType<typeof show>, item: string) {
  await page.user.click(await screen.findByRole("button", { name: "Change Ben" }));
  await page.user.click(await screen.findByRole("menuitem", { name: item }));
  return within(await screen.findByRole("dialog"));
}

describe("a user of the identity provider", () => {
  it("is changed there, but for sessions and being disabled", async () => {
    const page = show({}, [{ ...BEN, isExternal: true, clustersByGroups: true }]);
    expect(await screen.findByText("identity provider")).toBeDefined();
    await page.user.click(await screen.findByRole("button", { name: "Change Ben" }));
    await screen.findByText("Role and clusters follow groups at the identity provider");
    const items = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
    expect(items).toEqual(["End all sessions…", "Disable…"]);
  });

  it("has clusters of an admin's choice where groups give none", async () => {
    const page = show({}, [{ ...BEN, isExternal: true }]);
    await page.user.click(await screen.findByRole("button", { name: "Change Ben" }));
    await screen.findByText("The role follows groups at the identity provider");
    expect(screen.getByRole("menuitem", { name: "Change clusters…" })).toBeDefined();
    expect(screen.queryByRole("menuitem", { name: "Change role…" })).toBeNull();
  });
});

describe("adding a user", () => {
  async function openForm(answers: Answers) {
    const page = show(answers);
    await page.user.click(screen.getByRole("button", { name: "Add user…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Add a user" }));
    await page.user.type(dialog.getByLabelText("Name"), "  Cleo ");
    await page.user.type(dialog.getByLabelText("E-mail address"), "cleo@example.org");
    return { page, dialog };
  }

  it("sends what was typed, and shows the sign-in link that came back", async () => {
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

  it("gives the least role unless another is chosen, and no reason where none was typed", async () => {
    const { page, dialog } = await openForm({});
    await page.user.click(dialog.getByRole("button", { name: "Add user" }));
    expect(page.sent("people.create")).toEqual([
      { name: "Cleo", email: "cleo@example.org", role: "viewer", why: undefined },
    ]);
  });

  it("asks once while the server has not answered", async () => {
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

describe("changing a user", () => {
  it("sends the new role, closes and reads the users again", async () => {
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

  it("restricts a user to the clusters that are ticked", async () => {
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

  it("gives back all clusters, whatever was ticked before", async () => {
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

  it("cannot choose among clusters that could not be read, and says why", async () => {
    const page = show({ "clusters.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") });
    const dialog = await openTask(page, "Change clusters…");
    expect((await dialog.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(dialog.queryByRole("button", { name: "Change clusters" })).toBeNull();
  });

  it("shows the link of a password that was reset, which nobody else has read", async () => {
    const page = show({ "people.setPassword": () => ({ signInLink: LINK }) });
    const dialog = await openTask(page, "Reset password…");
    await page.user.click(dialog.getByRole("button", { name: "Reset password" }));
    expect(await dialog.findByLabelText("Sign-in link of Ben")).toHaveProperty("value", LINK.url);
    expect(page.sent("people.setPassword")).toEqual([{ id: "u-2", why: undefined }]);
  });

  it("does not disable anybody without a reason", async () => {
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

  it("offers to enable a user who is disabled, and neither a reset nor an end of no sessions", async () => {
    const page = show({}, [{ ...BEN, disabled: true, sessions: 0 }]);
    await page.user.click(await screen.findByRole("button", { name: "Change Ben" }));
    expect(await screen.findByRole("menuitem", { name: "Enable again…" })).toBeDefined();
    expect(screen.queryByRole("menuitem", { name: "Disable…" })).toBeNull();
    for (const name of ["Reset password…", "End all sessions…"]) {
      expect(screen.getByRole("menuitem", { name })).toHaveProperty("disabled", true);
    }
  });

  it("does not offer to reset one's own password: that needs the one until now", async () => {
    const page = show({}, [{ ...BEN, ...ANA }]);
    await page.user.click(await screen.findByRole("button", { name: "Change Ana" }));
    expect(await screen.findByRole("menuitem", { name: "Change role…" })).toBeDefined();
    expect(screen.queryByRole("menuitem", { name: "Reset password…" })).toBeNull();
  });
});

describe("a change of a user that is not taken", () => {
  it("says why in the dialog, which stays with what was typed", async () => {
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

  it("is not given advice for a list: neither to go back nor to set a filter", async () => {
    const page = show({ "people.changeRole": refusal("BAD_REQUEST", "The role is not valid.") });
    const dialog = await openTask(page, "Change role…");
    await page.user.click(dialog.getByRole("button", { name: "Change role" }));
    expect((await dialog.findByRole("alert")).textContent?.trim()).toBe("The role is not valid.");
  });

  it("says of a lost answer that it may have been done, and not that the page asks again", async () => {
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

  it("is forgotten when the dialog is opened for it once more", async () => {
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

  it.each(TASKS)("%s names the user, and nothing is sent when it is cancelled", async (...task) => {
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

  it("gives the focus back to the button that led to it", async () => {
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

  it("enables a user who was disabled, as what and how", async () => {
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
  ])("says of %i sessions how many end", async (sessions, text) => {
    const page = show({}, [{ ...BEN, sessions }]);
    const dialog = await openTask(page, "End all sessions…");
    expect(dialog.getByText(text)).toBeDefined();
  });

  it("says of a password that is reset what ends with it", async () => {
    const page = show({}, [{ ...BEN, hasPassword: false }]);
    const dialog = await openTask(page, "Reset password…");
    expect(dialog.getByText(/^All their sessions end\./)).toBeDefined();
  });

  it("leaves a user without any cluster where none is ticked", async () => {
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

  it("keeps what was ticked while “All” is looked at in between", async () => {
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

  it("that is not there cannot be removed", async () => {
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

  it("says when the browser does not let it be copied, and stays there to be marked", async () => {
    const { page, dialog } = await reset({ writeText: () => Promise.reject(new Error("denied")) });
    await page.user.click(dialog.getByRole("button", { name: "Copy link" }));
    expect(await dialog.findByText(/does not allow copying/)).toBeDefined();
    expect(dialog.getByLabelText("Sign-in link of Ben")).toHaveProperty("value", LINK.url);
  });
});

describe("the table of users", () => {
  const rowOf = async (name: string) =>
    within(await screen.findByRole("row", { name: new RegExp(name) }));

  it("says of each who it is, whether they may sign in, how, and where", async () => {
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

  it("says who signs in with an authenticator app as well", async () => {
    show({}, [{ ...BEN, authenticator: { since: 0, recoveryCodes: 10 } }]);
    expect((await rowOf("Ben")).getByText("password and app")).toBeDefined();
  });

  it("marks oneself", async () => {
    show({}, [{ ...BEN, ...ANA }]);
    expect((await rowOf("Ana")).getByText("you")).toBeDefined();
  });
});

describe("the users' page", () => {
  it("says why the users could not be read, and reads them again on demand", async () => {
    const page = show({ "people.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    expect(page.sent("people.list")).toHaveLength(2);
  });

  it("warns of many wrong passwords, with the way to their audit entries", async () => {
    const failedSignIns = { count: 1_200, lastAt: Date.now(), lastAddress: "192.0.2.7" };
    show({}, [{ ...BEN, failedSignIns }]);
    const notes = within(await screen.findByRole("list", { name: "Wrong passwords" }));
    expect(notes.getByRole("listitem").textContent).toMatch(/^Ben: 1,200 wrong .*192\.0\.2\.7/);
    const link = notes.getByRole("link", { name: "Show the audit entries" });
    expect(link.getAttribute("href")).toContain("chain=accounts");
  });

  it("says nothing of a few, which are mistyping", async () => {
    show({}, [{ ...BEN, failedSignIns: { count: 4, lastAt: 0, lastAddress: undefined } }]);
    await screen.findByRole("button", { name: "Change Ben" });
    expect(screen.queryByRole("list", { name: "Wrong passwords" })).toBeNull();
  });

  it("asks for no list of users for those who are no admin, and names whom to ask", async () => {
    const page = renderPage(<UsersSection cluster="c-1" />, {
      viewer: { ...ANA, role: "operator" },
      answers: { "people.admins": () => ["Cleo"] },
    });
    expect(await screen.findByText(/see and change who else has an account: Cleo\./)).toBeDefined();
    expect(page.sent("people.list")).toEqual([]);
    expect(screen.queryByRole("button", { name: "Add user…" })).toBeNull();
  });

  it("lets an admin try out a lesser role, and come back from it", async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: "viewer" }));
    expect(screen.queryByRole("button", { name: "Add user…" })).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "yourself" }));
    expect(screen.getByRole("button", { name: "Add user…" })).toBeDefined();
  });
});
