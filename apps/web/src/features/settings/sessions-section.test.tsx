// @vitest-environment happy-dom
import type { SessionView } from "@cloudwright/store/views/views";
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { SessionsSection } from "./sessions-section.tsx";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

function session(id: string, over: Partial<SessionView> = {}): SessionView {
  return {
    id,
    person: { id: ANA.id, name: ANA.name, email: ANA.email },
    ...{ createdAt: 0, lastSeenAt: 0, expiresAt: Date.now() + 1_000 },
    ...{ address: "192.0.2.7", agent: FIREFOX, isThis: false },
    ...over,
  };
}

const THIS = session("s-1", { isThis: true });
const OTHER = session("s-2");

function show(answers: Answers = {}, role: "viewer" | "admin" = "viewer") {
  return renderPage(<SessionsSection />, {
    viewer: { ...ANA, role },
    answers: { "sessions.mine": () => [THIS, OTHER], "sessions.list": () => [], ...answers },
  });
}

const END = "End session of Ana, Firefox on Linux, 192.0.2.7";

describe("the user's own password", () => {
  it("can be changed", async () => {
    show({ "people.me": () => ({ isExternal: false }) });
    expect(await screen.findByLabelText(/^New password at least/)).toBeDefined();
  });

  it("is managed by the identity provider for its users", async () => {
    show({ "people.me": () => ({ isExternal: true, clustersByGroups: true }) });
    const text = await screen.findByText(/^You sign in through the identity provider/);
    expect(text.textContent).toMatch(/role follows your groups there, and so do your clusters\.$/);
    expect(screen.queryByLabelText(/^New password/)).toBeNull();
  });
});

