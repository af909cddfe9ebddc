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

describe("one's own sessions", () => {
  it("can be ended one by one, but for the one that asks", async () => {
    const page = show({ "sessions.revoke": () => ({}) });
    expect(await screen.findByText("this session")).toBeDefined();
    const [button, ...others] = await screen.findAllByRole("button", { name: END });
    expect(others).toEqual([]);
    if (button !== undefined) await page.user.click(button);
    await expect.poll(() => page.sent("sessions.revoke")).toEqual([{ id: "s-2" }]);
    await expect.poll(() => page.sent("sessions.mine").length).toBe(2);
  });

  it("says why one could not be ended", async () => {
    const page = show({ "sessions.revoke": refusal("NOT_FOUND", "There is no such session.") });
    await page.user.click(await screen.findByRole("button", { name: END }));
    expect((await screen.findByRole("alert")).textContent).toBe("There is no such session.");
  });

  it("can all others be ended at once, where there are others", async () => {
    const page = show({ "sessions.revokeAll": () => ({}) });
    await screen.findByText("this session");
    await page.user.click(screen.getByRole("button", { name: "End all others" }));
    await expect.poll(() => page.sent("sessions.revokeAll")).toEqual([{}]);
  });

  it("offers to end no others where there are none", async () => {
    show({ "sessions.mine": () => [THIS] });
    await screen.findByText("this session");
    expect(screen.getByRole("button", { name: "End all others" })).toHaveProperty("disabled", true);
  });
});

describe("everybody's sessions", () => {
  it("are asked for by admins alone", async () => {
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

describe("one's own password", () => {
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

  it("is sent as it was typed, with the one until now, and the fields are emptied", async () => {
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

  it("names no password until now where none was typed", async () => {
    const page = await change(
      { password: LONG, again: LONG },
      { "people.setPassword": () => ({}) },
    );
    await expect
      .poll(() => page.sent("people.setPassword"))
      .toEqual([{ id: ANA.id, password: LONG }]);
  });

  it("is not sent where the two differ, and says so", async () => {
    const page = await change({ password: LONG, again: "twelve chars" }, {});
    expect((await screen.findByRole("alert")).textContent).toMatch(/^The two new passwords differ/);
    expect(page.sent("people.setPassword")).toEqual([]);
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
