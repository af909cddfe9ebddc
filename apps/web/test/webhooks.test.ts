import { createHmac, randomUUID } from "node:crypto";
import { insertDelivery } from "@cloudwright/store/webhooks/deliveries";
import { describe, expect, it } from "vitest";
import {
  auditEntry,
  CLUSTER,
  heartbeat,
  objectState,
} from "../../../packages/store/testing/records.ts";
import {
  addWebhook,
  clock,
  db,
  expectSaid,
  expectSettled,
  HOUR,
  MINUTE,
  messageTo,
  owner,
  PATIENT,
  receiver,
  said,
  startProcess,
  stuck,
  withDatabaseAndReceiver,
  write,
} from "./testing/webhooks-fixture.ts";

withDatabaseAndReceiver();

async function addUser(clusters?: readonly string[]): Promise<string> {
  const id = randomUUID();
  const restricted = clusters !== undefined;
  await db.prisma.user.create({
    data: { id, name: id, email: `${id}@example.org`, restricted, clusters: [...(clusters ?? [])] },
  });
  return id;
}

describe("a webhook of a cluster", () => {
  it("is notified once when something begins and once when it is over, signed and in the page's words", async () => {
    await write(heartbeat(), stuck("w-1"));
    await addWebhook({ previous: { secret: "whsec_old", until: Date.now() + HOUR } });
    startProcess();
    await expectSaid("stuck begins");
    const [message] = receiver.received;
    expect(message?.json).toMatchObject({
      ...{ version: 1, test: false, cluster: { id: CLUSTER, name: "prod-eu" }, count: 1 },
      ...{ object: { kind: "Node", name: "w-1" } },
      link: `https://cloudwright.example.org/c/${CLUSTER}/nodes/w-1`,
      sentence: expect.stringMatching(/^Node `w-1` has been stuck for 14 min: /),
    });
    const header = String(message?.headers["cloudwright-signature"]);
    const [, timestamp, ...signatures] = /^t=(\d+),v1=(\w+),v1=(\w+)$/.exec(header) ?? [];
    const expected = ["whsec_new", "whsec_old"].map((secret) =>
      createHmac("sha256", secret).update(`${timestamp}.${message?.body}`).digest("hex"),
    );
    expect(signatures).toEqual(expected);
    // Passes of the controller with the same result.
    await write(stuck("w-1", { since: Date.now() - 14 * MINUTE }), stuck("w-1"));
    await write(objectState({ name: "w-1" }));
    await expectSaid("stuck begins", "stuck ends");
    const [begin, end] = receiver.received.map(({ json }) => json);
    expect(end).toMatchObject({
      alarm: begin?.alarm,
      sentence: expect.stringMatching(/no longer/),
    });
    await expectSettled();
    expect(await db.prisma.webhookAlarm.count()).toBe(0);
    const rows = await db.prisma.webhookDelivery.findMany({ orderBy: { id: "asc" } });
    expect(rows).toMatchObject([
      { state: "delivered", attempts: [{ status: 200 }], claimedUntil: null },
      { state: "delivered", phase: "ends" },
    ]);
  });

  it("gets one message for 500 nodes with the same cause", async () => {
    const nodes = Array.from({ length: 500 }, (_, place) => stuck(`w-${place}`));
    await write(heartbeat(), ...nodes);
    await addWebhook();
    startProcess();
    await expectSaid("stuck begins");
    expect(receiver.received[0]?.json).toMatchObject({
      count: 500,
      sentence: expect.stringMatching(/^500 nodes, such as: /),
      link: `https://cloudwright.example.org/c/${CLUSTER}`,
    });
    await write(...nodes.map(({ name }) => objectState({ name })));
    await expectSaid("stuck begins", "stuck ends");
    expect(receiver.received[1]?.json).toMatchObject({ count: 500 });
  });

  it("is notified of drift, of held deletions, and of a cluster that stops reporting", async () => {
    const long = Date.now() - HOUR;
    await write(
      heartbeat({ at: long }),
      objectState({ name: "w-1", at: long, drift: "drifted" }),
      objectState({
        ...{ name: "w-2", at: long, state: "held", since: long },
        reason: {
          ...{ code: "DeletionGuardHeld", provider: "sandbox", providerID: "sandbox://w-2" },
          ...{ deleted: 5, limit: 5, windowMs: 600_000, held: 1 },
        },
      }),
    );
    const rules = { drift: { afterMinutes: 10 }, guard: {}, silent: { afterMinutes: 2 } };
    await addWebhook({ rules });
    startProcess();
    await expect.poll(() => said().toSorted(), PATIENT).toEqual(["guard begins", "silent begins"]);
    const sentences = receiver.received.map(({ json }) => json.sentence);
    expect(sentences).toContainEqual(
      expect.stringMatching(/^The leader ctl-1 last reported at .* UTC; current state unknown/),
    );
    expect(sentences).toContainEqual(expect.stringMatching(/^Node `w-2` has been held for 1 h: /));
    clock.ahead = 11 * MINUTE;
    await write(heartbeat({ at: Date.now() + clock.ahead }));
    await expect
      .poll(() => said().toSorted(), PATIENT)
      .toEqual(["drift begins", "guard begins", "silent begins", "silent ends"]);
  });

  it("is notified of an action that waits for approval, a batch counting as one, and when it is decided", async () => {
    await write(heartbeat());
    await addWebhook({ rules: { approval: {} } });
    const [alone, first, second] = [randomUUID(), randomUUID(), randomUUID()];
    const at = new Date();
    const add = (id: string, name: string, batchId: string | null) =>
      owner.prisma.intent.create({
        data: {
          ...{ id, batchId, clusterId: CLUSTER, kind: "release", action: { kind: "release" } },
          ...{ controller: "cloud-node-controller", objectKind: "Node", objectName: name },
          ...{ actorId: "ana", actorName: "ana", why: "INC-13", state: "awaiting-approval" },
          ...{ requestedAt: at, updatedAt: at, expiresAt: new Date(Date.now() + HOUR) },
        },
      });
    const batch = randomUUID();
    await Promise.all([
      add(alone, "w-1", null),
      add(first, "w-2", batch),
      add(second, "w-3", batch),
    ]);
    startProcess();
    await expectSaid("approval begins", "approval begins");
    const messages = receiver.received.map(({ json }) => json);
    expect(messages).toContainEqual(
      expect.objectContaining({
        sentence: "Release node w-1 waits for approval by a user other than ana: INC-13",
        link: `https://cloudwright.example.org/c/${CLUSTER}/actions/${alone}`,
      }),
    );
    expect(messages).toContainEqual(expect.objectContaining({ count: 2 }));
    await db.prisma.intent.update({ where: { id: alone }, data: { state: "cancelled" } });
    // A decision leaves an entry.
    await write(auditEntry({ action: "intent.end" }));
    await expectSaid("approval begins", "approval begins", "approval ends");
  });

  it("waits for what has not lasted long enough, and checks again when that time is up", async () => {
    clock.stoppedAt = Date.now();
    await write(heartbeat(), stuck("w-1", { since: clock.stoppedAt - 5 * MINUTE + 500 }));
    await addWebhook();
    startProcess();
    await expect.poll(() => db.prisma.webhookAlarm.count(), PATIENT).toBe(1);
    expect(said()).toEqual([]);
    clock.stoppedAt = undefined;
    await expectSaid("stuck begins");
  });

  it("is notified of a broken audit chain, and when it is intact again", async () => {
    await write(heartbeat(), ...["1", "2", "3"].map((why) => auditEntry({ why })));
    await addWebhook({ rules: { chain: {} } });
    const tamper = (statement: string) =>
      owner.pool.query(
        `ALTER TABLE audit_entries DISABLE TRIGGER USER; ${statement}; ALTER TABLE audit_entries ENABLE TRIGGER USER`,
      );
    await tamper("UPDATE audit_entries SET why = 'forged' WHERE why = '2'");
    startProcess();
    await expectSaid("chain begins");
    expect(receiver.received[0]?.json).toMatchObject({
      sentence: expect.stringMatching(/^The chain is broken. Entry 2 was changed/),
      link: `https://cloudwright.example.org/c/${CLUSTER}/audit`,
    });
    await tamper("UPDATE audit_entries SET why = '2' WHERE why = 'forged'");
    // A user verifies it and finds it intact.
    await write(auditEntry({ action: "audit.verify", at: Date.now() + MINUTE }));
    await expectSaid("chain begins", "chain ends");
  });

  it("is not notified while it is paused", async () => {
    await write(heartbeat(), stuck("w-1"));
    const paused = await addWebhook();
    await db.prisma.webhook.update({ where: { id: paused }, data: { pausedAt: new Date() } });
    await addWebhook({ form: "slack" });
    startProcess();
    await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
    expect(receiver.received[0]?.json).toMatchObject({
      text: expect.stringMatching(
        /^:red_circle: \*prod-eu\*: Node .* <https:\/\/cloudwright.*\|Open>$/,
      ),
    });
    await db.prisma.webhook.update({ where: { id: paused }, data: { pausedAt: null } });
    await expect.poll(() => receiver.received.length, PATIENT).toBe(2);
    expect(receiver.received[1]?.json).toMatchObject({ condition: "stuck", phase: "begins" });
  });
});

