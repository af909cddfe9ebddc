import { createHmac, randomUUID } from "node:crypto";
import type { Rules } from "@cloudwright/core/model/notifications";
import type { ObjectState } from "@cloudwright/core/model/records/node-record";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { connect, type Database } from "@cloudwright/store/database/database";
import {
  claimDue,
  dropOldDeliveries,
  insertDelivery,
  type NewMessage,
  nextDue,
  settleDelivery,
} from "@cloudwright/store/webhooks/deliveries";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  startTestServer,
  type TestServer,
} from "../../../packages/store/testing/database-fixture.ts";
import {
  auditEntry,
  CLUSTER,
  heartbeat,
  objectState,
} from "../../../packages/store/testing/records.ts";
import { writeRecords } from "../../../packages/store/testing/write-records.ts";
import { attempt, GIVE_UP_MS, type SendOptions } from "../src/server/webhooks/delivery.ts";
import { seal } from "../src/server/webhooks/sealing.ts";
import { startSender } from "../src/server/webhooks/sender.ts";
import { type Receiver, startReceiver } from "./testing/receiver.ts";

const AUTH_SECRET = "a secret of more than 32 characters";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PATIENT = { timeout: 60_000 };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

let url: string;
let db: Database;
let receiver: Receiver;
let ends: AbortController[];
/** How far the clock of the dashboard is ahead. */
let ahead: number;
/** Where it stands still; undefined while it runs. */
let stoppedAt: number | undefined;
beforeEach(async () => {
  url = await server.migrated();
  const own = connect(url);
  const receives = await startReceiver();
  [db, receiver, ends, ahead, stoppedAt] = [own, receives, [], 0, undefined];
  return async () => {
    for (const end of ends) end.abort();
    await receives.close();
    await own.close();
  };
});

const write = (...records: readonly LedgerRecord[]) => writeRecords(url, records);

function sendOptions(over: Partial<SendOptions> = {}): SendOptions {
  return {
    ...{ authSecret: AUTH_SECRET, publicOrigin: "https://cloudwright.example.org" },
    ...{
      privateAllowed: true,
      now: () => stoppedAt ?? Date.now() + ahead,
      random: () => 0.5,
      ...over,
    },
  };
}

/** A process of the dashboard that notifies webhooks; ended by what it answers. */
function startProcess(logged: string[] = []): AbortController {
  const end = new AbortController();
  ends.push(end);
  const log = {
    info: (text: string) => logged.push(text),
    warn: () => undefined,
  };
  startSender({
    ...sendOptions(),
    ...{ db, databaseUrl: url, signal: end.signal, log, paceMs: 20 },
  });
  return end;
}

interface NewWebhook {
  readonly rules?: Rules;
  readonly ownerId?: string;
  readonly form?: string;
  readonly to?: string;
  readonly previous?: { readonly secret: string; readonly until: number };
}

async function addWebhook(of: NewWebhook = {}): Promise<string> {
  const id = randomUUID();
  const { rules = { stuck: { afterMinutes: 5 } }, ownerId, form = "cloudwright", previous } = of;
  const at = new Date();
  await db.prisma.webhook.create({
    data: {
      ...{ id, name: "on call", form, origin: "http://127.0.0.1", rules, createdBy: "ana" },
      ...(ownerId === undefined ? { clusterId: CLUSTER } : { ownerId }),
      address: seal(of.to ?? receiver.url, AUTH_SECRET),
      secret: seal("whsec_new", AUTH_SECRET),
      previousSecret: previous === undefined ? null : seal(previous.secret, AUTH_SECRET),
      previousUntil: previous === undefined ? null : new Date(previous.until),
      ...{ createdAt: at, updatedAt: at },
    },
  });
  return id;
}

async function addUser(clusters?: readonly string[]): Promise<string> {
  const id = randomUUID();
  const restricted = clusters !== undefined;
  await db.prisma.user.create({
    data: { id, name: id, email: `${id}@example.org`, restricted, clusters: [...(clusters ?? [])] },
  });
  return id;
}

function stuck(name: string, over: Partial<ObjectState> = {}): ObjectState {
  const at = over.at ?? Date.now();
  return objectState({
    ...{ name, at, state: "stuck", since: at - 14 * MINUTE, failures: 4 },
    reason: { code: "InstanceNotFound", provider: "Sandbox", by: "name", value: name },
    outcome: "failed",
    ...over,
  });
}

const said = () => receiver.received.map(({ json }) => `${json.condition} ${json.phase}`);
const expectSaid = (...messages: readonly string[]) => expect.poll(said, PATIENT).toEqual(messages);
/** All that were made have been answered for. */
const expectSettled = () =>
  expect
    .poll(() => db.prisma.webhookDelivery.count({ where: { state: "pending" } }), PATIENT)
    .toBe(0);

