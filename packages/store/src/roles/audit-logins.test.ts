import { randomUUID } from "node:crypto";
import { OTHER_ACTIONS } from "@cloudwright/core/model/audit/audit";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { auditEntry, CLUSTER, heartbeat } from "../../testing/records.ts";
import { type SignedInUser, signedIn } from "../../testing/signed-in.ts";
import { type EntrySource, entryRow } from "../audit/audit-insert.ts";
import { verifyChain } from "../audit/verify-chain.ts";
import { connect, type Database } from "../database/database.ts";
import { requestIntent } from "../intents/request-intent.ts";
import { clusterRows } from "../ledger/record-rows.ts";
import { ADD_ENTRIES, UPSERT_CLUSTERS } from "../sql/statements.ts";
import { storableJson } from "../text/storable-json.ts";
import { admitExternalUser } from "../users/external-sign-in.ts";
import { revokeAllSessions } from "../users/sessions.ts";
import { createSignInLink, redeemSignInToken } from "../users/sign-in.ts";
import { disableUser } from "../users/users.ts";
import {
  grantCluster,
  grantRoles,
  listControllerLogins,
  loginStanding,
  openClusterLogin,
  openRoleLogins,
  type RoleUrls,
  revokeCluster,
} from "./role-logins.ts";

const OTHER = "6f3c2a10-0000-4000-8000-000000000002";

let server: TestServer;
let owner: Database;
let controller: Database;
let web: Database;
let ownerUrl: string;
let urls: RoleUrls;
beforeAll(async () => {
  server = await startTestServer({ ownServer: true });
});
afterAll(() => server.dispose());

beforeEach(async () => {
  ownerUrl = await server.migrated();
  await grantRoles(ownerUrl);
  urls = await openRoleLogins(ownerUrl);
  owner = connect(ownerUrl);
  controller = connect(urls.controller);
  web = connect(urls.web);
  const clusters = [heartbeat(), heartbeat({ cluster: OTHER, clusterName: "other" })];
  await owner.pool.query(UPSERT_CLUSTERS, [storableJson(clusterRows(clusters))]);
  return () => Promise.all([owner, controller, web].map((db) => db.close()));
});

type Over = Parameters<typeof auditEntry>[0];

async function append(db: Database, over: Over, source?: EntrySource & object): Promise<void> {
  await db.pool.query(ADD_ENTRIES, [storableJson({ ...entryRow(auditEntry(over), source) })]);
}

function byUser({ actor }: SignedInUser, over: Over = {}): NonNullable<Over> {
  const { id, name } = actor;
  return { action: "intent.request", actor: { kind: "person", id, name }, ...over };
}

async function entries() {
  return await owner.prisma.auditEntry.findMany({ orderBy: [{ chain: "asc" }, { seq: "asc" }] });
}

const REFUSED = { code: "42501" };
const NEVER = { code: "23514" };

describe("through the dashboard's login the identity provider", () => {
  const identity = {
    ...{ issuer: "https://id.example.org", subject: "ana-1", email: "ana@example.org" },
    ...{ name: "Ana", role: "admin" as const, clusters: undefined },
  };

  test("makes users and changes their roles, and nothing else is written in its name", async () => {
    await admitExternalUser({ db: web }, identity);
    await admitExternalUser({ db: web }, { ...identity, role: "viewer" });
    expect(await entries()).toMatchObject([
      { actorId: "identity-provider", action: "account.create", proof: "none" },
      { actorId: "identity-provider", action: "account.change", proof: "none" },
    ]);
    const { actor } = (await entries()).map(({ actorId, actorName }) => ({
      actor: { kind: "system" as const, id: actorId, name: actorName },
    }))[0] ?? { actor: undefined };
    if (actor === undefined) throw new Error("There is no entry.");
    await expect(append(web, { actor, action: "account.sign-in" })).rejects.toMatchObject(NEVER);
  });
});

