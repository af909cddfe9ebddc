import {
  claimDue,
  dropOldDeliveries,
  insertDelivery,
  nextDue,
  settleDelivery,
} from "@cloudwright/store/webhooks/deliveries";
import { describe, expect, it } from "vitest";
import { heartbeat, objectState } from "../../../packages/store/testing/records.ts";
import { attempt, GIVE_UP_MS, type SendOptions } from "../src/server/webhooks/delivery.ts";
import { AUTH_SECRET } from "./testing/auth-secret.ts";
import {
  addWebhook,
  clock,
  db,
  expectSaid,
  expectSettled,
  HOUR,
  MINUTE,
  messageTo,
  PATIENT,
  receiver,
  sendOptions,
  startProcess,
  stuck,
  withDatabaseAndReceiver,
  write,
} from "./testing/webhooks-fixture.ts";

withDatabaseAndReceiver();

describe("several processes", () => {
  it("send each message once, and another one takes over when the first ends", async () => {
    await write(heartbeat(), stuck("w-1"));
    await addWebhook();
    const logs: readonly string[][] = [[], [], []];
    const processes = logs.map((logged) => startProcess(logged));
    const leaders = () => logs.flatMap((logged, place) => (logged.length > 0 ? [place] : []));
    await expectSaid("stuck begins");
    // A message whose answer has not been recorded when its process ends is sent again.
    await expectSettled();
    expect(leaders()).toHaveLength(1);
    const [first = 0] = leaders();
    processes[first]?.abort();
    await expect.poll(leaders, PATIENT).toHaveLength(2);
    await write(objectState({ name: "w-1" }));
    await expectSaid("stuck begins", "stuck ends");
    await expectSettled();
    expect(await db.prisma.webhookDelivery.count()).toBe(2);
  });

  it("do not both take a message, nor two messages of one webhook", async () => {
    const webhook = await addWebhook();
    const now = Date.now();
    await insertDelivery(db.prisma, messageTo(webhook), { now });
    await insertDelivery(db.prisma, messageTo(webhook), { now });
    const claims = await Promise.all([claimDue(db, now), claimDue(db, now), claimDue(db, now)]);
    const taken = claims.filter((claim) => claim !== undefined);
    expect(new Set(taken.map(({ row }) => row.id)).size).toBe(taken.length);
    expect(await claimDue(db, now)).toBeUndefined();
    // The process that claimed it has died.
    expect(await claimDue(db, now + 2 * MINUTE)).toBeDefined();
  });
});

describe("an attempt", () => {
  async function deliver(now: number, over: Partial<SendOptions> = {}) {
    clock.ahead = now - Date.now();
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

  it("sends what a newer release queued in an unknown phase", async () => {
    const now = await add();
    await db.prisma.webhookDelivery.updateMany({ data: { phase: "widens", condition: "flood" } });
    expect(await deliver(now)).toMatchObject({ state: "delivered" });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([500, 503, 429, 408])(
    "that is answered with %d is repeated, later each time",
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

  it("is abandoned after a day", async () => {
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
  ])("that is answered with %d is not repeated", async (status, headers, problem) => {
    receiver.answer({ status, headers });
    const settled = await deliver(await add());
    expect(settled).toMatchObject({ state: "failed", problem: expect.stringMatching(problem) });
    expect(receiver.received).toHaveLength(1);
  });

  it("reads only the beginning of an endless answer", async () => {
    receiver.answer({ status: 200, body: "x".repeat(5_000_000) });
    expect(await deliver(await add())).toMatchObject({ state: "delivered" });
  });

  it("is repeated if nobody listens, or if the connection breaks", async () => {
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

  it("with a URL sealed with another secret says so", async () => {
    const settled = await deliver(await add(), { authSecret: `${AUTH_SECRET}, another` });
    expect(settled).toMatchObject({
      state: "failed",
      problem: expect.stringMatching(/enter the URL/),
    });
  });
});

describe("old deliveries", () => {
  it("are deleted after a month, while pending ones stay", async () => {
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
