import { createSignInLink } from "@cloudwright/store/users/sign-in";
import { beforeAll, describe, expect, it } from "vitest";
import { appCode, STEP_MS } from "../../../packages/store/testing/app-code.ts";
import { heartbeat } from "../../../packages/store/testing/records.ts";
import { ledger } from "../src/server/ledger.ts";
import { codeRequest } from "../src/server/sign-in/code-request.ts";
import { passwordRequest } from "../src/server/sign-in/password-request.ts";
import { redeemRequest } from "../src/server/sign-in/redeem-request.ts";
import { codeAskedOf } from "../src/server/sign-in/sign-in-page.ts";
import { type Browser, formRequest, ORIGIN, testDashboard } from "./testing/dashboard-server.ts";

const PASSWORD = "correct horse battery";

const server = testDashboard([heartbeat()]);
let admin: Browser;

beforeAll(async () => {
  admin = await server.signedIn("admin");
});

interface WithApp {
  readonly browser: Browser;
  readonly id: string;
  readonly email: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Creates a user with a password and an app, as the page does it, with the current code. */
async function userWithApp(): Promise<WithApp> {
  const browser = await server.signedIn("viewer");
  const { userId: id } = browser;
  await browser.mutate("people.setPassword", { id, password: PASSWORD });
  const begun = await browser.mutate("people.beginAuthenticator", { password: PASSWORD });
  const { secret } = begun.data as { readonly secret: string };
  const code = appCode(secret, Date.now());
  const confirmed = await browser.mutate("people.confirmAuthenticator", { code });
  expect(confirmed.code, confirmed.message).toBeUndefined();
  const { recoveryCodes } = confirmed.data as { readonly recoveryCodes: readonly string[] };
  const { email } = await ledger().prisma.user.findUniqueOrThrow({ where: { id } });
  return { browser, id, email, secret, recoveryCodes };
}

/** Returns the code after the confirmation's; it is valid even if the time step ends in between. */
const nextCode = (secret: string) => appCode(secret, Date.now() + STEP_MS);
const goesTo = (answer: Response) => answer.headers.get("location");
const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
const sessionsOf = (userId: string) => ledger().prisma.session.count({ where: { userId } });

const sendPassword = (email: string, next = "/") =>
  passwordRequest(formRequest("/sign-in/password", { email, password: PASSWORD, next }));
const sendCode = (code: string, cookie: string, { next = "/", origin = ORIGIN } = {}) =>
  codeRequest(formRequest("/sign-in/code", { code, next }, { origin, cookie }));

/** Returns the cookie that the browser has after a right password. */
async function afterPassword(email: string): Promise<string> {
  return cookieOf(await sendPassword(email));
}

describe("signing in to an account with an authenticator app", () => {
  it("starts no session with the password, and one with the code, once", async () => {
    const { id, email, secret } = await userWithApp();
    const before = await sessionsOf(id);
    const asked = await sendPassword(email, "/c/x/nodes");
    expect(goesTo(asked)).toBe("/sign-in?step=code&next=%2Fc%2Fx%2Fnodes");
    expect(await sessionsOf(id)).toBe(before);
    const [kept] = asked.headers.getSetCookie();
    expect(kept).toMatch(/^cloudwright\.code=[\w-]+; Path=\/sign-in; Max-Age=600; HttpOnly; Same/);
    expect(kept).not.toContain(email);
    const cookie = cookieOf(asked);
    expect(codeAskedOf(new Headers({ cookie }))).toEqual({ email });
    const code = nextCode(secret);
    const answer = await sendCode(code, cookie, { next: "/c/x/nodes" });
    expect(goesTo(answer)).toBe("/c/x/nodes");
    expect(answer.headers.getSetCookie()[0]).toMatch(/^cloudwright\.code=; .*Max-Age=0/);
    expect(await sessionsOf(id)).toBe(before + 1);
    expect(goesTo(await sendCode(code, cookie))).toBe("/sign-in?refused=code");
    expect(await sessionsOf(id)).toBe(before + 1);
    const entries = await ledger().prisma.auditEntry.findMany({
      where: { action: "account.sign-in", actorId: id },
      orderBy: { seq: "desc" },
    });
    expect(entries[0]).toMatchObject({
      why: "Signed in with a password and a code of the authenticator app",
    });
  });

  it("works with a recovery code, once", async () => {
    const { id, email, recoveryCodes } = await userWithApp();
    const before = await sessionsOf(id);
    const cookie = await afterPassword(email);
    const [code = ""] = recoveryCodes;
    expect(goesTo(await sendCode(code, cookie))).toBe("/");
    expect(goesTo(await sendCode(code, cookie))).toBe("/sign-in?refused=code");
    expect(await sessionsOf(id)).toBe(before + 1);
  });

  it.each([
    ["without the password before", ""],
    ["with a cookie that somebody made up", "cloudwright.code=bm90IG91cnM"],
  ])("is refused %s", async (_, cookie) => {
    const { id, secret } = await userWithApp();
    const before = await sessionsOf(id);
    const answer = await sendCode(nextCode(secret), cookie);
    expect(goesTo(answer)).toBe("/sign-in?refused=code-expired");
    expect(await sessionsOf(id)).toBe(before);
    expect(codeAskedOf(new Headers({ cookie }))).toBeUndefined();
  });

  it("is refused with another user's code, and from another site's page", async () => {
    const ana = await userWithApp();
    const bo = await userWithApp();
    const cookie = await afterPassword(ana.email);
    const code = nextCode(bo.secret);
    expect(goesTo(await sendCode(code, cookie))).toBe("/sign-in?refused=code");
    expect(goesTo(await sendCode(bo.recoveryCodes[0] ?? "", cookie))).toBe("/sign-in?refused=code");
    const origin = "https://evil.example";
    const own = nextCode(ana.secret);
    expect(goesTo(await sendCode(own, cookie, { origin }))).toBe("/sign-in?refused=origin");
  });

  it("counts an account's wrong codes, which an admin sees", async () => {
    const { id, email } = await userWithApp();
    const cookie = await afterPassword(email);
    for (const code of ["000000", "", "x".repeat(41), "１２３４５６"]) {
      expect(goesTo(await sendCode(code, cookie, { next: "/c/x" }))).toBe(
        "/sign-in?refused=code&next=%2Fc%2Fx",
      );
    }
    const { data } = await admin.query("people.list");
    const users = data as readonly {
      readonly id: string;
      readonly authenticator?: unknown;
      readonly failedSignIns?: { readonly count: number };
    }[];
    const found = users.find((user) => user.id === id);
    expect(found?.failedSignIns).toMatchObject({ count: 2 });
    expect(found?.authenticator).toMatchObject({ recoveryCodes: 10 });
  });

  it("accepts only recovery codes after too many wrong codes, and says so", async () => {
    const { id, email, secret } = await userWithApp();
    const cookie = await afterPassword(email);
    await ledger().prisma.authenticator.update({
      where: { userId: id },
      data: { wrongCodes: 100 },
    });
    expect(goesTo(await sendCode(nextCode(secret), cookie))).toBe("/sign-in?refused=code-locked");
  });

  it("asks for no code when signing in with a link", async () => {
    const { id, email } = await userWithApp();
    const before = await sessionsOf(id);
    const link = await createSignInLink(ledger(), { baseUrl: ORIGIN, email });
    const token = new URL(link).searchParams.get("token") ?? "";
    expect(goesTo(await redeemRequest(formRequest("/sign-in/redeem", { token })))).toBe("/");
    expect(await sessionsOf(id)).toBe(before + 1);
  });
});

describe("an authenticator app", () => {
  it("is removed by an admin, after which the password alone signs in", async () => {
    const { id, email } = await userWithApp();
    const other = await server.signedIn("operator");
    expect(await other.mutate("people.removeAuthenticator", { id })).toMatchObject({
      code: "FORBIDDEN",
    });
    const removed = await admin.mutate("people.removeAuthenticator", { id, why: "Lost phone" });
    expect(removed.code, removed.message).toBeUndefined();
    expect(goesTo(await sendPassword(email))).toBe("/");
  });

  it("of the user themselves is not removed without proof, nor can proofs be tried endlessly", async () => {
    const { browser, id } = await userWithApp();
    const codes: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      codes.push((await browser.mutate("people.removeAuthenticator", { id })).code);
    }
    expect(codes.slice(0, 7)).toEqual(Array(7).fill("FORBIDDEN"));
    expect(codes[7]).toBe("TOO_MANY_REQUESTS");
  });

  it("never shows its secret after the confirmation, in any answer or entry", async () => {
    const { browser, secret, recoveryCodes } = await userWithApp();
    const answers = await Promise.all([
      browser.query("people.me"),
      admin.query("people.list"),
      browser.mutate("people.beginAuthenticator", { password: PASSWORD }),
    ]);
    const entries = await ledger().prisma.auditEntry.findMany({ omit: { seq: true } });
    const text = JSON.stringify([answers.map(({ data, message }) => [data, message]), entries]);
    for (const clear of [secret, ...recoveryCodes]) expect(text).not.toContain(clear);
    expect(answers[2]).toMatchObject({ code: "PRECONDITION_FAILED" });
  });
});
