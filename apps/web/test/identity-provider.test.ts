import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type IdentityProvider,
  identityProvider,
  signInAtProvider,
} from "../../../e2e/harness/identity-provider.ts";
import { CLUSTER, heartbeat } from "../../../packages/store/testing/records.ts";
import { ledger } from "../src/server/ledger.ts";
import {
  openPending,
  type PendingSignIn,
  sealPending,
} from "../src/server/sign-in/oidc/oidc-flow.ts";
import { oidcCallback, oidcRequest } from "../src/server/sign-in/oidc/oidc-requests.ts";
import { passwordRequest } from "../src/server/sign-in/password-request.ts";
import { AUTH_SECRET } from "./testing/auth-secret.ts";
import { formRequest, ORIGIN, testDashboard } from "./testing/dashboard-server.ts";

const CALLBACK = `${ORIGIN}/sign-in/oidc/callback`;

const server = testDashboard([heartbeat()], {
  CLOUDWRIGHT_PUBLIC_URL: ORIGIN,
  CLOUDWRIGHT_OIDC_ROLES: "watchers=viewer; ops=operator; platform=admin",
  CLOUDWRIGHT_OIDC_CLUSTERS: `platform=*; ops=${CLUSTER}`,
  CLOUDWRIGHT_LOCAL_SIGN_IN: "off",
});
let provider: IdentityProvider;

beforeAll(async () => {
  provider = await identityProvider({ redirectUris: [CALLBACK] });
  // Read at the first request.
  Object.assign(process.env, {
    CLOUDWRIGHT_OIDC_ISSUER: provider.issuer,
    CLOUDWRIGHT_OIDC_CLIENT_ID: provider.clientId,
    CLOUDWRIGHT_OIDC_CLIENT_SECRET: provider.clientSecret,
  });
});
afterAll(() => provider.stop());

const goesTo = (answer: Response) => answer.headers.get("location") ?? "";
const begin = (next = "/") =>
  oidcRequest(new Request(`${ORIGIN}/sign-in/oidc?next=${encodeURIComponent(next)}`));
const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
const come = (url: string, cookie: string) =>
  oidcCallback(new Request(url, { headers: { cookie, "user-agent": "a browser of the test" } }));

let made = 0;
function newUser(claims: Readonly<Record<string, unknown>> = {}) {
  made += 1;
  const login = `user-${made}`;
  const email = `${login}@example.org`;
  provider.users.set(login, { email, name: `User ${made}`, groups: ["ops"], ...claims });
  return { login, email };
}

/** Signs in completely, as a browser does. */
async function signIn(login: string, next?: string): Promise<string> {
  const begun = await begin(next);
  return goesTo(await come(await signInAtProvider(goesTo(begun), login), cookieOf(begun)));
}

const userOf = (email: string) => ledger().prisma.user.findUnique({ where: { email } });
const sessionsOf = (email: string) => ledger().prisma.session.count({ where: { user: { email } } });
const lastEntry = () =>
  ledger().prisma.auditEntry.findFirstOrThrow({
    where: { chain: "accounts" },
    orderBy: { seq: "desc" },
  });

describe("a provider that is down when the dashboard starts", () => {
  it("is reported, and works once it is up, without a restart", async () => {
    expect(goesTo(await begin("/c/x"))).toBe("/sign-in?refused=oidc-down&next=%2Fc%2Fx");
    await provider.start();
    const { login } = newUser();
    expect(await signIn(login, "/c/x/nodes?state=stuck")).toBe("/c/x/nodes?state=stuck");
  });

  it("is reported if it goes down before the user returns, and then works again", async () => {
    const { login } = newUser();
    const begun = await begin();
    const back = await signInAtProvider(goesTo(begun), login);
    await provider.stop();
    expect(goesTo(await come(back, cookieOf(begun)))).toBe("/sign-in?refused=oidc-down");
    await provider.start();
    expect(await signIn(login)).toBe("/");
  });
});

