import { randomUUID } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { connect, type Database } from "../database/database.ts";
import { listSessions, revokeAllSessions, revokeSession, type SessionContext } from "./sessions.ts";
import { setPassword } from "./set-password.ts";
import { redeemSignInToken } from "./sign-in.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";
import { changeRole, createUser, disableUser, enableUser, listAdmins, listUsers } from "./users.ts";

const PASSWORD = "correct horse battery";

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

async function user(name: string, role: Role): Promise<SessionContext> {
  const id = `id-${name}`;
  await db.prisma.user.create({
    data: { id, name, email: `${name}@example.org`, role, emailVerified: true },
  });
  const sessionId = await session(id);
  const client = { address: "192.0.2.7", agent: "a test" };
  return { db, actor: { id, name, role }, client, sessionId };
}

async function session(userId: string): Promise<string> {
  const id = randomUUID();
  await db.prisma.session.create({
    data: { id, token: `token-${id}`, userId, expiresAt: new Date(Date.now() + 3_600_000) },
  });
  return id;
}

function audit() {
  return db.prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
}

async function everything(): Promise<string> {
  const tables = await Promise.all([
    db.prisma.user.findMany(),
    db.prisma.session.findMany(),
    db.prisma.account.findMany(),
    db.prisma.signInToken.findMany(),
  ]);
  return JSON.stringify(tables);
}

describe("a new user", () => {
  test("gets a link that signs them in once, which only the admin sees", async () => {
    const bo = await user("bo", "admin");
    const { person: shownUser, signIn } = await createUser(bo, {
      name: "Ana",
      email: "ana@example.org",
      role: "operator",
      why: "Joins the shift",
    });
    expect(shownUser).toMatchObject({ name: "Ana", role: "operator", hasPassword: false });
    const token = signIn?.token ?? "";
    const entries = await audit();
    expect(entries).toMatchObject([
      {
        action: "account.create",
        actorName: "bo",
        objectKind: "User",
        objectName: "ana@example.org",
        objectUid: shownUser.id,
        why: "Joins the shift",
        result: "applied",
        clientAddress: "192.0.2.7",
        clientAgent: "a test",
        after: { role: "operator", hasPassword: false },
      },
    ]);
    expect(JSON.stringify(entries.map(({ seq: _, ...entry }) => entry))).not.toContain(token);
    expect(await redeemSignInToken(db, token)).toMatchObject({
      id: shownUser.id,
      role: "operator",
    });
    await expect(redeemSignInToken(db, token)).rejects.toMatchObject({ code: "Precondition" });
  });

  test("may have a password instead, which is not stored in plain text", async () => {
    const bo = await user("bo", "admin");
    const input = { name: "Ana", email: "ana@example.org", role: "viewer" as const };
    const made = await createUser(bo, { ...input, password: PASSWORD });
    expect(made.signIn).toBeUndefined();
    expect(made.person.hasPassword).toBe(true);
    const entries = (await audit()).map(({ seq: _, ...entry }) => entry);
    expect(JSON.stringify(entries) + (await everything())).not.toContain(PASSWORD);
    const credentials = { email: " Ana@Example.org ", password: PASSWORD };
    expect(await signInWithPassword({ db }, credentials)).toMatchObject({
      kind: "signed-in",
      user: { role: "viewer" },
    });
  });

  test("with an existing e-mail address is a conflict, and audited", async () => {
    const bo = await user("bo", "admin");
    const again = createUser(bo, { name: "Bo II", email: "bo@example.org", role: "admin" });
    await expect(again).rejects.toMatchObject({ code: "Conflict" });
    expect(await audit()).toMatchObject([{ action: "account.create", result: "refused" }]);
    expect(await db.prisma.user.count()).toBe(1);
  });
});

describe("who is not an admin", () => {
  test.each<Role>(["viewer", "operator"])(
    "cannot change users as %s, and the attempt is on the record",
    async (role) => {
      await user("bo", "admin");
      const ana = await user("ana", role);
      const li = await user("li", "viewer");
      const before = await everything();
      const id = li.actor.id;
      const tries = [
        () => createUser(ana, { name: "X", email: "x@example.org", role: "admin" }),
        () => changeRole(ana, { id, role: "admin" }),
        () => changeRole(ana, { id: ana.actor.id, role: "admin" }),
        () => disableUser(ana, { id }),
        () => enableUser(ana, { id }),
        () => setPassword(ana, { id, password: PASSWORD }),
        () => revokeSession(ana, { id: li.sessionId ?? "" }),
        () => revokeAllSessions(ana, { userId: id, exceptThis: true }),
      ];
      for (const attempt of tries) {
        await expect(attempt()).rejects.toMatchObject({ code: "Forbidden" });
      }
      expect(await everything()).toBe(before);
      const entries = await audit();
      expect(entries).toHaveLength(tries.length);
      for (const entry of entries) {
        expect(entry).toMatchObject({ result: "refused", actorName: "ana", clientAgent: "a test" });
      }
      await expect(listUsers(ana)).rejects.toMatchObject({ code: "Forbidden" });
      await expect(listSessions(ana, {})).rejects.toMatchObject({ code: "Forbidden" });
      await expect(listSessions(ana, { userId: id })).rejects.toMatchObject({ code: "Forbidden" });
    },
  );

  test("sees whom to ask", async () => {
    await user("li", "admin");
    const bo = await user("bo", "admin");
    const ana = await user("ana", "admin");
    await disableUser(bo, { id: ana.actor.id });
    expect(await listAdmins(db)).toEqual(["bo", "li"]);
  });
});