describe("a user's webhook", () => {
  it("is notified of the clusters that the user may see at the time of sending", async () => {
    await write(heartbeat(), stuck("w-1"));
    const [sees, blind, gone] = [
      await addUser([CLUSTER]),
      await addUser(["another"]),
      await addUser([CLUSTER]),
    ];
    const [first] = [await addWebhook({ ownerId: sees }), await addWebhook({ ownerId: blind })];
    const late = await addWebhook({ ownerId: gone });
    await insertDelivery(db.prisma, messageTo(late), { now: Date.now() });
    await db.prisma.user.update({ where: { id: gone }, data: { clusters: [] } });
    startProcess();
    await expectSaid("stuck begins");
    await expectSettled();
    const rows = await db.prisma.webhookDelivery.findMany({ orderBy: { id: "asc" } });
    expect(rows).toMatchObject([
      { webhookId: late, state: "failed", problem: expect.stringMatching(/may no longer see/) },
      { webhookId: first, state: "delivered" },
    ]);
  });

  it("is not notified once its user is disabled", async () => {
    await write(heartbeat(), stuck("w-1"));
    const id = await addUser();
    const webhook = await addWebhook({ ownerId: id });
    await db.prisma.user.update({ where: { id }, data: { banned: true } });
    await insertDelivery(db.prisma, messageTo(webhook), { now: Date.now() });
    startProcess();
    await expectSettled();
    expect(receiver.received).toEqual([]);
  });
});
