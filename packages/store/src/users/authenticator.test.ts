import { randomUUID } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import { beforeEach, describe, expect, test } from "vitest";
import { appCode, STEP_MS } from "../../testing/app-code.ts";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { quickHash } from "../../testing/quick-hash.ts";
import { WRONG_CODES_MOST } from "./accept-code.ts";
import {
  type AuthenticatorContext,
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
} from "./authenticator.ts";
import { createPasswordAccount, setPassword } from "./set-password.ts";
import { createSignInLink, redeemSignInToken } from "./sign-in.ts";
import { signInWithCode } from "./sign-in-with-code.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";
import { disableUser, listUsers } from "./users.ts";

const PASSWORD = "correct horse battery";
const AUTH_SECRET = "a secret of more than 32 characters";
const NOW = 1_800_000_000_000;
/** When the code after the confirmation's is shown. */
const LATER = NOW + STEP_MS;

const database = useClusterDatabase();

async function user(name: string, role: Role = "viewer"): Promise<AuthenticatorContext> {
  const { db } = database;
  await db.prisma.user.create({
    data: { id: name, name, email: `${name}@example.org`, role, emailVerified: true },
  });
  const client = { address: "192.0.2.7", agent: "a test" };
  return { db, actor: { id: name, name, role }, client, authSecret: AUTH_SECRET, now: NOW };
}

let ana: AuthenticatorContext;
beforeEach(async () => {
  ana = await user("ana");
  await createPasswordAccount(database.db.prisma, "ana", quickHash(PASSWORD));
});

async function added() {
  const { secret, uri } = await beginAuthenticator(ana, { password: PASSWORD });
  const { person, recoveryCodes } = await confirmAuthenticator(ana, { code: appCode(secret, NOW) });
  return { secret, uri, person, recoveryCodes };
}

const withPassword = () =>
  signInWithPassword({ db: database.db }, { email: "ana@example.org", password: PASSWORD });

/** Performs both steps of a sign-in. */
async function signIn(code: string, { now = LATER, authSecret = AUTH_SECRET } = {}) {
  const answer = await withPassword();
  if (answer.kind !== "code") throw new Error("No code was asked for.");
  const { user: asked, passwordId } = answer;
  const context = { db: database.db, client: ana.client };
  return signInWithCode(context, { userId: asked.id, passwordId, code, now, authSecret });
}

const FORBIDDEN = { code: "Forbidden" };
const entries = (action: string) =>
  database.db.prisma.auditEntry.findMany({ where: { action }, orderBy: { seq: "asc" } });
const reasons = async () => (await entries("account.refused")).map(({ why }) => why);

describe("adding an app", () => {
  test("does not ask for a code until its first code has been entered", async () => {
    const { secret } = await beginAuthenticator(ana, { password: PASSWORD });
    expect(await withPassword()).toMatchObject({ kind: "signed-in", user: { id: "ana" } });
    const { person } = await confirmAuthenticator(ana, { code: appCode(secret, NOW) });
    expect(person.authenticator).toEqual({ since: NOW, recoveryCodes: 10 });
    expect(await withPassword()).toMatchObject({ kind: "code", user: { id: "ana" } });
  });

  test("is audited, and its secrets appear nowhere in plain text", async () => {
    const { secret, uri, recoveryCodes } = await added();
    expect(await entries("account.authenticator-add")).toMatchObject([
      {
        actorId: "ana",
        objectUid: "ana",
        result: "applied",
        before: { authenticator: false },
        after: { authenticator: true, recoveryCodes: 10 },
      },
    ]);
    const { prisma } = database.db;
    const kept = await Promise.all([
      prisma.authenticator.findMany(),
      prisma.recoveryCode.findMany(),
      prisma.user.findMany(),
      prisma.auditEntry.findMany({ omit: { seq: true } }),
    ]);
    const text = JSON.stringify(kept);
    for (const clear of [secret, uri, ...recoveryCodes, ...recoveryCodes.map(plain)]) {
      expect(text).not.toContain(clear);
    }
    const bo = await user("bo", "admin");
    expect(JSON.stringify(await listUsers(bo))).not.toContain(secret);
  });

  test("needs the password, and the app's own code", async () => {
    await expect(beginAuthenticator(ana, { password: "wrong" })).rejects.toMatchObject(FORBIDDEN);
    await expect(confirmAuthenticator(ana, { code: "123456" })).rejects.toMatchObject({
      code: "Precondition",
    });
    const { secret } = await beginAuthenticator(ana, { password: PASSWORD });
    const code = appCode(secret, NOW - 5 * STEP_MS);
    await expect(confirmAuthenticator(ana, { code })).rejects.toMatchObject(FORBIDDEN);
    const refused = await entries("account.authenticator-add");
    expect(refused.map(({ result }) => result)).toEqual(["refused", "refused", "refused"]);
    expect(await withPassword()).toMatchObject({ kind: "signed-in" });
  });

  test("invalidates the earlier secret when it is begun again", async () => {
    const first = await beginAuthenticator(ana, { password: PASSWORD });
    const second = await beginAuthenticator(ana, { password: PASSWORD });
    expect(second.secret).not.toBe(first.secret);
    const code = appCode(first.secret, NOW);
    await expect(confirmAuthenticator(ana, { code })).rejects.toMatchObject(FORBIDDEN);
    await confirmAuthenticator(ana, { code: appCode(second.secret, NOW) });
  });

  test("is refused to users who have one, have no password, or sign in at the identity provider", async () => {
    await added();
    const cy = await user("cy");
    const external = await user("di");
    await database.db.prisma.account.create({
      data: { id: randomUUID(), userId: "di", providerId: "oidc:https://id", accountId: "di" },
    });
    for (const context of [ana, cy, external]) {
      await expect(beginAuthenticator(context, { password: PASSWORD })).rejects.toMatchObject({
        code: "Precondition",
      });
    }
  });
});

