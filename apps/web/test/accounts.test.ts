import { createSignInLink } from "@cloudwright/store/users/sign-in";
import { beforeAll, describe, expect, it } from "vitest";
import { CLUSTER, heartbeat } from "../../../packages/store/testing/records.ts";
import { ledger } from "../src/server/ledger.ts";
import { passwordRequest } from "../src/server/sign-in/password-request.ts";
import { redeemRequest } from "../src/server/sign-in/redeem-request.ts";
import { linkState } from "../src/server/sign-in/sign-in-page.ts";
import { signOutRequest } from "../src/server/sign-in/sign-out-request.ts";
import { signedInOf } from "../src/server/sign-in/viewer.ts";
import { type Browser, formRequest, ORIGIN, testDashboard } from "./testing/dashboard-server.ts";

const PASSWORD = "correct horse battery";

const server = testDashboard([heartbeat()]);
let admin: Browser;

beforeAll(async () => {
  admin = await server.signedIn("admin");
});

let made = 0;

/** Creates a user as the page does for the admin; returns the server's answer as well. */
async function newUser(input: object = {}) {
  made += 1;
  const email = `user-${made}@example.org`;
  const answer = await admin.mutate("people.create", {
    name: "Ben",
    email,
    role: "viewer",
    ...input,
  });
  expect(answer.code, answer.message).toBeUndefined();
  const { person: user, signInLink } = answer.data as {
    readonly person: { readonly id: string };
    readonly signInLink: { readonly url: string } | undefined;
  };
  return { id: user.id, email, link: signInLink?.url };
}

const tokenOf = (link: string | undefined) => new URL(link ?? "").searchParams.get("token") ?? "";
const redeem = (token: string, fields: object = {}, origin = ORIGIN) =>
  redeemRequest(formRequest("/sign-in/redeem", { token, ...fields }, { origin }));
const signIn = (email: string, password: string, { next = "/", origin = ORIGIN } = {}) =>
  passwordRequest(formRequest("/sign-in/password", { email, password, next }, { origin }));
const goesTo = (answer: Response) => answer.headers.get("location");
const sessionsOf = (userId: string) => ledger().prisma.session.count({ where: { userId } });
const entriesOf = (action: string, objectUid: string) =>
  ledger().prisma.auditEntry.findMany({
    where: { action, OR: [{ objectUid }, { actorId: objectUid }] },
    orderBy: { seq: "asc" },
  });

describe("a sign-in link", () => {
  it("signs in once, and the second time says that it is used up", async () => {
    const { id, link } = await newUser();
    const token = tokenOf(link);
    expect(goesTo(await redeem(token, { next: "/c/x/nodes?state=stuck" }))).toBe(
      "/c/x/nodes?state=stuck",
    );
    expect(await sessionsOf(id)).toBe(1);
    expect(goesTo(await redeem(token))).toBe("/sign-in?refused=link");
    expect(await sessionsOf(id)).toBe(1);
    expect(await linkState(token)).toMatchObject({ kind: "refused" });
  });

  it("is not used up by looking at it, and shows whom it signs in", async () => {
    const { email, link } = await newUser({ name: "Cleo" });
    const token = tokenOf(link);
    for (const _ of [1, 2])
      expect(await linkState(token)).toMatchObject({
        kind: "usable",
        user: { name: "Cleo", email },
      });
    expect(goesTo(await redeem(token))).toBe("/");
  });

  it.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/..//evil.example",
  ])("leads only to this site: %s goes to its start", async (next) => {
    const { link } = await newUser();
    expect(goesTo(await redeem(tokenOf(link), { next }))).toBe("/");
  });

  it("cannot be used by another site's page", async () => {
    const { id, link } = await newUser();
    const token = tokenOf(link);
    expect(goesTo(await redeem(token, {}, "https://evil.example"))).toBe("/sign-in?refused=origin");
    expect(await sessionsOf(id)).toBe(0);
    expect(await linkState(token)).toMatchObject({ kind: "usable" });
  });

  it.each(["", "not a token", "a".repeat(201), "../../etc"])(
    "forged as “%s” is refused",
    async (token) => {
      expect(goesTo(await redeem(token))).toBe("/sign-in?refused=link");
    },
  );

  it("of a user disabled in the meantime signs nobody in", async () => {
    const { id, link } = await newUser();
    await admin.mutate("people.disable", { id, why: "left" });
    expect(goesTo(await redeem(tokenOf(link)))).toBe("/sign-in?refused=link");
    expect(await sessionsOf(id)).toBe(0);
  });

  it("is stored so that reading the database does not make it usable", async () => {
    const { id, link } = await newUser();
    const rows = await ledger().prisma.signInToken.findMany({ where: { userId: id } });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(tokenOf(link));
  });
});