describe("signing in at the provider", () => {
  it("requests a code with PKCE, and keeps what must come back out of scripts' reach", async () => {
    const begun = await begin();
    const { searchParams } = new URL(goesTo(begun));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      client_id: provider.clientId,
      redirect_uri: CALLBACK,
      code_challenge_method: "S256",
      scope: "openid profile email",
    });
    expect(searchParams.get("state")).not.toBe(searchParams.get("nonce"));
    const [cookie] = begun.headers.getSetCookie();
    expect(cookie).toMatch(/; Path=\/sign-in\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(searchParams.get("state"));
  });

  it("creates a user with the role and clusters of their groups, on the record", async () => {
    const { login, email } = newUser();
    expect(await signIn(login)).toBe("/");
    expect(await userOf(email)).toMatchObject({
      ...{ role: "operator", restricted: true, clusters: [CLUSTER] },
    });
    const entries = await ledger().prisma.auditEntry.findMany({
      where: { chain: "accounts" },
      orderBy: { seq: "desc" },
      take: 2,
    });
    expect(entries).toMatchObject([
      { action: "account.sign-in", why: `Signed in at ${provider.issuer}`, actorKind: "person" },
      { action: "account.create", actorName: "Identity provider", after: { role: "operator" } },
    ]);
  });

  it("starts a session that ends after twelve hours, however much it is used", async () => {
    const { login, email } = newUser();
    await signIn(login);
    const session = await ledger().prisma.session.findFirstOrThrow({ where: { user: { email } } });
    const hours = ((session.endsAt?.getTime() ?? 0) - session.createdAt.getTime()) / 3_600_000;
    expect(hours).toBeCloseTo(12, 1);
  });

  it("follows the groups at each sign-in, and removes what they no longer give", async () => {
    const { login, email } = newUser({ groups: ["platform"] });
    await signIn(login);
    expect(await userOf(email)).toMatchObject({ role: "admin", restricted: false });
    provider.users.set(login, { email, name: "Less", groups: ["watchers"] });
    await signIn(login);
    expect(await userOf(email)).toMatchObject({ role: "viewer", restricted: true, clusters: [] });
    provider.users.set(login, { email, name: "Less", groups: [] });
    expect(await signIn(login)).toBe("/sign-in?refused=oidc-role");
    expect(await sessionsOf(email)).toBe(0);
    expect(await lastEntry()).toMatchObject({ action: "account.refused", objectName: email });
  });

  it("does not take over a local account with the same e-mail address", async () => {
    const email = "local@example.org";
    await ledger().prisma.user.create({
      data: { id: "local", email, name: "Local", role: "admin" },
    });
    const { login } = newUser({ email, groups: ["platform"] });
    expect(await signIn(login)).toBe("/sign-in?refused=oidc-taken");
    expect(await sessionsOf(email)).toBe(0);
  });

  it("refuses a disabled user, and one without an e-mail address", async () => {
    const { login, email } = newUser();
    await signIn(login);
    await ledger().prisma.user.update({ where: { email }, data: { banned: true } });
    expect(await signIn(login)).toBe("/sign-in?refused=oidc-disabled");
    const nameless = newUser({ email: undefined });
    expect(await signIn(nameless.login)).toBe("/sign-in?refused=oidc-email");
  });

  it("leads only to this site", async () => {
    const { login } = newUser();
    expect(await signIn(login, "//evil.example")).toBe("/");
  });
});

describe("the callback from the provider", () => {
  const other = { text: "x".repeat(43) };
  let begun: Response;
  let back: string;
  let email: string;
  beforeEach(async () => {
    const user = newUser();
    email = user.email;
    begun = await begin();
    back = await signInAtProvider(goesTo(begun), user.login);
  });

  /** Returns this sign-in's cookie with changed content, as only the dashboard can make it. */
  function cookieWith(changed: Partial<PendingSignIn>): string {
    const sealed = cookieOf(begun).slice("cloudwright.oidc=".length);
    const pending = openPending(sealed, { secret: AUTH_SECRET, now: Date.now() });
    if (pending === undefined) throw new Error("The cookie cannot be opened.");
    return `cloudwright.oidc=${sealPending({ ...pending, ...changed }, AUTH_SECRET)}`;
  }

  it.each<[string, () => string, string]>([
    ["no cookie, as in another browser", () => "", "expired"],
    ["a cookie that was changed", () => `${cookieOf(begun)}AA`, "expired"],
    ["a cookie that is too old", () => cookieWith({ until: Date.now() - 1 }), "expired"],
    ["another state", () => cookieWith({ state: other.text }), "unverified"],
    ["another nonce", () => cookieWith({ nonce: other.text }), "unverified"],
    ["another PKCE verifier", () => cookieWith({ verifier: other.text }), "unverified"],
  ])("with %s is refused", async (_, cookie, why) => {
    expect(goesTo(await come(back, cookie()))).toBe(`/sign-in?refused=oidc-${why}`);
    expect(await sessionsOf(email)).toBe(0);
  });

  it.each<[string, (url: URL) => void]>([
    ["another issuer", (url) => url.searchParams.set("iss", "https://evil.example")],
    ["no issuer", (url) => url.searchParams.delete("iss")],
    ["another code", (url) => url.searchParams.set("code", other.text)],
    ["another state", (url) => url.searchParams.set("state", other.text)],
  ])("with %s in its address is refused, which is recorded", async (_, change) => {
    const url = new URL(back);
    change(url);
    expect(goesTo(await come(url.href, cookieOf(begun)))).toBe("/sign-in?refused=oidc-unverified");
    expect(await sessionsOf(email)).toBe(0);
  });

  it("works once", async () => {
    const first = await come(back, cookieOf(begun));
    expect(goesTo(first)).toBe("/");
    expect(first.headers.getSetCookie().at(-1)).toMatch(/^cloudwright\.oidc=; .*Max-Age=0/);
    expect(goesTo(await come(back, cookieOf(begun)))).toBe("/sign-in?refused=oidc-unverified");
    expect(await sessionsOf(email)).toBe(1);
  });

  it("reports a refusal as one", async () => {
    const url = new URL(back);
    url.searchParams.delete("code");
    url.searchParams.set("error", "access_denied");
    expect(goesTo(await come(url.href, cookieOf(begun)))).toBe("/sign-in?refused=oidc-denied");
    expect(await lastEntry()).toMatchObject({ action: "account.refused" });
  });
});

it("a session past its end belongs to nobody, although it was in use until now", async () => {
  const user = await server.signedIn("viewer");
  const { userId } = user;
  const endsAt = (ms: number) =>
    ledger().prisma.session.updateMany({
      where: { userId },
      data: { endsAt: new Date(Date.now() + ms) },
    });
  await endsAt(3_600_000);
  expect((await user.query("sessions.mine")).data).toHaveLength(1);
  await endsAt(-1);
  expect(await user.query("sessions.mine")).toMatchObject({ status: 401 });
});

it("passwords can be turned off", async () => {
  const fields = { email: "ana@example.org", password: "correct horse battery" };
  const answer = await passwordRequest(formRequest("/sign-in/password", fields));
  expect(goesTo(answer)).toBe("/sign-in?refused=local");
});