function plain(code: string): string {
  return code.replaceAll("-", "");
}

describe("a code of the app", () => {
  test("signs in, with spaces as apps show it, and never twice", async () => {
    const { secret } = await added();
    const code = appCode(secret, LATER);
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect(await signIn(typed)).toMatchObject({ user: { id: "ana" }, by: "app" });
    await expect(signIn(code)).rejects.toMatchObject(FORBIDDEN);
    expect(await reasons()).toEqual(["The code was used already"]);
  });

  test("of the confirmation does not sign in, nor does one of an earlier step", async () => {
    const { secret } = await added();
    for (const at of [NOW, NOW - STEP_MS]) {
      await expect(signIn(appCode(secret, at), { now: NOW })).rejects.toMatchObject(FORBIDDEN);
    }
    expect(await reasons()).toEqual(Array(2).fill("The code was used already"));
  });

  test.each([
    ["a clock one step behind", -1, true],
    ["a clock one step ahead", 1, true],
    ["a clock two steps behind", -2, false],
    ["a clock two steps ahead", 2, false],
  ])("with %s", async (_, drift, isAccepted) => {
    const { secret } = await added();
    const now = NOW + 10 * STEP_MS;
    const attempt = signIn(appCode(secret, now + drift * STEP_MS), { now });
    if (isAccepted) await expect(attempt).resolves.toMatchObject({ by: "app" });
    else await expect(attempt).rejects.toMatchObject(FORBIDDEN);
  });

  test("lets in one of two who send it at once", async () => {
    const { secret } = await added();
    const code = appCode(secret, LATER);
    const both = await Promise.allSettled([signIn(code), signIn(code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("that is wrong is counted like a wrong password, without a known user", async () => {
    await added();
    const bo = await user("bo", "admin");
    await expect(signIn("000000")).rejects.toMatchObject(FORBIDDEN);
    await expect(signIn("not a code")).rejects.toMatchObject(FORBIDDEN);
    expect(await entries("account.refused")).toMatchObject(
      Array(2).fill({
        actorName: "Nobody known",
        objectUid: "ana",
        result: "refused",
        clientAddress: "192.0.2.7",
        why: "The code of the authenticator app was wrong",
      }),
    );
    const found = (await listUsers(bo)).find(({ id }) => id === "ana");
    expect(found).toMatchObject({
      authenticator: { since: NOW, recoveryCodes: 10 },
      failedSignIns: { count: 2, lastAddress: "192.0.2.7" },
    });
  });

  test("is invalid once the password is changed, the user is disabled, or the app is removed", async () => {
    const { secret } = await added();
    const code = appCode(secret, LATER);
    const answer = await withPassword();
    if (answer.kind !== "code") throw new Error("No code was asked for.");
    const { passwordId } = answer;
    const rest = { userId: "ana", code, now: LATER, authSecret: AUTH_SECRET };
    const send = (id: string) => signInWithCode({ db: database.db }, { ...rest, passwordId: id });
    await setPassword(ana, { id: "ana", password: "another long one", current: PASSWORD });
    await expect(send(passwordId)).rejects.toMatchObject(FORBIDDEN);
    const now = await database.db.prisma.account.findFirstOrThrow({ where: { userId: "ana" } });
    const bo = await user("bo", "admin");
    await disableUser(bo, { id: "ana", why: "left" });
    await expect(send(now.id)).rejects.toMatchObject(FORBIDDEN);
    await database.db.prisma.user.update({ where: { id: "ana" }, data: { banned: false } });
    await removeAuthenticator(bo, { id: "ana", why: "lost" });
    await expect(send(now.id)).rejects.toMatchObject(FORBIDDEN);
  });

  test("cannot be checked after the dashboard's secret was changed, but a recovery code still can", async () => {
    const { secret, recoveryCodes } = await added();
    const authSecret = `${AUTH_SECRET}, another`;
    await expect(signIn(appCode(secret, LATER), { authSecret })).rejects.toMatchObject(FORBIDDEN);
    expect((await reasons())[0]).toContain("another CLOUDWRIGHT_AUTH_SECRET");
    const code = recoveryCodes[0] ?? "";
    expect(await signIn(code, { authSecret })).toMatchObject({ by: "recovery-code" });
  });
});

describe("guessing codes of the app", () => {
  const wrongOnes = (count: number) =>
    database.db.prisma.authenticator.update({
      where: { userId: "ana" },
      data: { wrongCodes: count },
    });

  test("ends after a hundred, and a recovery code resets the count", async () => {
    const { secret, recoveryCodes } = await added();
    await wrongOnes(WRONG_CODES_MOST - 1);
    await expect(signIn("000000")).rejects.toMatchObject(FORBIDDEN);
    const right = appCode(secret, LATER);
    await expect(signIn(right)).rejects.toMatchObject({ code: "Limit" });
    expect((await reasons())[1]).toContain("wrong 100 times: only a recovery code");
    expect(await signIn(recoveryCodes[0] ?? "")).toMatchObject({ by: "recovery-code" });
    expect(await signIn(right)).toMatchObject({ by: "app" });
  });

  test("is forgotten after a right code", async () => {
    const { secret } = await added();
    await wrongOnes(WRONG_CODES_MOST - 1);
    expect(await signIn(appCode(secret, LATER))).toMatchObject({ by: "app" });
    const { wrongCodes } = await database.db.prisma.authenticator.findFirstOrThrow();
    expect(wrongCodes).toBe(0);
  });
});

describe("a recovery code", () => {
  test("signs in once, and the others still do", async () => {
    const { recoveryCodes } = await added();
    const [first = "", second = ""] = recoveryCodes;
    expect(await signIn(first.toLowerCase())).toMatchObject({ by: "recovery-code" });
    await expect(signIn(first)).rejects.toMatchObject(FORBIDDEN);
    expect(await reasons()).toEqual(["The code was used already"]);
    expect(await signIn(second.replaceAll("-", ""))).toMatchObject({ user: { id: "ana" } });
    const bo = await user("bo", "admin");
    const found = (await listUsers(bo)).find(({ id }) => id === "ana");
    expect(found?.authenticator?.recoveryCodes).toBe(8);
  });

  test("lets in one of two who send it at once, and nobody with another user's", async () => {
    const { recoveryCodes } = await added();
    const [code = ""] = recoveryCodes;
    const both = await Promise.allSettled([signIn(code), signIn(code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(signIn("ABCD-EFGH-IJKL-MNOP")).rejects.toMatchObject(FORBIDDEN);
  });
});

describe("removing an app", () => {
  test("takes the password or a code, and is audited", async () => {
    const { secret } = await added();
    for (const proof of [{}, { password: "wrong" }, { code: "000000" }]) {
      const attempt = removeAuthenticator(ana, { id: "ana", ...proof });
      await expect(attempt).rejects.toMatchObject(FORBIDDEN);
    }
    const later = { ...ana, now: LATER };
    const gone = await removeAuthenticator(later, { id: "ana", code: appCode(secret, LATER) });
    expect(gone.authenticator).toBeUndefined();
    await added();
    await removeAuthenticator(ana, { id: "ana", password: PASSWORD });
    expect(await withPassword()).toMatchObject({ kind: "signed-in" });
    expect(await database.db.prisma.recoveryCode.count()).toBe(0);
    const recorded = await entries("account.authenticator-remove");
    expect(recorded.map(({ result }) => result)).toEqual([
      ...["refused", "refused", "refused"],
      ...["applied", "applied"],
    ]);
  });

  test("of another user is only for admins", async () => {
    await added();
    const cy = await user("cy", "operator");
    const bo = await user("bo", "admin");
    const input = { id: "ana", why: "Lost the phone" };
    await expect(removeAuthenticator(cy, input)).rejects.toMatchObject(FORBIDDEN);
    expect((await removeAuthenticator(bo, input)).authenticator).toBeUndefined();
    await expect(removeAuthenticator(bo, input)).rejects.toMatchObject({ code: "Precondition" });
    expect(await entries("account.authenticator-remove")).toMatchObject([
      { actorId: "cy", result: "refused" },
      { actorId: "bo", objectUid: "ana", result: "applied", why: "Lost the phone" },
      { actorId: "bo", result: "refused" },
    ]);
  });
});

test("a sign-in link asks for no code", async () => {
  await added();
  const link = await createSignInLink(database.db, {
    baseUrl: "http://127.0.0.1:3000",
    email: "ana@example.org",
  });
  const token = new URL(link).searchParams.get("token") ?? "";
  expect(await redeemSignInToken(database.db, token)).toMatchObject({ id: "ana" });
});
