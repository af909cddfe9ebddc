import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { connect, type Database } from "../database/database.ts";
import { createSignInLink, peekSignInToken, redeemSignInToken } from "./sign-in.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

let db: Database;
beforeEach(async () => {
  db = connect(await server.migrated());
  return () => db.close();
});

const OPERATOR = {
  baseUrl: "http://127.0.0.1:3000/",
  email: "Operator@localhost",
  role: "admin",
} as const;

async function token(lifetimeMs?: number): Promise<string> {
  const link = await createSignInLink(db, {
    ...OPERATOR,
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
  });
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/sign-in\?token=[\w-]{43}$/);
  return new URL(link).searchParams.get("token") ?? "";
}

function audit() {
  return db.prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
}

describe("a sign-in link", () => {
  test("signs its user in, who is created if absent, with an audit entry", async () => {
    const client = { address: "192.0.2.7", agent: "a test" };
    const user = await redeemSignInToken(db, await token(), client);
    expect(user).toMatchObject({ email: "operator@localhost", name: "Local admin", role: "admin" });
    expect(await audit()).toMatchObject([
      { action: "account.create", actorKind: "system", objectName: "operator@localhost" },
      {
        action: "account.sign-in",
        actorId: user.id,
        clusterId: null,
        result: "applied",
        clientAddress: "192.0.2.7",
        clientAgent: "a test",
      },
    ]);
  });

  test("for an existing user audits a change of the role", async () => {
    await createSignInLink(db, OPERATOR);
    await createSignInLink(db, OPERATOR);
    await createSignInLink(db, { ...OPERATOR, role: "viewer" });
    const { role: _, ...asBefore } = OPERATOR;
    await createSignInLink(db, asBefore);
    expect((await db.prisma.user.findMany()).map((user) => user.role)).toEqual(["viewer"]);
    expect(await audit()).toMatchObject([
      { action: "account.create", after: { role: "admin" } },
      { action: "account.change", before: { role: "admin" }, after: { role: "viewer" } },
    ]);
  });

  test("creates the first user of all, and after that only users for whom a role is named", async () => {
    const { baseUrl } = OPERATOR;
    await createSignInLink(db, { baseUrl, email: "Ana@example.org" });
    await expect(createSignInLink(db, { baseUrl, email: "bo@example.org" })).rejects.toThrow(
      "Nobody has the e-mail address bo@example.org here: correct it, have an admin add the user in Settings, or create the user with --role.",
    );
    await createSignInLink(db, { baseUrl, email: "bo@example.org", role: "viewer" });
    await createSignInLink(db, { baseUrl, email: "operator@localhost" });
    const users = await db.prisma.user.findMany({ orderBy: { email: "asc" } });
    expect(users.map(({ email, role }) => [email, role])).toEqual([
      ["ana@example.org", "admin"],
      ["bo@example.org", "viewer"],
      ["operator@localhost", "admin"],
    ]);
  });

  test("is refused for an invalid e-mail address, with a role as well", async () => {
    const { baseUrl } = OPERATOR;
    for (const over of [{}, { role: "admin" }] as const) {
      await expect(createSignInLink(db, { baseUrl, email: "nope", ...over })).rejects.toThrow(
        /^"nope" is not an e-mail address: write it like ana@example\.org\.$/,
      );
    }
    expect(await db.prisma.user.count()).toBe(0);
  });

  test("is for the same user each time", async () => {
    const first = await redeemSignInToken(db, await token());
    const second = await redeemSignInToken(db, await token());
    expect(second).toEqual(first);
  });

  test("works once, even if it is opened twice at the same moment", async () => {
    const value = await token();
    const results = await Promise.allSettled([1, 2, 3].map(() => redeemSignInToken(db, value)));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    await expect(redeemSignInToken(db, value)).rejects.toThrow(/was used already.*sign-in-link/);
  });

  test("that is refused leaves an audit entry, even when it is unknown who tried", async () => {
    await expect(redeemSignInToken(db, await token(0))).rejects.toThrow();
    await expect(redeemSignInToken(db, "x".repeat(43))).rejects.toThrow();
    expect((await audit()).filter(({ action }) => action !== "account.create")).toMatchObject([
      { action: "account.refused", actorName: "Local admin", result: "refused" },
      { action: "account.refused", actorName: "Nobody known", actorKind: "system" },
    ]);
  });

  test("can be looked at without using it up", async () => {
    const value = await token();
    expect(await peekSignInToken(db, value)).toMatchObject({ email: "operator@localhost" });
    await redeemSignInToken(db, value);
    await expect(peekSignInToken(db, value)).rejects.toMatchObject({ code: "Precondition" });
  });

  test("ends after its lifetime", async () => {
    const value = await token(0);
    await expect(redeemSignInToken(db, value)).rejects.toThrow(/has expired/);
    await expect(peekSignInToken(db, value)).rejects.toThrow(/has expired/);
  });

  test("is refused when it was never created here", async () => {
    await expect(redeemSignInToken(db, "x".repeat(43))).rejects.toThrow(/is not known here/);
  });

  test("does not sign a disabled user in, and is not used up by trying", async () => {
    const value = await token();
    await db.prisma.user.updateMany({ data: { banned: true } });
    await expect(redeemSignInToken(db, value)).rejects.toMatchObject({ code: "Forbidden" });
    await db.prisma.user.updateMany({ data: { banned: false } });
    await expect(redeemSignInToken(db, value)).resolves.toMatchObject({ role: "admin" });
  });

  test("cannot be read back from the database", async () => {
    const value = await token();
    const rows = await db.prisma.signInToken.findMany();
    expect(JSON.stringify(rows)).not.toContain(value);
  });
});
