import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { useLedgerWriter } from "../../testing/ledger-writer.ts";
import { auditEntry, memoryLog } from "../../testing/records.ts";
import { startLedgerWriter } from "./ledger-writer.ts";

const ledger = useLedgerWriter();

describe("stopping", () => {
  test("abandons a database that has been silent for the limit", async () => {
    const clock = createManualClock();
    const silent = await silentServer();
    const spool = ledger.open();
    const writer = startLedgerWriter({ spool, databaseUrl: silent.url, clock, log: memoryLog() });
    spool.append(auditEntry());
    await clock.advance(1_000);
    await vi.waitFor(() => expect(silent.requested()).toBe(1), 20_000);
    await writer.stop({ mostMs: 60_000, silentMs: 400 });
    expect(spool.stats().bytes).toBeGreaterThan(0);
  });

  test("does not mistake the time for which the process itself was stopped for the database's silence", async () => {
    const clock = createManualClock();
    let answers = 0;
    const slow = await slowWay(ledger.url, async () => {
      answers += 1;
      if (answers > 1) return;
      // As after SIGSTOP and SIGCONT: the clock has advanced, and the answer comes a little later.
      await clock.advance(60_000);
      await delay(500);
    });
    const spool = ledger.open();
    const writer = startLedgerWriter({ spool, databaseUrl: slow, clock, log: memoryLog() });
    const entry = auditEntry();
    spool.append(entry);
    await writer.stop({ mostMs: 600_000, silentMs: 2_000 });
    expect(await ledger.db.prisma.auditEntry.findMany()).toMatchObject([{ id: entry.id }]);
  });

  test("waits for the writer thread, which may start slowly", async () => {
    const clock = createManualClock();
    const spool = ledger.open();
    const writer = startLedgerWriter({ spool, databaseUrl: ledger.url, clock, log: memoryLog() });
    const entry = auditEntry();
    spool.append(entry);
    const stopped = writer.stop({ mostMs: 600_000, silentMs: 800 });
    await clock.advance(60_000);
    await stopped;
    expect(await ledger.db.prisma.auditEntry.findMany()).toMatchObject([{ id: entry.id }]);
    expect(spool.stats().bytes).toBe(0);
  });

  test("waits for a database that keeps answering, however long it takes in total", async () => {
    const clock = createManualClock();
    const slow = await slowWay(ledger.url, () => clock.advance(300));
    const spool = ledger.open();
    const writer = startLedgerWriter({ spool, databaseUrl: slow, clock, log: memoryLog() });
    const entry = auditEntry();
    spool.append(entry);
    await writer.stop({ mostMs: 600_000, silentMs: 800 });
    expect(await ledger.db.prisma.auditEntry.findMany()).toMatchObject([{ id: entry.id }]);
  });

  test("writes what was appended just before", async () => {
    const spool = ledger.open();
    const writer = ledger.start(spool);
    const entry = auditEntry();
    spool.append(entry);
    // On a busy machine the thread alone may need longer than the default limit.
    await writer.stop({ mostMs: 30_000 });
    expect(await ledger.db.prisma.auditEntry.findMany()).toMatchObject([{ id: entry.id }]);
  });
});

/** Starts a server that accepts connections and never answers, like a hung PostgreSQL. */
async function silentServer() {
  const sockets: Socket[] = [];
  const listener = createServer((socket) => {
    socket.on("error", () => undefined);
    sockets.push(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return {
    url: `postgres://postgres@127.0.0.1:${await listening(listener)}/none`,
    requested: () => sockets.length,
  };
}

/** Returns the URL of a proxy to the database that delays each answer. */
async function slowWay(databaseUrl: string, before: () => Promise<unknown>): Promise<string> {
  const there = new URL(databaseUrl);
  const listener = createServer((socket) => {
    const onward = connect(Number(there.port), there.hostname);
    for (const end of [socket, onward]) end.on("error", () => undefined);
    socket.pipe(onward);
    onward.on("data", (chunk) => void before().then(() => socket.write(chunk)));
    onward.on("end", () => socket.end());
  });
  onTestFinished(() => {
    listener.close();
  });
  const way = new URL(databaseUrl);
  way.port = String(await listening(listener));
  return way.toString();
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