describe("the user's own sessions", () => {
  it("can be ended one by one, except the current one", async () => {
    const page = show({ "sessions.revoke": () => ({}) });
    expect(await screen.findByText("this session")).toBeDefined();
    const [button, ...others] = await screen.findAllByRole("button", { name: END });
    expect(others).toEqual([]);
    if (button !== undefined) await page.user.click(button);
    await expect.poll(() => page.sent("sessions.revoke")).toEqual([{ id: "s-2" }]);
    await expect.poll(() => page.sent("sessions.mine").length).toBe(2);
  });

  it("say why one could not be ended", async () => {
    const page = show({ "sessions.revoke": refusal("NOT_FOUND", "There is no such session.") });
    await page.user.click(await screen.findByRole("button", { name: END }));
    expect((await screen.findByRole("alert")).textContent).toBe("There is no such session.");
  });

  it("can all be ended at once except the current one, if there are others", async () => {
    const page = show({ "sessions.revokeAll": () => ({}) });
    await screen.findByText("this session");
    await page.user.click(screen.getByRole("button", { name: "End all others" }));
    await expect.poll(() => page.sent("sessions.revokeAll")).toEqual([{}]);
  });

  it("say why the others could not be ended, and can be ended again", async () => {
    const page = show({
      "sessions.revokeAll": refusal("SERVICE_UNAVAILABLE", "The ledger is down."),
    });
    await screen.findByText("this session");
    await page.user.click(screen.getByRole("button", { name: "End all others" }));
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    await page.user.click(screen.getByRole("button", { name: "End all others" }));
    await expect.poll(() => page.sent("sessions.revokeAll")).toHaveLength(2);
  });

  it("are ended by one request, however often the button is pressed", async () => {
    const page = show({ "sessions.revokeAll": () => new Promise(() => undefined) });
    await screen.findByText("this session");
    const end = screen.getByRole("button", { name: "End all others" });
    await page.user.click(end);
    await expect.poll(() => end).toHaveProperty("disabled", true);
    await page.user.click(end);
    expect(page.sent("sessions.revokeAll")).toHaveLength(1);
  });

  it("are ended one at a time: the other buttons wait for the answer", async () => {
    const page = show({
      "sessions.mine": () => [THIS, OTHER, session("s-3", { address: "192.0.2.8" })],
      "sessions.revoke": () => new Promise(() => undefined),
    });
    await page.user.click(await screen.findByRole("button", { name: END }));
    const other = screen.getByRole("button", { name: END.replace("192.0.2.7", "192.0.2.8") });
    await expect.poll(() => other).toHaveProperty("disabled", true);
    expect(page.sent("sessions.revoke")).toEqual([{ id: "s-2" }]);
  });

  it("say why they could not be read, and are refetched on demand", async () => {
    const page = show({ "sessions.mine": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("sessions.mine")).toHaveLength(2);
  });

  it("include one without a known browser or address", async () => {
    const unknown = session("s-2", { agent: undefined, address: undefined });
    show({ "sessions.mine": () => [THIS, unknown] });
    const end = await screen.findByRole("button", { name: /unknown address$/ });
    expect(end.getAttribute("aria-label")).toMatch(/^End session of Ana, .+, unknown address$/);
  });

  it("offer to end no others if there are none", async () => {
    show({ "sessions.mine": () => [THIS] });
    await screen.findByText("this session");
    expect(screen.getByRole("button", { name: "End all others" })).toHaveProperty("disabled", true);
  });
});

describe("all users' sessions", () => {
  it("are requested only by admins", async () => {
    const page = show();
    await screen.findByText("this session");
    expect(page.sent("sessions.list")).toEqual([]);
    expect(screen.queryByText("Everybody's sessions")).toBeNull();
  });

  it("name the user of each", async () => {
    const ben = { id: "u-2", name: "Ben", email: "ben@example.org" };
    show({ "sessions.list": () => [session("s-9", { person: ben })] }, "admin");
    expect(await screen.findByRole("button", { name: /^End session of Ben,/ })).toBeDefined();
  });
});

describe("the user's own password", () => {
  async function change(
    typed: { current?: string; password: string; again: string },
    answers: Answers,
  ) {
    const page = show(answers);
    const { current, password, again } = typed;
    if (current !== undefined) {
      await page.user.type(screen.getByLabelText(/^Current password/), current);
    }
    await page.user.type(screen.getByLabelText(/^New password (?!again)/), password);
    await page.user.type(screen.getByLabelText("New password again"), again);
    await page.user.click(screen.getByRole("button", { name: "Change password" }));
    return page;
  }

  const LONG = " twelve chars ";

  it("is sent as typed, with the current one, and the fields are cleared", async () => {
    const page = await change(
      { current: "until now", password: LONG, again: LONG },
      { "people.setPassword": () => ({}) },
    );
    await expect
      .poll(() => page.sent("people.setPassword"))
      .toEqual([{ id: ANA.id, password: LONG, current: "until now" }]);
    expect(await screen.findByText(/^Your password was changed/)).toBeDefined();
    expect(screen.getByLabelText("New password again")).toHaveProperty("value", "");
  });

  it("is sent without a current password if none was typed", async () => {
    const page = await change(
      { password: LONG, again: LONG },
      { "people.setPassword": () => ({}) },
    );
    await expect
      .poll(() => page.sent("people.setPassword"))
      .toEqual([{ id: ANA.id, password: LONG }]);
  });

  it("is not sent if the two entries differ, which is said", async () => {
    const page = await change({ password: LONG, again: "twelve chars" }, {});
    expect((await screen.findByRole("alert")).textContent).toMatch(/^The two new passwords differ/);
    expect(page.sent("people.setPassword")).toEqual([]);
  });

  it("is sent once while the server has not answered", async () => {
    const page = await change(
      { password: LONG, again: LONG },
      { "people.setPassword": () => new Promise(() => undefined) },
    );
    const saving = await screen.findByRole("button", { name: "Saving…" });
    expect(saving.getAttribute("aria-disabled")).toBe("true");
    await page.user.type(screen.getByLabelText("New password again"), "{Enter}");
    expect(page.sent("people.setPassword")).toHaveLength(1);
  });

  it("is no longer said to be changed once another one is tried", async () => {
    const page = await change(
      { password: LONG, again: LONG },
      { "people.setPassword": () => ({}) },
    );
    await screen.findByText(/^Your password was changed/);
    await page.user.type(screen.getByLabelText(/^New password (?!again)/), LONG);
    await page.user.type(screen.getByLabelText("New password again"), "another one");
    await page.user.click(screen.getByRole("button", { name: "Change password" }));
    expect((await screen.findByRole("alert")).textContent).toMatch(/^The two new passwords differ/);
    expect(screen.queryByText(/^Your password was changed/)).toBeNull();
  });

  it("shows one message at a time: the server's refusal disappears when the two entries differ", async () => {
    const page = await change(
      { current: "wrong", password: LONG, again: LONG },
      { "people.setPassword": refusal("FORBIDDEN", "The current password is wrong.") },
    );
    await screen.findByText(/^The current password is wrong\./);
    await page.user.type(screen.getByLabelText("New password again"), "!");
    await page.user.click(screen.getByRole("button", { name: "Change password" }));
    await expect
      .poll(() => screen.getAllByRole("alert").map(({ textContent }) => textContent))
      .toEqual([expect.stringMatching(/^The two new passwords differ/)]);
  });

  it("gets no advice for lists or roles if the current one was wrong", async () => {
    await change(
      { current: "wrong", password: LONG, again: LONG },
      { "people.setPassword": refusal("FORBIDDEN", "The current password is wrong.") },
    );
    expect((await screen.findByRole("alert")).textContent?.trim()).toBe(
      "The current password is wrong.",
    );
  });

  it("keeps the focus in the form after the change, for the next key", async () => {
    await change({ password: LONG, again: LONG }, { "people.setPassword": () => ({}) });
    await screen.findByText(/^Your password was changed/);
    expect(document.activeElement).not.toBe(document.body);
  });

  it("says why it was refused", async () => {
    await change(
      { current: "wrong", password: LONG, again: LONG },
      { "people.setPassword": refusal("FORBIDDEN", "That is not your password.") },
    );
    expect((await screen.findByRole("alert")).textContent).toMatch(/^That is not your password\./);
    expect(screen.getByLabelText("New password again")).toHaveProperty("value", LONG);
  });
});