describe("an admin", () => {
  test("lists users with their rights and when they were last seen", async () => {
    const bo = await user("bo", "admin");
    await user("ana", "viewer");
    expect(await listUsers(bo)).toMatchObject([
      { name: "ana", role: "viewer", disabled: false, sessions: 1, hasPassword: false },
      { name: "bo", role: "admin", sessions: 1 },
    ]);
  });

  test("changes a role, audited once", async () => {
    const bo = await user("bo", "admin");
    const ana = await user("ana", "viewer");
    for (let time = 0; time < 2; time++) {
      const shownUser = await changeRole(bo, {
        id: ana.actor.id,
        role: "operator",
        why: "On call",
      });
      expect(shownUser.role).toBe("operator");
    }
    expect(await audit()).toMatchObject([
      {
        action: "account.change",
        objectName: "ana@example.org",
        before: { role: "viewer" },
        after: { role: "operator" },
        why: "On call",
      },
    ]);
  });

  test("of nobody is reported as such", async () => {
    const bo = await user("bo", "admin");
    await expect(changeRole(bo, { id: "nobody", role: "viewer" })).rejects.toMatchObject({
      code: "NotFound",
    });
  });

  test("must not be the last to leave: the last one stays an admin who can sign in", async () => {
    const bo = await user("bo", "admin");
    const li = await user("li", "admin");
    await disableUser(bo, { id: li.actor.id });
    const before = await everything();
    for (const attempt of [
      () => changeRole(bo, { id: bo.actor.id, role: "operator" }),
      () => disableUser(bo, { id: bo.actor.id }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "Precondition" });
    }
    expect(await everything()).toBe(before);
    expect((await audit()).map((entry) => entry.result)).toEqual(["applied", "refused", "refused"]);
  });

  test("and another who demote each other at once leave one", async () => {
    const bo = await user("bo", "admin");
    const li = await user("li", "admin");
    const both = await Promise.allSettled([
      changeRole(bo, { id: li.actor.id, role: "viewer" }),
      changeRole(li, { id: bo.actor.id, role: "viewer" }),
    ]);
    expect(both.map((each) => each.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await listAdmins(db)).toHaveLength(1);
  });
});

describe("a disabled user", () => {
  test("has no session and cannot sign in until enabled again", async () => {
    const bo = await user("bo", "admin");
    const { person: shownUser, signIn } = await createUser(bo, {
      name: "Ana",
      email: "ana@example.org",
      role: "operator",
    });
    await session(shownUser.id);
    const disabled = await disableUser(bo, { id: shownUser.id, why: "Left the team" });
    expect(disabled).toMatchObject({ disabled: true, disabledWhy: "Left the team", sessions: 0 });
    await expect(redeemSignInToken(db, signIn?.token ?? "")).rejects.toThrow(/not known/);
    await expect(setPassword(bo, { id: shownUser.id, password: PASSWORD })).rejects.toMatchObject({
      code: "Precondition",
    });
    const enabled = await enableUser(bo, { id: shownUser.id });
    expect(enabled).toMatchObject({ disabled: false, disabledWhy: undefined });
    const entries = (await audit()).filter((entry) => entry.result === "applied");
    expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["account.create", null, expect.objectContaining({ email: "ana@example.org" })],
      ["account.disable", { disabled: false }, { disabled: true, endedSessions: 1 }],
      ["account.change", { disabled: true }, { disabled: false }],
    ]);
  });

  test("is refused with the right password, with the same message as everybody", async () => {
    const bo = await user("bo", "admin");
    const ana = await user("ana", "viewer");
    await setPassword(ana, { id: ana.actor.id, password: PASSWORD });
    await disableUser(bo, { id: ana.actor.id });
    const tries = [
      { email: "ana@example.org", password: PASSWORD },
      { email: "ana@example.org", password: "wrong" },
      { email: "bo@example.org", password: PASSWORD },
      { email: "nobody@example.org", password: PASSWORD },
    ];
    const messages = new Set<string>();
    for (const credentials of tries) {
      await signInWithPassword({ db }, credentials).catch((error: Error) =>
        messages.add(error.message),
      );
    }
    expect([...messages]).toEqual(["The e-mail address or the password is wrong."]);
    const refused = (await audit()).filter((entry) => entry.action === "account.refused");
    expect(new Set(refused.map((entry) => entry.actorName))).toEqual(new Set(["Nobody known"]));
    expect(refused.map((entry) => [entry.objectName, entry.why])).toEqual([
      ["ana@example.org", "The account is disabled"],
      ["ana@example.org", "The password was wrong"],
      ["bo@example.org", "The account has no password"],
      [null, expect.not.stringContaining("nobody@")],
    ]);
  });
});

