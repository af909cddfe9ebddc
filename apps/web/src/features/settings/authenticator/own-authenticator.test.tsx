// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ANA, type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { OwnAuthenticator } from "./own-authenticator.tsx";

const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const BEGUN = { secret: SECRET, uri: `otpauth://totp/Cloudwright:ana?secret=${SECRET}` };
const CODES = Array.from({ length: 10 }, (_, index) => `ABCD-EFGH-IJKL-MNO${index}`);
const PRESENT = { since: 0, recoveryCodes: 10 };

const me = (over: object = {}) => ({ isExternal: false, hasPassword: true, ...over });

function show(answers: Answers = {}) {
  return renderPage(<OwnAuthenticator />, {
    viewer: ANA,
    answers: { "people.me": () => me(), ...answers },
  });
}

it("says why it is unknown whether there is one, instead of loading forever", async () => {
  show({ "people.me": refusal("INTERNAL_SERVER_ERROR", "It failed.") });
  expect((await screen.findByRole("alert")).textContent).toContain("It failed.");
  expect(screen.queryByRole("status", { name: "Loading" })).toBeNull();
});

const dialog = async () => within(await screen.findByRole("dialog"));

describe("adding an authenticator app", () => {
  async function begin(answers: Answers = {}) {
    const page = show({ "people.beginAuthenticator": () => BEGUN, ...answers });
    await page.user.click(await screen.findByRole("button", { name: "Add an authenticator app…" }));
    const parts = await dialog();
    await page.user.type(await parts.findByLabelText("Your password"), "correct horse");
    await page.user.click(parts.getByRole("button", { name: "Continue" }));
    return { page, parts };
  }

  it("asks for the password, shows the secret, and after the first code the recovery codes", async () => {
    const { page, parts } = await begin({
      "people.confirmAuthenticator": () => ({ person: me(), recoveryCodes: CODES }),
    });
    expect(await parts.findByRole("img", { name: /^QR code/ })).toBeDefined();
    expect(page.sent("people.beginAuthenticator")).toEqual([{ password: "correct horse" }]);
    expect(parts.getByLabelText<HTMLTextAreaElement>(/^Secret/).value).toBe(
      "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ",
    );
    expect(document.activeElement).toBe(parts.getByLabelText(/^Code/));
    await page.user.type(parts.getByLabelText(/^Code/), "123 456");
    await page.user.click(parts.getByRole("button", { name: "Turn on" }));
    const list = within(await parts.findByRole("list", { name: "Recovery codes" }));
    expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(CODES);
    expect(page.sent("people.confirmAuthenticator")).toEqual([{ code: "123 456" }]);
    expect(parts.queryByRole("img", { name: /^QR code/ })).toBeNull();
    await expect.poll(() => page.sent("people.me").length).toBe(2);
  });

  it("stays at the step that was refused, with the reason", async () => {
    const { page, parts } = await begin({
      "people.confirmAuthenticator": refusal("FORBIDDEN", "The code is wrong."),
    });
    await page.user.type(await parts.findByLabelText(/^Code/), "000000");
    await page.user.click(parts.getByRole("button", { name: "Turn on" }));
    expect((await parts.findByRole("alert")).textContent).toBe("The code is wrong.");
    expect(parts.getByRole("img", { name: /^QR code/ })).toBeDefined();
  });

  it("does not continue with a wrong password", async () => {
    const { parts } = await begin({
      "people.beginAuthenticator": refusal("FORBIDDEN", "The password is wrong."),
    });
    expect((await parts.findByRole("alert")).textContent).toBe("The password is wrong.");
    expect(parts.queryByRole("img", { name: /^QR code/ })).toBeNull();
  });

  it("is not offered without a password, and not mentioned for users of the identity provider", async () => {
    const { unmount } = show({ "people.me": () => me({ hasPassword: false }) });
    expect(await screen.findByText(/choose one first\.$/)).toBeDefined();
    const button = screen.getByRole<HTMLButtonElement>("button", { name: /^Add an/ });
    expect(button.disabled).toBe(true);
    unmount();
    show({ "people.me": () => me({ isExternal: true }) });
    await expect.poll(() => screen.queryByText("Authenticator app")).toBeNull();
  });
});

describe("an existing authenticator app", () => {
  async function remove(fields: Readonly<Record<string, string>>) {
    const page = show({
      "people.me": () => me({ authenticator: PRESENT }),
      "people.removeAuthenticator": () => me(),
    });
    await page.user.click(await screen.findByRole("button", { name: "Remove…" }));
    const parts = await dialog();
    for (const [label, text] of Object.entries(fields)) {
      await page.user.type(await parts.findByLabelText(new RegExp(`^${label}`)), text);
    }
    await page.user.click(parts.getByRole("button", { name: "Remove app" }));
    await expect.poll(() => page.sent("people.removeAuthenticator").length).toBe(1);
    return page.sent("people.removeAuthenticator")[0];
  }

  it("is removed with the password, or with a code", async () => {
    expect(await remove({ "Your password": "correct horse" })).toEqual({
      id: ANA.id,
      password: "correct horse",
    });
  });

  it("is removed with only a code", async () => {
    expect(await remove({ Code: "ABCD-EFGH-IJKL-MNOP" })).toEqual({
      id: ANA.id,
      code: "ABCD-EFGH-IJKL-MNOP",
    });
  });

  it.each([
    [10, /^10 recovery codes are left\.\s*$/],
    [1, /^1 recovery code is left\. Remove the app and add it again/],
    [0, /^No recovery code is left\. Remove/],
  ])("says that %i of its recovery codes are left", async (recoveryCodes, sentence) => {
    show({ "people.me": () => me({ authenticator: { since: 0, recoveryCodes } }) });
    expect((await screen.findByText(/recovery codes? (is|are) left/)).textContent).toMatch(
      sentence,
    );
  });
});
