import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectTo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { createManualClock } from "@cloudwright/core/model/testing/manual-clock";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { appendUntilKilled } from "../../testing/append-until-killed.ts";
import { canOwnServer, startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import {
  auditEntry,
  CLUSTER,
  heartbeat,
  memoryLog,
  newId,
  nodePart,
  objectState,
  runEnd,
  runStart,
} from "../../testing/records.ts";
import { systemClock } from "../../testing/system-clock.ts";
import { connect, type Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { clusterById } from "../queries/overview/clusters.ts";
import { listGaps } from "../queries/runs/runs.ts";
import { openSpool, type Spool } from "../spool/spool.ts";
import { type LedgerWriter, startLedgerWriter } from "./ledger-writer.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ ownServer: true });
});
afterAll(() => server.dispose());

let dir: string;
let url: string;
let db: Database;
beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "cloudwright-ledger-"));
  url = await server.migrated();
  db = connect(url);
  return async () => {
    await db.close();
    rmSync(dir, { recursive: true, force: true });
  };
});

function open(): Spool {
  const spool = openSpool({ dir, maxBytes: 256 * 1024 * 1024, clock: systemClock });
  onTestFinished(() => spool.close());
  return spool;
}

function start(spool: Spool, databaseUrl: string = url): LedgerWriter & { log: readonly string[] } {
  const log = memoryLog();
  const writer = startLedgerWriter({ spool, databaseUrl, clock: systemClock, log });
  onTestFinished(() => writer.stop());
  return { ...writer, log: log.lines };
}

async function drain(
  ...records: LedgerRecord[]
): Promise<LedgerWriter & { log: readonly string[] }> {
  const spool = open();
  const writer = start(spool);
  for (const record of records) spool.append(record);
  await vi.waitFor(() => expect(writer.stats().behindSince).toBeUndefined(), 20_000);
  await writer.stop();
  spool.close();
  return writer;
}

/** Accepts connections and never answers, as a PostgreSQL that stands still. */
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

