// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { SignInCard } from "./sign-in-card.tsx";

type Link = Parameters<typeof SignInCard>[0]["link"];
type Ways = Parameters<typeof SignInCard>[0]["ways"];

const PASSWORDS: Ways = { provider: undefined, local: true };
const BOTH: Ways = { provider: { name: "Keycloak" }, local: true };
const PROVIDER: Ways = { provider: { name: "Keycloak" }, local: false };

const USABLE: Link = {
  kind: "usable",
  user: { name: "Ana", email: "ana@example.org", role: "operator" },
};
const NONE: Link = { kind: "none" };
const REFUSED: Link = {
  kind: "refused",
  why: "This link was used already. Ask an admin for a new one, or print one with `npx cloudwright sign-in-link`.",
};

function show(link: Link, notice?: string, ways = PASSWORDS) {
  return renderPage(
    <SignInCard
      {...{ link, notice, ways }}
      codeOf={undefined}
      token="t-1"
      next="/c/c-1/nodes?q=w"
    />,
    { address: "/sign-in" },
  );
}

/** Returns what a browser without scripts would send. */
function sentBy(button: string) {
  const { form } = screen.getByRole<HTMLButtonElement>("button", { name: button });
  if (form === null) throw new Error(`${button} sends nothing.`);
  return { to: form.getAttribute("action"), method: form.method, fields: new FormData(form) };
}

describe("the code of an authenticator app", () => {
  const ask = (notice?: string) =>
    renderPage(
      <SignInCard
        {...{ link: NONE, notice, ways: PASSWORDS, token: "", next: "/c/c-1" }}
        codeOf={{ email: "ana@example.org" }}
      />,
      { address: "/sign-in" },
    );

  it("is requested after the password, for the account that it was right for", () => {
    ask();
    expect(screen.getByText("ana@example.org")).toBeDefined();
    expect(screen.queryByLabelText("Password")).toBeNull();
    const { to, method, fields } = sentBy("Sign in");
    expect([to, method, [...fields.keys()]]).toEqual(["/sign-in/code", "post", ["next", "code"]]);
    expect(screen.getByLabelText("Code").getAttribute("autocomplete")).toBe("one-time-code");
  });

  it("can be replaced by a recovery code", () => {
    ask();
    const { to, fields } = sentBy("Sign in with a recovery code");
    expect([to, fields.get("next")]).toEqual(["/sign-in/code", "/c/c-1"]);
    expect(screen.getByLabelText("Recovery code").getAttribute("name")).toBe("code");
  });

  it("shows at the field that it was wrong", () => {
    ask("code");
    const { id, textContent } = screen.getByRole("alert");
    expect(textContent).toMatch(/^The code is wrong/);
    expect(screen.getByLabelText("Code").getAttribute("aria-describedby")).toBe(id);
  });

  it("that was wrong too often suggests the recovery codes", () => {
    ask("code-locked");
    expect(screen.getByRole("alert").textContent).toMatch(/^Too many wrong codes/);
    expect(screen.getByText("Without the app").closest("details")?.open).toBe(true);
  });

  it("that came too late leads back to the password", () => {
    show(NONE, "code-expired");
    expect(screen.getByRole("status").textContent).toMatch(/^That took longer than 10 minutes/);
    expect(screen.getByLabelText("Password")).toBeDefined();
  });
});