describe("through the dashboard's login an entry of a user", () => {
  test("is written with a live session of that user, under the user's real name", async () => {
    const ana = await signedIn(owner, { name: "ana" });
    const named = byUser(ana, { actor: { kind: "person", id: ana.actor.id, name: "somebody" } });
    await append(web, named, { proof: ana.session });
    expect(await entries()).toMatchObject([
      {
        actorName: "ana",
        format: 2,
        writtenBy: "cloudwright_web",
        proof: "session",
        sessionId: ana.session.id,
      },
    ]);
    expect(await verifyChain(owner.pool, { chain: CLUSTER })).toMatchObject({ intact: true });
  });

  test("may be of everything that the dashboard puts on the record", async () => {
    const ana = await signedIn(owner, { name: "ana" });
    // Only a controller claims.
    const actions = OTHER_ACTIONS.filter((action) => action !== "intent.claim");
    for (const action of actions)
      await append(web, byUser(ana, { action }), { proof: ana.session });
    const written = (await entries()).map(({ action }) => action);
    expect(written).toEqual([...actions]);
  });

  test("is refused without a session, and with one that is not that user's, not live or not known", async () => {
    const ana = await signedIn(owner, { name: "ana" });
    const bo = await signedIn(owner, { name: "bo" });
    const li = await signedIn(owner, { name: "li" });
    const eve = await signedIn(owner, { name: "eve" });
    await owner.prisma.session.update({
      where: { id: li.session.id },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    await owner.prisma.user.update({ where: { id: eve.actor.id }, data: { banned: true } });
    const guessed = { ...ana.session, tokenHash: "0".repeat(64) };
    const row = await owner.prisma.session.findUniqueOrThrow({ where: { id: ana.session.id } });
    const stolen = { ...ana.session, tokenHash: row.token };
    const tries: readonly [SignedInUser, EntrySource][] = [
      [ana, {}],
      [ana, { proof: bo.session }],
      [ana, { proof: guessed }],
      [ana, { proof: stolen }],
      [li, { proof: li.session }],
      [eve, { proof: eve.session }],
      [ana, { proof: { kind: "signInToken", token: "guessed" } }],
    ];
    for (const [user, source] of tries) {
      await expect(append(web, byUser(user), source)).rejects.toMatchObject(REFUSED);
    }
    expect(await entries()).toEqual([]);
  });

  test.each<[string, Over]>([
    ["of a controller's change", { action: "node.delete" }],
    ["of a leader's claim", { action: "intent.claim" }],
    ["in a cluster that nobody has reported", { cluster: "made-up" }],
  ])("is refused %s", async (_, over) => {
    const ana = await signedIn(owner, { name: "ana" });
    const tried = append(web, byUser(ana, over), { proof: ana.session });
    await expect(tried).rejects.toMatchObject(NEVER);
  });

  test.each<[string, Over]>([
    ["a controller", { actor: { kind: "controller", id: "c", name: "ctl-1" } }],
    ["Cloudwright", { actor: { kind: "system", id: "cloudwright", name: "Cloudwright" } }],
    [
      "nobody, with another name",
      {
        cluster: undefined,
        action: "account.refused",
        actor: { kind: "system", id: "nobody", name: "ana" },
      } as never,
    ],
    [
      "nobody, who changed an account",
      {
        cluster: undefined,
        action: "account.change",
        actor: { kind: "system", id: "nobody", name: "Nobody known" },
      } as never,
    ],
  ])("is refused in the name of %s", async (_, over) => {
    await expect(append(web, over)).rejects.toMatchObject(NEVER);
  });

  test("says what the row says neither of login, proof nor session", async () => {
    const ana = await signedIn(owner, { name: "ana" });
    const forged = { proof: "owner", written_by: "postgres", session_id: "s-1", format: 1 };
    const row = entryRow(auditEntry(byUser(ana)), { proof: ana.session });
    const tried = web.pool.query(ADD_ENTRIES, [storableJson({ ...row, ...forged })]);
    await expect(tried).rejects.toMatchObject(REFUSED);
    const nobody = { kind: "system", id: "nobody", name: "Nobody known" } as const;
    const { cluster: _, ...refused } = auditEntry({ action: "account.refused", actor: nobody });
    await web.pool.query(ADD_ENTRIES, [storableJson({ ...entryRow(refused), ...forged })]);
    expect(await entries()).toMatchObject([
      { format: 2, proof: "none", writtenBy: "cloudwright_web", sessionId: null },
    ]);
  });

  test("is still written by what ends that very session", async () => {
    const ana = await signedIn(owner, { name: "ana" });
    const bo = await signedIn(owner, { name: "bo" });
    const asAna = { db: web, ...ana, sessionId: ana.session.id };
    await revokeAllSessions(asAna, { userId: ana.actor.id, exceptThis: false });
    await disableUser({ db: web, ...bo }, { id: bo.actor.id });
    const written = await entries();
    expect(written).toMatchObject([
      { action: "account.session-revoke", actorName: "ana", sessionId: ana.session.id },
      { action: "account.disable", actorName: "bo", sessionId: bo.session.id },
    ]);
    const over = revokeAllSessions(asAna, { userId: ana.actor.id, exceptThis: false });
    await expect(over).rejects.toThrow("Your session has ended: sign in again.");
    expect(await entries()).toHaveLength(written.length);
  });

  test("of signing in needs the link, which is used up in the same transaction", async () => {
    const link = await createSignInLink(owner, { baseUrl: "http://x", email: "li@example.org" });
    const token = new URL(link).searchParams.get("token") ?? "";
    const li = await redeemSignInToken(web, token);
    await expect(redeemSignInToken(web, token)).rejects.toThrow(/used already/);
    expect((await entries()).slice(1)).toMatchObject([
      { action: "account.sign-in", actorName: "li", proof: "sign-in-link" },
      { action: "account.refused", actorName: "li", proof: "sign-in-link" },
    ]);
    const again = { action: "account.sign-in", cluster: undefined } as never;
    const actor = { kind: "person", id: li.id, name: li.name } as const;
    const proof = { kind: "signInToken", token } as const;
    const tried = append(web, { ...(again as object), actor }, { proof });
    await expect(tried).rejects.toMatchObject(REFUSED);
  });
});

describe("through the dashboard's login an action", () => {
  const RETRY = {
    cluster: CLUSTER,
    kind: "retry",
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
    why: "Looked at",
  } as const;

  test("is asked for in the name of the session's user alone", async () => {
    const ana = await signedIn(owner, { name: "ana" });
    const bo = await signedIn(owner, { name: "bo" });
    await requestIntent({ db: web, ...ana }, { id: randomUUID(), ...RETRY });
    const asBo = { db: web, actor: bo.actor, session: ana.session };
    await expect(requestIntent(asBo, { id: randomUUID(), ...RETRY })).rejects.toThrow(
      /only with a live session of that user/,
    );
    await expect(
      requestIntent({ db: web, actor: ana.actor }, { id: randomUUID(), ...RETRY }),
    ).rejects.toThrow(/only with a live session of that user/);
    expect(await owner.prisma.intent.findMany()).toMatchObject([{ actorName: "ana" }]);
  });
});

test("through the dashboard's login what is refused in a cluster that nobody has reported is recorded with the accounts", async () => {
  const ana = await signedIn(owner, { name: "ana" });
  const retry = {
    ...{ cluster: "made-up", kind: "retry", controller: "cloud-node-controller", why: "x" },
    object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
  } as const;
  const asked = requestIntent({ db: web, ...ana }, { id: randomUUID(), ...retry });
  await expect(asked).rejects.toMatchObject({ code: "NotFound" });
  expect(await entries()).toMatchObject([
    {
      ...{ chain: "accounts", action: "intent.request", result: "refused" },
      after: { cluster: "made-up" },
    },
  ]);
});

describe("through a controller's login an entry", () => {
  test("is taken from the cluster that wrote first, and from no other one", async () => {
    await append(controller, {});
    await expect(append(controller, { cluster: OTHER })).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringMatching(/run cloudwright database grant --cluster 6f3c/),
    });
    expect(await entries()).toMatchObject([
      { chain: CLUSTER, writtenBy: "cloudwright_controller", proof: "controller-login" },
    ]);
    expect(await owner.prisma.controllerLogin.findMany()).toMatchObject([
      { login: "cloudwright_controller", clusterId: CLUSTER, boundBy: "first cluster" },
    ]);
  });

  test.each<[string, Over]>([
    ["a user", { actor: { kind: "person", id: "u", name: "ana" } }],
    ["another part of the system", { actor: { kind: "system", id: "nobody", name: "Nobody" } }],
    ["accounts", { cluster: undefined, action: "account.change" } as never],
    ["an action that was asked for", { action: "intent.request" }],
    ["a verification", { action: "audit.verify" }],
  ])("is refused in the name of %s", async (_, over) => {
    await expect(append(controller, over)).rejects.toMatchObject(NEVER);
  });

  test("binds its login neither by a row nor to another cluster", async () => {
    await append(controller, {});
    for (const statement of [
      `INSERT INTO controller_logins (login, cluster_id, bound_by) VALUES (current_user, '${OTHER}', 'me')`,
      `UPDATE controller_logins SET cluster_id = '${OTHER}'`,
      "DELETE FROM controller_logins",
      "INSERT INTO audit_sessions VALUES (pg_current_xact_id()::text, 'u', 'ana', 's')",
      "SELECT * FROM audit_sessions",
    ]) {
      for (const db of [controller, web]) {
        await expect(db.pool.query(statement)).rejects.toMatchObject(REFUSED);
      }
    }
  });

  test("is written for every cluster that the owner grants, as long as it is granted", async () => {
    await append(controller, {});
    await grantCluster(ownerUrl, { cluster: OTHER });
    await append(controller, { cluster: OTHER });
    expect(await revokeCluster(ownerUrl, { cluster: OTHER })).toBe(true);
    expect(await revokeCluster(ownerUrl, { cluster: OTHER })).toBe(false);
    await expect(append(controller, { cluster: OTHER })).rejects.toMatchObject(REFUSED);
  });

  test("of a login of one cluster is of that cluster alone, and such a login takes no other one", async () => {
    const url = await openClusterLogin(ownerUrl, OTHER);
    expect(await openClusterLogin(ownerUrl, OTHER, url)).toBe(url);
    const alone = connect(url);
    onTestFinished(() => alone.close());
    await append(alone, { cluster: OTHER });
    await expect(append(alone, {})).rejects.toMatchObject(REFUSED);
    // Nothing is left to take for the shared login either.
    await expect(append(controller, {})).rejects.toMatchObject(REFUSED);
    await expect(append(controller, { cluster: OTHER })).rejects.toMatchObject(REFUSED);
    await grantCluster(ownerUrl, { cluster: CLUSTER });
    await append(controller, {});
    await expect(append(alone, {})).rejects.toMatchObject(REFUSED);
    const login = "cloudwright_controller_6f3c2a10000040008000000000000002";
    expect(await listControllerLogins(ownerUrl)).toMatchObject([
      { login: "cloudwright_controller", cluster: CLUSTER, boundBy: "postgres" },
      { login, cluster: OTHER, boundBy: "postgres" },
    ]);
    expect(await entries()).toMatchObject([
      { writtenBy: "cloudwright_controller" },
      { writtenBy: login },
    ]);
  });

  test("leaves the noted checkpoint of another cluster's chain alone", async () => {
    await append(controller, {});
    const note = (chain: string) =>
      controller.pool.query(
        "INSERT INTO audit_checkpoints VALUES ($1, 1, 'h', now(), 'here') ON CONFLICT (chain) DO UPDATE SET hash = 'h'",
        [chain],
      );
    await note(CLUSTER);
    await note("accounts");
    await expect(note(OTHER)).rejects.toMatchObject(REFUSED);
  });
});

test("what a login may write is known before it writes", async () => {
  expect(await loginStanding(urls.controller)).toEqual({
    login: "cloudwright_controller",
    kind: "controller",
    clusters: [],
    isFirst: true,
  });
  await append(controller, {});
  const alone = await openClusterLogin(ownerUrl, OTHER);
  expect(await loginStanding(urls.controller)).toMatchObject({
    clusters: [CLUSTER],
    isFirst: false,
  });
  expect(await loginStanding(alone)).toMatchObject({ kind: "controller", clusters: [OTHER] });
  expect(await loginStanding(urls.web)).toMatchObject({ kind: "web" });
  expect(await loginStanding(ownerUrl)).toMatchObject({ kind: "owner" });
});