describe("a password", () => {
  test("of the user's own is set, then changed only with the current one, and ends the other sessions", async () => {
    const ana = await user("ana", "viewer");
    const id = ana.actor.id;
    await setPassword(ana, { id, password: PASSWORD });
    await session(id);
    const next = "another good password";
    for (const current of [undefined, "wrong"]) {
      const refused = setPassword(ana, {
        id,
        password: next,
        ...(current === undefined ? {} : { current }),
      });
      await expect(refused).rejects.toMatchObject({ code: "Forbidden" });
    }
    expect(await db.prisma.session.count()).toBe(2);
    await setPassword(ana, { id, password: next, current: PASSWORD });
    expect(await db.prisma.session.findMany()).toMatchObject([{ id: ana.sessionId }]);
    await expect(
      signInWithPassword({ db }, { email: "ana@example.org", password: PASSWORD }),
    ).rejects.toMatchObject({ code: "Forbidden" });
    await signInWithPassword({ db }, { email: "ana@example.org", password: next });
    await expect(setPassword(ana, { id })).rejects.toMatchObject({ code: "Invalid" });
  });

  test("that an admin resets is removed at once, and a link signs the user in once", async () => {
    const bo = await user("bo", "admin");
    const ana = await user("ana", "viewer");
    const id = ana.actor.id;
    await setPassword(bo, { id, password: PASSWORD });
    await session(id);
    const { person: shownUser, signIn } = await setPassword(bo, { id, why: "Lost the phone" });
    expect(shownUser).toMatchObject({ hasPassword: false, sessions: 0 });
    await expect(
      signInWithPassword({ db }, { email: "ana@example.org", password: PASSWORD }),
    ).rejects.toMatchObject({ code: "Forbidden" });
    expect(await redeemSignInToken(db, signIn?.token ?? "")).toMatchObject({ id });
    const entries = (await audit()).filter((entry) => entry.action === "account.password");
    expect(entries).toMatchObject([
      { before: { hasPassword: false }, after: { hasPassword: true, endedSessions: 1 } },
      { before: { hasPassword: true }, after: { hasPassword: false }, why: "Lost the phone" },
    ]);
  });
});

describe("sessions", () => {
  test("are listed without their tokens", async () => {
    const bo = await user("bo", "admin");
    const ana = await user("ana", "viewer");
    const own = await listSessions(ana, { userId: ana.actor.id });
    expect(own).toMatchObject([{ id: ana.sessionId, isThis: true, person: { name: "ana" } }]);
    const all = await listSessions(bo, {});
    expect(all.map(({ person: shownUser, isThis }) => [shownUser.name, isThis]).sort()).toEqual([
      ["ana", false],
      ["bo", true],
    ]);
    expect(JSON.stringify([own, all])).not.toContain("token-");
  });

  test("that are over are not listed", async () => {
    const ana = await user("ana", "viewer");
    await db.prisma.session.updateMany({ data: { expiresAt: new Date(0) } });
    expect(await listSessions(ana, { userId: ana.actor.id })).toEqual([]);
  });

  test("are ended by their user or an admin, and audited", async () => {
    const bo = await user("bo", "admin");
    const ana = await user("ana", "viewer");
    const second = await session(ana.actor.id);
    await revokeSession(ana, { id: second });
    await expect(revokeSession(bo, { id: second })).rejects.toMatchObject({ code: "NotFound" });
    await session(ana.actor.id);
    expect(await revokeAllSessions(ana, { userId: ana.actor.id, exceptThis: true })).toEqual({
      ended: 1,
    });
    expect(await revokeAllSessions(bo, { userId: ana.actor.id, exceptThis: true })).toEqual({
      ended: 1,
    });
    expect(await db.prisma.session.findMany()).toMatchObject([{ id: bo.sessionId }]);
    const applied = (await audit()).filter((entry) => entry.result === "applied");
    expect(applied.map((entry) => [entry.action, entry.actorName, entry.objectName])).toEqual([
      ["account.session-revoke", "ana", "ana@example.org"],
      ["account.session-revoke", "ana", "ana@example.org"],
      ["account.session-revoke", "bo", "ana@example.org"],
    ]);
  });
});