describe("a password", () => {
  it("signs in, ignoring the address's case and surrounding spaces, and is recorded", async () => {
    const { id, email } = await newUser({ password: PASSWORD });
    expect(goesTo(await signIn(` ${email.toUpperCase()} `, PASSWORD, { next: "/c/x" }))).toBe(
      "/c/x",
    );
    expect(await sessionsOf(id)).toBe(1);
    expect(await entriesOf("account.sign-in", id)).toMatchObject([{ result: "applied" }]);
  });

  it("is refused the same whether it is wrong, of no user, or of a user without one", async () => {
    const known = await newUser({ password: PASSWORD });
    const linkOnly = await newUser();
    const refusals = [
      await signIn(known.email, `${PASSWORD}!`),
      await signIn("nobody@example.org", PASSWORD),
      await signIn(linkOnly.email, PASSWORD),
      await signIn(known.email, ""),
    ];
    expect(refusals.map(goesTo)).toEqual(Array(4).fill("/sign-in?refused=password"));
    expect(refusals.map(({ status }) => status)).toEqual(Array(4).fill(303));
    expect(await sessionsOf(known.id)).toBe(0);
  });

  it("keeps the user's destination for the next attempt", async () => {
    const { email } = await newUser({ password: PASSWORD });
    const answer = await signIn(email, "wrong", { next: "/c/x/nodes" });
    expect(goesTo(answer)).toBe("/sign-in?refused=password&next=%2Fc%2Fx%2Fnodes");
  });

  it("is not checked for another site's page", async () => {
    const { id, email } = await newUser({ password: PASSWORD });
    expect(goesTo(await signIn(email, PASSWORD, { origin: "https://evil.example" }))).toBe(
      "/sign-in?refused=origin",
    );
    expect(await sessionsOf(id)).toBe(0);
  });

  it("is counted if it is wrong, so that an admin notices guessing", async () => {
    const { id, email } = await newUser({ password: PASSWORD });
    for (const _ of [1, 2]) await signIn(email, "wrong");
    const { data } = await admin.query("people.list");
    const users = data as readonly {
      readonly id: string;
      readonly failedSignIns?: { readonly count: number };
    }[];
    expect(users.find((user) => user.id === id)?.failedSignIns).toMatchObject({ count: 2 });
  });

  it("is changed with the current one, which ends the user's other sessions but not this one", async () => {
    const own = await server.signedIn("viewer");
    const set = (input: object) => own.mutate("people.setPassword", { id: own.userId, ...input });
    expect((await set({ password: PASSWORD })).code).toBeUndefined();
    const { email } = await ledger().prisma.user.findUniqueOrThrow({ where: { id: own.userId } });
    await signIn(email, PASSWORD);
    expect(await sessionsOf(own.userId)).toBe(2);
    expect(await set({ password: "another long one", current: "not it" })).toMatchObject({
      code: "FORBIDDEN",
    });
    expect((await set({ password: "another long one", current: PASSWORD })).code).toBeUndefined();
    expect(await sessionsOf(own.userId)).toBe(1);
    expect((await own.query("sessions.mine")).code).toBeUndefined();
    expect(goesTo(await signIn(email, PASSWORD))).toBe("/sign-in?refused=password");
  });

  it("is refused with a sentence if it is too short", async () => {
    const answer = await admin.mutate("people.create", {
      ...{ name: "Ben", email: "short@example.org", role: "viewer", password: "short" },
    });
    expect(answer.code).toBe("BAD_REQUEST");
    expect(await ledger().prisma.user.count({ where: { email: "short@example.org" } })).toBe(0);
  });
});