/** The URL of a way to the database on which each answer takes its time. */
async function slowWay(databaseUrl: string, before: () => Promise<unknown>): Promise<string> {
  const there = new URL(databaseUrl);
  const listener = createServer((socket) => {
    const onward = connectTo(Number(there.port), there.hostname);
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

describe("runs", () => {
  test("are there with their start, and whole with their end", async () => {
    const started = runStart();
    await drain(started);
    expect(await db.prisma.run.findFirst({ where: { id: started.id } })).toMatchObject({
      clusterId: CLUSTER,
      outcome: "running",
      changeCount: 1,
      startedAt: new Date(started.startedAt),
      durationMs: null,
    });
    await drain(runEnd({ ...started, type: "run.end" }));
    expect(await db.prisma.run.findFirst({ where: { id: started.id } })).toMatchObject({
      outcome: "changed",
      reasonCode: "Initialised",
      cloudCalls: 1,
      kubeCalls: 2,
      durationMs: 42,
    });
  });

  test("are written once, however often they are drained", async () => {
    const end = runEnd();
    const start = runStart({ id: end.id, startedAt: end.startedAt });
    await drain(start, end, start, end);
    await drain(end, start);
    expect(await db.prisma.run.findMany()).toHaveLength(1);
    expect(await db.prisma.run.findFirst()).toMatchObject({ outcome: "changed" });
  });

  test("end as interrupted when their process died, unless the true end arrives after all", async () => {
    const lost = runStart();
    const known = runStart({ id: newId() });
    await drain(lost, known);
    await drain();
    const outcomes = async () =>
      Object.fromEntries((await db.prisma.run.findMany()).map((row) => [row.id, row.outcome]));
    expect(await outcomes()).toEqual({ [lost.id]: "interrupted", [known.id]: "interrupted" });
    await drain(runEnd({ id: known.id, startedAt: known.startedAt }));
    expect(await outcomes()).toEqual({ [lost.id]: "interrupted", [known.id]: "changed" });
  });

  test("end as interrupted when their machine is gone with its spool, and only then", async () => {
    const long = Date.now() - 3_600_000;
    const orphan = runStart({ startedAt: long, instance: "ctl-gone" });
    const living = runStart({ startedAt: long, instance: "ctl-1" });
    const recent = runStart({ instance: "ctl-gone" });
    await drain(heartbeat({ instance: "ctl-1" }), orphan, living, recent);
    rmSync(dir, { recursive: true });
    await drain(auditEntry());
    const rows = await db.prisma.run.findMany();
    expect(rows.filter((row) => row.outcome === "interrupted")).toMatchObject([{ id: orphan.id }]);
  });

  test("name the intent that asked for them", async () => {
    const intentId = newId();
    await drain(runEnd({ trigger: { kind: "intent", intentId, actor: "ana" } }));
    expect(await db.prisma.run.findFirst()).toMatchObject({ intentId, triggerKind: "intent" });
  });
});

describe("states", () => {
  test("of one node become one row, also over several batches", async () => {
    await drain(
      objectState({ at: 1_000, node: nodePart({ createdAt: 500, zone: "z1" }) }),
      objectState({
        at: 1_100,
        controller: "cloud-node-lifecycle-controller",
        state: "waiting",
        reason: { code: "InstanceStopped", provider: "sandbox", state: "stopped" },
      }),
    );
    await drain(objectState({ at: 2_000, initialisedAt: 1_900 }));
    expect(await db.prisma.nodeState.findMany()).toMatchObject([
      {
        kind: "Node",
        name: "w-1",
        state: "waiting",
        reasonCode: "InstanceStopped",
        controller: "cloud-node-lifecycle-controller",
        zone: "z1",
        initMs: 1_400n,
        updatedAt: new Date(2_000),
      },
    ]);
  });
});

describe("gaps", () => {
  test("are kept once, and shown with their cluster", async () => {
    const at = Date.now();
    const gap = {
      type: "gap",
      id: newId(),
      cluster: CLUSTER,
      instance: "ctl-1",
      from: at - 5_000,
      to: at,
      records: 120,
      calls: 300,
    } as const;
    await drain(heartbeat(), gap, gap);
    await drain(gap, { ...gap, id: newId(), cluster: "another" });
    const { type: _type, cluster: _cluster, ...row } = gap;
    expect(await listGaps(db, { cluster: CLUSTER, limit: 10 })).toEqual([row]);
    expect((await clusterById(db, CLUSTER)).gaps).toEqual([row]);
    const before = { cluster: CLUSTER, to: at - 6_000, limit: 10 };
    expect(await listGaps(db, before)).toEqual([]);
    const after = { cluster: CLUSTER, from: at + 1, limit: 10 };
    expect(await listGaps(db, after)).toEqual([]);
  });
});

describe("audit entries and heartbeats", () => {
  test("are kept once, in order", async () => {
    const entries = Array.from({ length: 20 }, () => auditEntry());
    await drain(...entries);
    await drain(...entries);
    const rows = await db.prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
    expect(rows.map((row) => row.id)).toEqual(entries.map((entry) => entry.id));
  });

  test("audit entries cannot be changed, deleted or truncated", async () => {
    await drain(auditEntry());
    for (const sql of [
      "UPDATE audit_entries SET why = 'other'",
      "DELETE FROM audit_entries",
      "TRUNCATE audit_entries",
    ]) {
      await expect(db.pool.query(sql)).rejects.toThrow(/never changed or deleted/);
    }
  });

  test("the newest heartbeat of an instance stands, and names the cluster", async () => {
    await drain(heartbeat({ at: 2_000, clusterName: "prod-eu" }));
    await drain(heartbeat({ at: 1_000, clusterName: "older", leader: false }));
    expect(await db.prisma.cluster.findMany()).toMatchObject([{ id: CLUSTER, name: "prod-eu" }]);
    expect(await db.prisma.controllerInstance.findMany()).toMatchObject([
      { identity: "ctl-1", leader: true, heardAt: new Date(2_000) },
    ]);
  });
});

describe("what cannot be written", () => {
  test("is logged, counted and does not hold up what follows", async () => {
    const good = auditEntry();
    const writer = await drain(
      auditEntry({ id: "no UUID" }),
      { ...auditEntry(), action: 7 } as unknown as LedgerRecord,
      { type: "unheard of" } as unknown as LedgerRecord,
      good,
      auditEntry({ id: "no UUID either" }),
    );
    expect(writer.stats()).toMatchObject({ refused: 4, written: 1 });
    expect(writer.log.filter((line) => line.startsWith("Left a record out"))).toHaveLength(4);
    expect(await db.prisma.auditEntry.findMany()).toMatchObject([{ id: good.id }]);
  });

  test("a cloud's message with a NUL in it is written without", async () => {
    await drain(auditEntry({ why: "before\u0000after" }));
    expect(await db.prisma.auditEntry.findFirst()).toMatchObject({ why: "beforeafter" });
  });
});

describe("a database that is away", () => {
  test.skipIf(!canOwnServer)("gets everything once it is back, once each", async () => {
    const spool = open();
    const writer = start(spool);
    const runs = Array.from({ length: 300 }, () => runEnd());
    for (const run of runs.slice(0, 100)) spool.append(run);
    await vi.waitFor(() => expect(writer.stats().written).toBeGreaterThan(0), 20_000);
    await db.close();
    await server.stop();
    for (const run of runs.slice(100)) spool.append(run);
    await vi.waitFor(
      () => expect(writer.log.join()).toContain("records wait in the spool"),
      20_000,
    );
    expect(writer.stats().behindSince).toBeDefined();
    await server.start();
    await vi.waitFor(() => expect(writer.stats().behindSince).toBeUndefined(), 30_000);
    const rows = await db.prisma.run.findMany({ select: { id: true } });
    expect(rows).toHaveLength(runs.length);
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set(runs.map((run) => run.id)));
  });

  test("without the schema is reported when that shows and not with each try, and is written after the migration", async () => {
    const empty = await server.empty();
    const spool = open();
    const writer = start(spool, empty);
    spool.append(auditEntry());
    await vi.waitFor(async () => expect(await sessionsOf(empty)).toBeGreaterThan(3), 60_000);
    expect(writer.log.join()).toContain("run `cloudwright migrate`");
    await migrate(empty);
    await vi.waitFor(() => expect(writer.stats().written).toBe(1), 60_000);
    // A connection that a busy machine was too late with, or a try between two migrations, is another failure and news.
    expect(writer.log.filter((line, at) => line === writer.log[at - 1])).toEqual([]);
    expect(writer.log.at(-1)).toContain("is writable again");
  });

  /** How often the database was connected to: each failed try ends its connection. */
  async function sessionsOf(databaseUrl: string): Promise<number> {
    const { rows } = await db.pool.query<{ sessions: string }>(
      "SELECT sessions FROM pg_stat_database WHERE datname = $1",
      [new URL(databaseUrl).pathname.slice(1)],
    );
    return Number(rows[0]?.sessions);
  }

  test("that refuses the login says so, and gets everything once the login has its rights", async () => {
    const login = `writer_${newId().slice(-12)}`;
    await db.pool.query(`CREATE ROLE ${login} LOGIN PASSWORD 'right'`);
    onTestFinished(async () => {
      const again = connect(url);
      await again.pool.query(`DROP OWNED BY ${login}; DROP ROLE ${login}`);
      await again.close();
    });
    const given = new URL(url);
    given.username = login;
    given.password = "right";
    const spool = open();
    const writer = start(spool, given.href);
    spool.append(runEnd());
    await vi.waitFor(() => expect(writer.stats().database).toBe("login"), 20_000);
    expect(writer.log.join()).toContain("refuses this login");
    await db.pool.query(`ALTER ROLE ${login} SUPERUSER`);
    await vi.waitFor(() => expect(writer.stats()).toMatchObject({ database: "written" }), 20_000);
  });

  test("does not keep the writer from stopping, and keeps the records for the next process", async () => {
    const spool = open();
    const writer = start(spool, "postgres://postgres@127.0.0.1:1/none");
    const entry = auditEntry();
    spool.append(entry);
    await vi.waitFor(() => expect(writer.log).toHaveLength(1), 20_000);
    await writer.stop();
    spool.close();
    await drain();
    expect(await db.prisma.auditEntry.findMany()).toMatchObject([{ id: entry.id }]);
  });
});

describe("a process that is killed while it writes", () => {
  test("leaves nothing out and nothing double once its successor has drained", async () => {
    const appended: string[] = [];
    for (let round = 0; round < 3; round++) {
      appended.push(...(await appendUntilKilled([dir, url], 2_500 + round * 700)));
    }
    await drain();
    const rows = await db.prisma.auditEntry.findMany({ select: { id: true } });
    const found = new Set(rows.map((row) => row.id));
    expect(found.size).toBe(rows.length);
    expect(appended.filter((id) => !found.has(id))).toEqual([]);
  });
});

describe("stopping", () => {
  test("gives up a database as soon as it has said nothing for so long", async () => {
    const clock = createManualClock();
    const silent = await silentServer();
    const spool = open();
    const writer = startLedgerWriter({ spool, databaseUrl: silent.url, clock, log: memoryLog() });
    spool.append(auditEntry());
    await clock.advance(1_000);
    await vi.waitFor(() => expect(silent.requested()).toBe(1), 20_000);
    await writer.stop({ mostMs: 60_000, silentMs: 400 });
    expect(spool.stats().bytes).toBeGreaterThan(0);
  });

  test("does not take the time for which the process itself stood still for the database's silence", async () => {
    const clock = createManualClock();
    let answers = 0;
    const slow = await slowWay(url, async () => {
      answers += 1;
      if (answers > 1) return;
      // As after SIGSTOP and SIGCONT: the clock has gone on, and the answer comes a little later.
      await clock.advance(60_000);
      await delay(500);
    });
    const spool = open();
    const writer = startLedgerWriter({ spool, databaseUrl: slow, clock, log: memoryLog() });
    const entry = auditEntry();
    spool.append(entry);
    await writer.stop({ mostMs: 600_000, silentMs: 2_000 });
    expect(await db.prisma.auditEntry.findMany()).toMatchObject([{ id: entry.id }]);
  });

  test("waits for the thread that writes, which may take its time to start", async () => {
    const clock = createManualClock();
    const spool = open();
    const writer = startLedgerWriter({ spool, databaseUrl: url, clock, log: memoryLog() });
    const entry = auditEntry();
    spool.append(entry);
    const stopped = writer.stop({ mostMs: 600_000, silentMs: 800 });
    await clock.advance(60_000);
    await stopped;
    expect(await db.prisma.auditEntry.findMany()).toMatchObject([{ id: entry.id }]);
    expect(spool.stats().bytes).toBe(0);
  });

  test("waits for a database that goes on answering, however long all of it takes", async () => {
    const clock = createManualClock();
    const slow = await slowWay(url, () => clock.advance(300));
    const spool = open();
    const writer = startLedgerWriter({ spool, databaseUrl: slow, clock, log: memoryLog() });
    const entry = auditEntry();
    spool.append(entry);
    await writer.stop({ mostMs: 600_000, silentMs: 800 });
    expect(await db.prisma.auditEntry.findMany()).toMatchObject([{ id: entry.id }]);
  });

  test("writes what was appended just before", async () => {
    const spool = open();
    const writer = start(spool);
    const entry = auditEntry();
    spool.append(entry);
    // A busy machine needs longer for the thread alone than a process has.
    await writer.stop({ mostMs: 30_000 });
    expect(await db.prisma.auditEntry.findMany()).toMatchObject([{ id: entry.id }]);
  });
});
