import { describe, expect, onTestFinished, test, vi } from "vitest";
import { appendUntilKilled } from "../../testing/append-until-killed.ts";
import { canOwnServer } from "../../testing/database-fixture.ts";
import { useLedgerWriter } from "../../testing/ledger-writer.ts";
import { auditEntry, newId, runEnd } from "../../testing/records.ts";
import { connect } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";

const ledger = useLedgerWriter({ ownServer: true });

describe("a database that is away", () => {
  test.skipIf(!canOwnServer)("gets everything once it is back, once each", async () => {
    const spool = ledger.open();
    const writer = ledger.start(spool);
    const runs = Array.from({ length: 300 }, () => runEnd());
    for (const run of runs.slice(0, 100)) spool.append(run);
    await vi.waitFor(() => expect(writer.stats().written).toBeGreaterThan(0), 20_000);
    await ledger.db.close();
    await ledger.server.stop();
    for (const run of runs.slice(100)) spool.append(run);
    await vi.waitFor(
      () => expect(writer.log.join()).toContain("records wait in the spool"),
      20_000,
    );
    expect(writer.stats().behindSince).toBeDefined();
    await ledger.server.start();
    await vi.waitFor(() => expect(writer.stats().behindSince).toBeUndefined(), 30_000);
    const rows = await ledger.db.prisma.run.findMany({ select: { id: true } });
    expect(rows).toHaveLength(runs.length);
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set(runs.map((run) => run.id)));
  });

  test("without the schema is reported once and not with each attempt, and is written after the migration", async () => {
    const empty = await ledger.server.empty();
    const spool = ledger.open();
    const writer = ledger.start(spool, empty);
    spool.append(auditEntry());
    await vi.waitFor(async () => expect(await sessionsOf(empty)).toBeGreaterThan(3), 60_000);
    expect(writer.log.join()).toContain("run `cloudwright migrate`");
    await migrate(empty);
    await vi.waitFor(() => expect(writer.stats().written).toBe(1), 60_000);
    // A connection that timed out on a busy machine, or an attempt between two migrations, is another failure and is logged.
    expect(writer.log.filter((line, at) => line === writer.log[at - 1])).toEqual([]);
    expect(writer.log.at(-1)).toContain("is writable again");
  });

  /** Returns how often the database was connected to: each failed attempt ends its connection. */
  async function sessionsOf(databaseUrl: string): Promise<number> {
    const { rows } = await ledger.db.pool.query<{ sessions: string }>(
      "SELECT sessions FROM pg_stat_database WHERE datname = $1",
      [new URL(databaseUrl).pathname.slice(1)],
    );
    return Number(rows[0]?.sessions);
  }

  test("that refuses the login is reported, and gets everything once the login has its rights", async () => {
    const login = `writer_${newId().slice(-12)}`;
    await ledger.db.pool.query(`CREATE ROLE ${login} LOGIN PASSWORD 'right'`);
    onTestFinished(async () => {
      const again = connect(ledger.url);
      await again.pool.query(`DROP OWNED BY ${login}; DROP ROLE ${login}`);
      await again.close();
    });
    const given = new URL(ledger.url);
    given.username = login;
    given.password = "right";
    const spool = ledger.open();
    const writer = ledger.start(spool, given.href);
    spool.append(runEnd());
    await vi.waitFor(() => expect(writer.stats().database).toBe("login"), 20_000);
    expect(writer.log.join()).toContain("refuses this login");
    await ledger.db.pool.query(`ALTER ROLE ${login} SUPERUSER`);
    await vi.waitFor(() => expect(writer.stats()).toMatchObject({ database: "written" }), 20_000);
  });

  test("does not keep the writer from stopping, and keeps the records for the next process", async () => {
    const spool = ledger.open();
    const writer = ledger.start(spool, "postgres://postgres@127.0.0.1:1/none");
    const entry = auditEntry();
    spool.append(entry);
    await vi.waitFor(() => expect(writer.log).toHaveLength(1), 20_000);
    await writer.stop();
    spool.close();
    await ledger.drain();
    expect(await ledger.db.prisma.auditEntry.findMany()).toMatchObject([{ id: entry.id }]);
  });
});

describe("a process that is killed while it writes", () => {
  test("leaves nothing out and writes nothing twice once its successor has drained", async () => {
    const appended: string[] = [];
    for (let round = 0; round < 3; round++) {
      appended.push(...(await appendUntilKilled([ledger.dir, ledger.url], 2_500 + round * 700)));
    }
    await ledger.drain();
    const rows = await ledger.db.prisma.auditEntry.findMany({ select: { id: true } });
    const found = new Set(rows.map((row) => row.id));
    expect(found.size).toBe(rows.length);
    expect(appended.filter((id) => !found.has(id))).toEqual([]);
  });
});