describe("an admin's change to a user", () => {
  it("applies from the next request of an open session: the role", async () => {
    const other = await server.signedIn("admin");
    expect((await other.query("people.list")).code).toBeUndefined();
    await admin.mutate("people.changeRole", { id: other.userId, role: "viewer", why: "less" });
    expect(await other.query("people.list")).toMatchObject({ code: "FORBIDDEN" });
    expect(await entriesOf("account.change", other.userId)).toMatchObject([
      { why: "less", result: "applied" },
    ]);
  });

  it("applies at once: a disabled user has no session any more, and signs in again once enabled", async () => {
    const other = await server.signedIn("viewer");
    await admin.mutate("people.disable", { id: other.userId, why: "left" });
    expect(await other.query("clusters.list")).toMatchObject({ status: 401 });
    await admin.mutate("people.enable", { id: other.userId });
    expect(await other.query("clusters.list")).toMatchObject({ status: 401 });
  });

  it("applies at once: the clusters that they may see", async () => {
    const other = await server.signedIn("viewer");
    expect((await other.query("clusters.byId", { cluster: CLUSTER })).code).toBeUndefined();
    await admin.mutate("people.setClusters", { id: other.userId, clusters: [] });
    expect(await other.query("clusters.byId", { cluster: CLUSTER })).toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await other.query("clusters.list")).data).toEqual([]);
  });

  it("cannot remove the last user who could undo it", async () => {
    const admins = await ledger().prisma.user.findMany({ where: { role: "admin", banned: false } });
    for (const { id } of admins.filter((each) => each.id !== admin.userId))
      await admin.mutate("people.changeRole", { id, role: "viewer" });
    const demoted = await admin.mutate("people.changeRole", { id: admin.userId, role: "viewer" });
    expect(demoted.code).toBe("PRECONDITION_FAILED");
    const disabled = await admin.mutate("people.disable", { id: admin.userId, why: "x" });
    expect(disabled.code).toBe("PRECONDITION_FAILED");
  });

  it("refuses a second account with the same address, in any case", async () => {
    const { email } = await newUser();
    const answer = await admin.mutate("people.create", {
      name: "Eve",
      email: email.toUpperCase(),
      role: "viewer",
    });
    expect(answer.code).toBe("CONFLICT");
  });

  it("never shows a password or a token in a list", async () => {
    await newUser({ password: PASSWORD });
    const { data } = await admin.query("people.list");
    expect(JSON.stringify(data)).not.toMatch(/scrypt|token|password":"|secret/i);
  });
});

describe("a session", () => {
  it("ends with signing out, which is recorded, and its cookie no longer works", async () => {
    const other = await server.signedIn("viewer");
    const request = new Request(`${ORIGIN}/sign-out`, { method: "POST", headers: other.headers() });
    expect(goesTo(await signOutRequest(request))).toBe("/sign-in?refused=out");
    expect(await sessionsOf(other.userId)).toBe(0);
    expect(await signedInOf(other.headers())).toBeUndefined();
    expect(await entriesOf("account.sign-out", other.userId)).toHaveLength(1);
  });

  it("is not ended by another site's page", async () => {
    const other = await server.signedIn("viewer");
    const headers = other.headers({ origin: "https://evil.example" });
    const answer = await signOutRequest(
      new Request(`${ORIGIN}/sign-out`, { method: "POST", headers }),
    );
    expect(answer.status).toBe(403);
    expect(await sessionsOf(other.userId)).toBe(1);
  });

  it("of another user can be neither ended nor seen", async () => {
    const [ana, ben] = [await server.signedIn("operator"), await server.signedIn("viewer")];
    const { id } = await ledger().prisma.session.findFirstOrThrow({
      where: { userId: ben.userId },
    });
    expect(await ana.mutate("sessions.revoke", { id })).toMatchObject({ code: "FORBIDDEN" });
    const { data } = await ana.query("sessions.mine");
    expect((data as readonly { readonly id: string }[]).map((each) => each.id)).not.toContain(id);
    expect((await ben.mutate("sessions.revokeAll", {})).data).toEqual({ ended: 0 });
    expect((await ben.query("sessions.mine")).data).toHaveLength(1);
  });

  it("of a link used from another address is still only its user's", async () => {
    const { email } = await newUser();
    const link = await createSignInLink(ledger(), { baseUrl: ORIGIN, email });
    expect(await linkState(tokenOf(link))).toMatchObject({ user: { email } });
  });
});
