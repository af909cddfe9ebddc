import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { CLUSTER, heartbeat } from "../../testing/records.ts";
import { type SignedInUser, signedIn } from "../../testing/signed-in.ts";
import { connect, type Database } from "../database/database.ts";
import { setApproval } from "../intents/approval-policy.ts";
import { decideIntent } from "../intents/decide-intent.ts";
import { requestIntent } from "../intents/request-intent.ts";
import { claimIntent, openIntents } from "../intents/statements.ts";
import { clusterRows } from "../ledger/record-rows.ts";
import { UPSERT_CLUSTERS } from "../sql/statements.ts";
import { storableJson } from "../text/storable-json.ts";
import { grantRoles, openRoleLogins } from "./role-logins.ts";

let server: TestServer;
let owner: Database;
let controller: Database;
let web: Database;
let ana: SignedInUser;
let bo: SignedInUser;
beforeAll(async () => {
  server = await startTestServer({ ownServer: true });
});
afterAll(() => server.dispose());

beforeEach(async () => {
  const ownerUrl = await server.migrated();
  await grantRoles(ownerUrl);
  const urls = await openRoleLogins(ownerUrl);
  owner = connect(ownerUrl);
  controller = connect(urls.controller);
  web = connect(urls.web);
  await owner.pool.query(UPSERT_CLUSTERS, [storableJson(clusterRows([heartbeat()]))]);
  ana = await signedIn(owner, { name: "ana" });
  bo = await signedIn(owner, { name: "bo" });
  const change = { cluster: CLUSTER, required: true, why: "After INC-13" };
  await setApproval({ db: web, ...ana }, change);
  return () => Promise.all([owner, controller, web].map((db) => db.close()));
});

function ask() {
  return requestIntent(
    { db: web, ...ana },
    {
      ...{ id: randomUUID(), cluster: CLUSTER, kind: "release", why: "The disk is fine" },
      controller: "cloud-node-controller",
      object: { kind: "Node", name: "w-1", uid: "uid-1" },
    },
  );
}

const stored = (id: string) => owner.prisma.intent.findUniqueOrThrow({ where: { id } });

test("through the dashboard's login another user approves, and the controller's takes it then alone", async () => {
  const intent = await ask();
  expect(intent.state).toBe("awaiting-approval");
  const leader = { identity: "ctl-1", leaseTransitions: 1 };
  expect(await openIntents(controller, CLUSTER)).toEqual([]);
  expect(await claimIntent(controller, intent, leader)).toBe(false);
  const input = { cluster: CLUSTER, id: intent.id, planHash: "p", why: "Agreed" };
  await decideIntent({ db: web, ...bo }, { ...input, decision: "approve" });
  expect(await openIntents(controller, CLUSTER)).toMatchObject([{ decision: { by: "bo" } }]);
  expect(await claimIntent(controller, intent, leader)).toBe(true);
  expect(await owner.prisma.auditEntry.findMany({ where: { actorId: bo.actor.id } })).toMatchObject(
    [{ action: "intent.approve", proof: "session", writtenBy: "cloudwright_web" }],
  );
});

test("it is not approved in the name of somebody without their session", async () => {
  const { id } = await ask();
  const input = { cluster: CLUSTER, id, decision: "approve", planHash: "p", why: "x" } as const;
  for (const session of [ana.session, undefined]) {
    const asBo = { db: web, actor: bo.actor, session };
    await expect(decideIntent(asBo, input)).rejects.toThrow(/only as the user of a live session/);
  }
  expect((await stored(id)).state).toBe("awaiting-approval");
});

test("the controller's login lets nothing go on, and no login changes a plan behind it", async () => {
  const { id } = await ask();
  for (const state of ["requested", "claimed", "running"]) {
    const change = controller.pool.query("UPDATE intents SET state = $2 WHERE id = $1", [
      id,
      state,
    ]);
    await expect(change).rejects.toMatchObject({ code: "23514" });
  }
  const plan = "UPDATE intents SET plan_hash = 'another' WHERE id = $1";
  for (const db of [controller, web]) {
    await expect(db.pool.query(plan, [id])).rejects.toMatchObject({ code: "42501" });
  }
  expect(await stored(id)).toMatchObject({ state: "awaiting-approval", planHash: null });
});