describe("a sign-in link", () => {
  it("does not sign in when opened: it names the user, and is used by a press", () => {
    show(USABLE);
    expect(screen.getByText("Role").nextElementSibling?.textContent).toBe("operator");
    const { to, method, fields } = sentBy("Sign in as Ana");
    expect([to, method]).toEqual(["/sign-in/redeem", "post"]);
    expect([...fields]).toEqual([
      ["token", "t-1"],
      ["next", "/c/c-1/nodes?q=w"],
    ]);
  });

  it("does not ask for a password as well", () => {
    show(USABLE);
    expect(screen.queryByLabelText("Password")).toBeNull();
  });

  it("that is refused says why, and leaves the password as a way to sign in", () => {
    show(REFUSED);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
      "This link does not sign you in",
    );
    expect(screen.getByText(/^This link was used already/)).toBeDefined();
    expect(screen.getByText("npx cloudwright sign-in-link").tagName).toBe("CODE");
    expect(screen.getByLabelText("Password")).toBeDefined();
  });

  it("that is refused leads a signed-in user on to where they were going", () => {
    show(REFUSED);
    const link = screen.getByRole("link", { name: "Open the dashboard" });
    expect(link.getAttribute("href")).toBe("/c/c-1/nodes?q=w");
  });
});

describe("signing in with a password", () => {
  it("sends e-mail address and password, and where to go next", async () => {
    const page = show(NONE);
    await page.user.type(screen.getByLabelText("E-mail address"), "ana@example.org");
    await page.user.type(screen.getByLabelText("Password"), " secret ");
    const { to, method, fields } = sentBy("Sign in");
    expect([to, method]).toEqual(["/sign-in/password", "post"]);
    expect(Object.fromEntries(fields)).toEqual({
      next: "/c/c-1/nodes?q=w",
      email: "ana@example.org",
      password: " secret ",
    });
  });

  it("can be filled in by a password manager, and is not auto-corrected", () => {
    show(NONE);
    const email = screen.getByLabelText("E-mail address");
    expect(email.getAttribute("autocomplete")).toBe("username");
    expect(email.getAttribute("autocapitalize")).toBe("none");
    expect(screen.getByLabelText("Password").getAttribute("autocomplete")).toBe("current-password");
  });

  it("says that it was wrong without saying which of the two, at both fields", () => {
    show(NONE, "password");
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toBe("The e-mail address or the password is wrong.");
    for (const label of ["E-mail address", "Password"])
      expect(screen.getByLabelText(label).getAttribute("aria-describedby")).toBe(alert.id);
  });

  it("says how to get in without a password", () => {
    show(NONE);
    const other = within(screen.getByRole("region", { name: "Without a password" }));
    expect(other.getByText("npx cloudwright sign-in-link")).toBeDefined();
  });
});

describe("signing in with an identity provider", () => {
  it("is a link that keeps the destination, above the password", () => {
    show(NONE, undefined, BOTH);
    const link = screen.getByRole("link", { name: "Sign in with Keycloak" });
    expect(link.getAttribute("href")).toBe("/sign-in/oidc?next=%2Fc%2Fc-1%2Fnodes%3Fq%3Dw");
    const field = screen.getByLabelText("Password");
    expect(link.compareDocumentPosition(field)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("is not offered if none is set up", () => {
    show(NONE);
    expect(screen.queryByRole("link", { name: /Sign in with/ })).toBeNull();
  });

  it("can be the only way in, besides a link", () => {
    show(NONE, "oidc-down", PROVIDER);
    expect(screen.queryByLabelText("Password")).toBeNull();
    expect(screen.getByText("npx cloudwright sign-in-link")).toBeDefined();
    expect(screen.getByRole("status").textContent).toMatch(
      /^The identity provider does not answer/,
    );
  });
});

describe("the notice about the previous attempt", () => {
  it.each([
    ["out", /^You are signed out\.$/],
    ["limit", /^Too many attempts/],
    ["origin", /did not come from this page/],
    ["link", /no longer works/],
    ["server", /reaches its database/],
    ["local", /turned off/],
    ["oidc-role", /^None of your groups/],
    ["oidc-taken", /has your e-mail address/],
    ["oidc-unverified", /could not be verified/],
  ])("“%s” is announced", (notice, text) => {
    show(NONE, notice);
    expect(screen.getByRole("status").textContent).toMatch(text);
  });

  it.each(["constructor", "toString", "<b>", ""])("“%s” from an address says nothing", (notice) => {
    show(NONE, notice);
    expect(screen.queryByRole("status")).toBeNull();
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