describe("a webhook of a cluster", () => {
  it("is notified once when something begins and once when it is over, signed and with the page's words", async () => {
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
    // Passes of the controller that find the same.
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

  it("gets one message for 500 nodes that the same cause keeps", async () => {
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
    ahead = 11 * MINUTE;
    await write(heartbeat({ at: Date.now() + ahead }));
    await expect
      .poll(() => said().toSorted(), PATIENT)
      .toEqual(["drift begins", "guard begins", "silent begins", "silent ends"]);
  });

  it("is notified of an action that waits for approval, those of a batch as one, and when it is decided", async () => {
    await write(heartbeat());
    await addWebhook({ rules: { approval: {} } });
    const [alone, first, second] = [randomUUID(), randomUUID(), randomUUID()];
    const at = new Date();
    const add = (id: string, name: string, batchId: string | null) =>
      db.prisma.intent.create({
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
        sentence: "Release node w-1 waits for the approval of another person than ana: INC-13",
        link: `https://cloudwright.example.org/c/${CLUSTER}/actions/${alone}`,
      }),
    );
    expect(messages).toContainEqual(expect.objectContaining({ count: 2 }));
    await db.prisma.intent.update({ where: { id: alone }, data: { state: "cancelled" } });
    // Whoever decides leaves an entry.
    await write(auditEntry({ action: "intent.end" }));
    await expectSaid("approval begins", "approval begins", "approval ends");
  });

  it("waits for what has not lasted long enough, and looks again when that time is up", async () => {
    stoppedAt = Date.now();
    await write(heartbeat(), stuck("w-1", { since: stoppedAt - 5 * MINUTE + 500 }));
    await addWebhook();
    startProcess();
    await expect.poll(() => db.prisma.webhookAlarm.count(), PATIENT).toBe(1);
    expect(said()).toEqual([]);
    stoppedAt = undefined;
    await expectSaid("stuck begins");
  });

  it("is notified of a broken audit chain, and when it is whole again", async () => {
    await write(heartbeat(), ...["1", "2", "3"].map((why) => auditEntry({ why })));
    await addWebhook({ rules: { chain: {} } });
    const tamper = (statement: string) =>
      db.pool.query(
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
    // Somebody verifies it, and finds it whole.
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
  it("is notified of the clusters that the user may see, as it is when it is sent", async () => {
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

function messageTo(webhookId: string): NewMessage {
  return {
    phase: "begins",
    ...{ webhookId, clusterId: CLUSTER, clusterName: "prod-eu", alarm: "a", condition: "stuck" },
    ...{ objectKind: "Node", objectName: "w-1", count: 1, sentence: "It is stuck.", path: "/c/x" },
    since: undefined,
  };
}

describe("several processes", () => {
  it("send each message once, and another one goes on where the first ends", async () => {
    await write(heartbeat(), stuck("w-1"));
    await addWebhook();
    const logs: readonly string[][] = [[], [], []];
    const processes = logs.map((logged) => startProcess(logged));
    const leaders = () => logs.flatMap((logged, place) => (logged.length > 0 ? [place] : []));
    await expectSaid("stuck begins");
    expect(leaders()).toHaveLength(1);
    const [first = 0] = leaders();
    processes[first]?.abort();
    await expect.poll(leaders, PATIENT).toHaveLength(2);
    await write(objectState({ name: "w-1" }));
    await expectSaid("stuck begins", "stuck ends");
    await expectSettled();
    expect(await db.prisma.webhookDelivery.count()).toBe(2);
  });

  it("do not both take a message, nor two of one webhook", async () => {
    const webhook = await addWebhook();
    const now = Date.now();
    await insertDelivery(db.prisma, messageTo(webhook), { now });
    await insertDelivery(db.prisma, messageTo(webhook), { now });
    const claims = await Promise.all([claimDue(db, now), claimDue(db, now), claimDue(db, now)]);
    const taken = claims.filter((claim) => claim !== undefined);
    expect(new Set(taken.map(({ row }) => row.id)).size).toBe(taken.length);
    expect(await claimDue(db, now)).toBeUndefined();
    // Who took it has died.
    expect(await claimDue(db, now + 2 * MINUTE)).toBeDefined();
  });
});

describe("an attempt", () => {
  async function deliver(now: number, over: Partial<SendOptions> = {}) {
    ahead = now - Date.now();
    const due = await claimDue(db, now);
    if (due === undefined) return undefined;
    const settled = await attempt(due, sendOptions(over));
    await settleDelivery(db, due.row.id, settled);
    return settled;
  }

  async function add(to?: string): Promise<number> {
    const webhook = await addWebhook(to === undefined ? {} : { to });
    const now = Date.now();
    await insertDelivery(db.prisma, messageTo(webhook), { now });
    return now;
  }

  it.each([500, 503, 429, 408])(
    "that is answered %d is made again, later each time",
    async (status) => {
      receiver.answer({ status });
      let now = await add();
      const waits: number[] = [];
      for (let count = 0; count < 3; count += 1) {
        const settled = await deliver(now);
        expect(settled).toMatchObject({
          state: "pending",
          problem: expect.stringContaining(`${status}`),
        });
        waits.push(Math.round(((settled?.nextAt ?? 0) - now) / 1_000));
        now = settled?.nextAt ?? 0;
        expect(await nextDue(db, now)).toBe(new Date(now).getTime());
      }
      expect(waits).toEqual([10, 20, 40]);
      receiver.answer({ status: 204 });
      expect(await deliver(now + 1)).toMatchObject({ state: "delivered" });
      expect(receiver.received).toHaveLength(4);
      const ids = receiver.received.map(({ headers }) => headers["cloudwright-delivery"]);
      expect(new Set(ids).size).toBe(1);
    },
  );

  it.each([
    ["seconds", () => "900"],
    ["a date", (now: number) => new Date(now + 900_000).toUTCString()],
  ])("waits as long as the receiver asks for, in %s", async (_what, header) => {
    const now = await add();
    receiver.answer({ status: 429, headers: { "retry-after": header(now) } });
    const settled = await deliver(now);
    expect(Math.abs((settled?.nextAt ?? 0) - now - 900_000)).toBeLessThan(60_000);
  });

  it("is given up after a day", async () => {
    receiver.answer({ status: 503 });
    let now = await add();
    const end = now + GIVE_UP_MS;
    let settled = await deliver(now);
    let count = 1;
    while (settled?.state === "pending") {
      now = settled.nextAt ?? end;
      settled = await deliver(now);
      count += 1;
    }
    expect(now).toBeLessThanOrEqual(end);
    expect(settled).toMatchObject({
      state: "givenUp",
      problem: `Given up after ${count} attempts: The receiver answered 503.`,
    });
    expect(count).toBeLessThan(50);
    expect(await claimDue(db, end * 2)).toBeUndefined();
  });

  it.each([
    [400, {}, /answered 400\./],
    [404, {}, /answered 404\./],
    [302, { location: "http://169.254.169.254/" }, /302: redirects are not followed/],
  ])("that is answered %d is not made again", async (status, headers, problem) => {
    receiver.answer({ status, headers });
    const settled = await deliver(await add());
    expect(settled).toMatchObject({ state: "failed", problem: expect.stringMatching(problem) });
    expect(receiver.received).toHaveLength(1);
  });

  it("reads no more than the beginning of an endless answer", async () => {
    receiver.answer({ status: 200, body: "x".repeat(5_000_000) });
    expect(await deliver(await add())).toMatchObject({ state: "delivered" });
  });

  it("is made again where nobody listens, and where the connection breaks", async () => {
    const now = await add(receiver.url);
    await receiver.close();
    expect(await deliver(now)).toMatchObject({
      state: "pending",
      problem: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  it.each([
    ["http://127.0.0.1:9/", /loopback or private/],
    ["http://[::1]:9/", /loopback or private/],
    ["http://localhost:9/", /localhost: .* loopback or private/],
    ["http://169.254.169.254/latest/meta-data", /metadata/],
    ["http://[fe80::1]/", /link-local/],
    ["http://2130706433/", /loopback or private/],
  ])("to %s is refused and never made", async (to, problem) => {
    const settled = await deliver(await add(to), { privateAllowed: false });
    expect(settled).toMatchObject({ state: "failed", problem: expect.stringMatching(problem) });
  });

  it("with a URL that another secret sealed says so", async () => {
    const settled = await deliver(await add(), { authSecret: `${AUTH_SECRET}, another` });
    expect(settled).toMatchObject({
      state: "failed",
      problem: expect.stringMatching(/enter the URL/),
    });
  });
});

describe("old deliveries", () => {
  it("go after a month, and what is pending stays", async () => {
    const webhook = await addWebhook();
    const now = Date.now();
    const old = await insertDelivery(db.prisma, messageTo(webhook), { now: now - 31 * 24 * HOUR });
    await insertDelivery(db.prisma, messageTo(webhook), { now: now - 32 * 24 * HOUR });
    await settleDelivery(db, old, {
      state: "delivered",
      problem: undefined,
      attempts: [],
      nextAt: undefined,
    });
    const young = await insertDelivery(db.prisma, messageTo(webhook), { now });
    await settleDelivery(db, young, {
      state: "failed",
      problem: "x",
      attempts: [],
      nextAt: undefined,
    });
    expect(await dropOldDeliveries(db, now)).toBe(1);
    expect(await db.prisma.webhookDelivery.count()).toBe(2);
  });
});
