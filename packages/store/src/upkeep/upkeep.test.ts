import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { budgetMinute, settings } from "../../testing/budget-records.ts";
import {
  CLUSTER,
  heartbeat,
  memoryLog,
  newId,
  objectEvent,
  objectState,
  runEnd,
  step,
} from "../../testing/records.ts";
import { systemClock } from "../../testing/system-clock.ts";
import { testLedger } from "../../testing/test-ledger.ts";
import { runIdsOf, tidyAtOnce } from "../../testing/tidy-ledger.ts";
import { lazyConnection } from "../ledger/connection.ts";
import { startLedgerWriter } from "../ledger/ledger-writer.ts";
import { runDetail } from "../queries/runs/runs.ts";
import { openSpool } from "../spool/spool.ts";
import { DEFAULT_RETENTION, type Retention } from "./retention.ts";
import { startUpkeep, tidyIfDue } from "./upkeep.ts";

const DAY_MS = 86_400_000;

const ledger = testLedger();

const tidyNow = (retention?: () => Promise<Retention>) => tidyAtOnce(ledger, retention);
const runIds = () => runIdsOf(ledger);

async function days(): Promise<readonly string[]> {
  const { rows } = await ledger.db.pool.query<{ day: string }>(
    "SELECT inhrelid::regclass::text AS day FROM pg_inherits WHERE inhparent = 'runs'::regclass ORDER BY 1",
  );
  return rows.map(({ day }) => day);
}

/** Returns how many connections wait for an advisory lock. */
async function waiters(): Promise<number> {
  const { rows } = await ledger.db.pool.query<{ count: number }>(
    "SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
  );
  return rows[0]?.count ?? 0;
}

function dayOf(moment: number): string {
  return `runs_${new Date(moment).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

describe("days", () => {
  test("are made for every written row, and a week ahead", async () => {
    const now = Date.now();
    const moments = [86_400_000 * 3, now - 400 * DAY_MS, now, now + 300 * DAY_MS];
    await ledger.write(...moments.map((startedAt) => runEnd({ startedAt })));
    expect(await days()).toEqual(moments.map(dayOf));
    await tidyNow();
    expect(await days()).toEqual(expect.arrayContaining([dayOf(now), dayOf(now + 7 * DAY_MS)]));
  });

  test("that were dropped under a writer are made again", async () => {
    const dir = mkdtempSync(path.join(tmpdir(), "cloudwright-upkeep-"));
    const spool = openSpool({ dir, maxBytes: 1e8, clock: systemClock });
    const log = memoryLog();
    const writer = startLedgerWriter({ spool, databaseUrl: ledger.url, clock: systemClock, log });
    const startedAt = Date.now() - 3 * DAY_MS;
    spool.append(runEnd({ startedAt }));
    await vi.waitFor(() => expect(writer.stats().written).toBe(1), 20_000);
    await ledger.db.pool.query("SELECT cloudwright_drop_run_days(now() - interval '1 day')");
    const late = runEnd({ startedAt: startedAt + 1 });
    spool.append(late);
    await vi.waitFor(() => expect(writer.stats().written).toBe(2), 20_000);
    expect(await runIds()).toEqual([late.id]);
    expect(log.lines).toEqual([]);
    await writer.stop();
    spool.close();
    rmSync(dir, { recursive: true });
  });

  test("are made once by two that begin at the same moment", async () => {
    const connections = [lazyConnection(ledger.url), lazyConnection(ledger.url)] as const;
    try {
      const [first, second] = await Promise.all(connections.map(({ client }) => client()));
      const make = "SELECT cloudwright_make_run_days(ARRAY['2031-05-06'::date])";
      await first?.query("BEGIN");
      await first?.query(make);
      const made = second?.query(make);
      await vi.waitFor(async () => expect(await waiters()).toBe(1), 20_000);
      await first?.query("COMMIT");
      await made;
      expect(await days()).toContain("runs_20310506");
    } finally {
      for (const { drop } of connections) drop();
    }
  });

  test("are dropped as a whole once all of their rows are too old, and not before", async () => {
    const now = Date.now();
    const old = runEnd({ startedAt: now - 32 * DAY_MS });
    const kept = runEnd({ startedAt: now - 30 * DAY_MS });
    await ledger.write(old, kept);
    expect(await tidyNow()).toMatchObject({ droppedDays: 1 });
    expect(await runIds()).toEqual([kept.id]);
  });

  test("are kept for the retention at the time, and longer while it cannot be read", async () => {
    const old = runEnd({ startedAt: Date.now() - 5 * DAY_MS });
    await ledger.write(old);
    await expect(tidyNow(() => Promise.reject(new Error("the cluster is away")))).rejects.toThrow(
      "the cluster is away",
    );
    expect(await tidyNow()).toMatchObject({ droppedDays: 0 });
    expect(await runIds()).toEqual([old.id]);
    const shorter = { ...DEFAULT_RETENTION, runsMs: 3 * DAY_MS };
    expect(await tidyNow(async () => shorter)).toMatchObject({ droppedDays: 1 });
    expect(await runIds()).toEqual([]);
  });

  test("of the last hour are never dropped, whoever asks", async () => {
    for (const call of [
      "cloudwright_drop_run_days(now())",
      "cloudwright_drop_run_bodies(now(), 1)",
      "cloudwright_drop_old_rows(now(), now(), now())",
      "cloudwright_drop_old_budget(now())",
      "cloudwright_drop_old_states(now())",
      "cloudwright_fold_runs(now())",
    ]) {
      await expect(ledger.db.pool.query(`SELECT ${call}`)).rejects.toThrow(
        /last hour is never removed/,
      );
    }
  });
});

describe("old rows", () => {
  test("lose the bodies of their failed calls, and nothing else", async () => {
    const failed = { ...step("cloud"), status: 500, body: { message: "quota" } };
    const now = Date.now();
    const [old, recent] = [8, 6].map((age) =>
      runEnd({ startedAt: now - age * DAY_MS, outcome: "failed", steps: [failed, step("kube")] }),
    );
    if (old === undefined || recent === undefined) throw new Error("unreachable");
    await ledger.write(old, recent);
    expect(await tidyNow()).toMatchObject({ strippedRuns: 1 });
    const { body: _body, ...without } = failed;
    const stepsOf = async (id: string) =>
      (await runDetail(ledger.db, { cluster: CLUSTER, id })).end?.steps;
    expect(await stepsOf(old.id)).toEqual([without, step("kube")]);
    expect(await stepsOf(recent.id)).toEqual([failed, step("kube")]);
    expect(await tidyNow()).toMatchObject({ strippedRuns: 0 });
  });

  test("go: ended actions, gone objects, reports of gaps and processes; open actions and present objects stay", async () => {
    const now = Date.now();
    const long = now - 100 * DAY_MS;
    const gap = (at: number) =>
      ({
        type: "gap",
        id: newId(),
        cluster: CLUSTER,
        instance: "ctl-1",
        from: at,
        to: at,
        records: 5,
        calls: 0,
      }) as const;
    await ledger.write(
      heartbeat({ at: long, instance: "ctl-old" }),
      heartbeat({ at: now, instance: "ctl-new" }),
      objectState({ name: "w-old", at: long, state: "gone" }),
      objectState({ name: "w-there", at: long }),
      objectState({ name: "w-new", at: now, state: "gone" }),
      gap(long),
      gap(now),
      runEnd({ startedAt: long, dryRun: true, object: { kind: "Node", name: "w-old" } }),
      runEnd({ startedAt: now, dryRun: true, object: { kind: "Node", name: "w-new" } }),
    );
    const intent = (state: string) => ledger.db.pool.query(INSERT_INTENT, [CLUSTER, state]);
    await intent("verified");
    await intent("requested");
    expect(await tidyNow()).toMatchObject({ removedRows: 6 });
    const names = async (sql: string) =>
      (await ledger.db.pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);
    expect(await names("SELECT name FROM all_states ORDER BY 1")).toEqual(["w-new", "w-there"]);
    expect(await names("SELECT name FROM state_changes ORDER BY 1")).toEqual(["w-new", "w-there"]);
    expect(await names("SELECT identity AS name FROM controller_instances")).toEqual(["ctl-new"]);
    expect(await names("SELECT object_name AS name FROM shadow_plans")).toEqual(["w-new"]);
    expect(await names("SELECT state AS name FROM intents")).toEqual(["requested"]);
    expect(await names("SELECT records::text AS name FROM ledger_gaps")).toEqual(["5"]);
  });
});

describe("earlier states of objects", () => {
  test("go with the runs of their time, except for each object's last one; and since when all are kept is noted", async () => {
    const now = Date.now();
    const was = [
      [50, "ok"],
      [40, "working"],
      [20, "ok"],
      [10, "working"],
    ] as const;
    for (const [age, state] of was) {
      await ledger.write(objectState({ name: "w-1", at: now - age * DAY_MS, state }));
    }
    await ledger.write(objectState({ name: "w-2", at: now - 90 * DAY_MS }));
    expect(await ledger.db.prisma.stateHistory.count()).toBe(0);
    await ledger.write(heartbeat({ at: now }));
    expect(await tidyNow()).toMatchObject({ removedRows: 1 });
    const kept = await ledger.db.prisma.stateChange.findMany({ orderBy: { at: "asc" } });
    expect(kept.map(({ name, at }) => [name, Math.round((now - at.getTime()) / DAY_MS)])).toEqual([
      ["w-2", 90],
      ["w-1", 40],
      ["w-1", 20],
      ["w-1", 10],
    ]);
    const [history] = await ledger.db.prisma.stateHistory.findMany();
    const age = (now - (history?.completeFrom.getTime() ?? 0)) / DAY_MS;
    expect(Math.round(age)).toBe(30);
    expect(await tidyNow()).toMatchObject({ removedRows: 0 });
  });
});

describe("minutes of the budget", () => {
  test("go after a week, and settings with the process that reported them", async () => {
    const now = Date.now();
    const old = now - 8 * DAY_MS;
    await ledger.write(
      heartbeat({ at: now, instance: "ctl-there" }),
      settings({ at: old, instance: "ctl-there" }),
      settings({ at: old, instance: "ctl-forgotten" }),
      budgetMinute(old, 3),
      budgetMinute(now - 6 * DAY_MS, 3),
    );
    expect(await tidyNow()).toMatchObject({ removedRows: 2 });
    expect(await ledger.db.prisma.budgetMinute.count()).toBe(1);
    const left = await ledger.db.prisma.controllerSettings.findMany();
    expect(left.map(({ identity }) => identity)).toEqual(["ctl-there"]);
  });
});

describe("Events of other components", () => {
  test("go as runs do, a month after they last happened", async () => {
    const now = Date.now();
    const event = (uid: string, days: number) =>
      objectEvent({ uid, firstAt: now - 60 * DAY_MS, lastAt: now - days * DAY_MS });
    await ledger.write(event("old", 31), event("repeated", 29));
    expect(await tidyNow()).toMatchObject({ removedRows: 1 });
    const left = await ledger.db.prisma.objectEvent.findMany();
    expect(left.map(({ uid }) => uid)).toEqual(["repeated"]);
  });
});

describe("several processes", () => {
  test("leave the upkeep to one of them, once an hour", async () => {
    const connections = [
      lazyConnection(ledger.url),
      lazyConnection(ledger.url),
      lazyConnection(ledger.url),
    ];
    const options = { retention: async () => DEFAULT_RETENTION, clock: systemClock };
    const did = await Promise.all(
      connections.map(async (connection) =>
        tidyIfDue(await connection.client(), options, () => false),
      ),
    );
    for (const connection of connections) connection.drop();
    expect(did.filter((one) => one !== undefined)).toHaveLength(1);
    const later = lazyConnection(ledger.url);
    expect(await tidyIfDue(await later.client(), options, () => false)).toBeUndefined();
    later.drop();
  });

  test("log what they did, and what prevented it", async () => {
    const log = memoryLog();
    // A clock whose timers fire at once.
    const clock = {
      ...systemClock,
      after: (_ms: number, due: () => void) => systemClock.after(1, due),
    };
    const options = { retention: async () => DEFAULT_RETENTION, clock, random: Math.random, log };
    const upkeep = startUpkeep({ ...options, databaseUrl: ledger.url });
    await vi.waitFor(() => expect(log.lines.join()).toContain("was cleaned up"), 20_000);
    await upkeep.stop();
    const failing = startUpkeep({ ...options, databaseUrl: "postgres://x@127.0.0.1:1/none" });
    await vi.waitFor(() => expect(log.lines.join()).toContain("could not be cleaned up"), 20_000);
    await failing.stop();
  });
});

const INSERT_INTENT = `
  INSERT INTO intents (id, cluster_id, kind, controller, object_kind, object_name, why, actor_id, actor_name, state,
                       requested_at, expires_at, updated_at)
  VALUES (gen_random_uuid(), $1, 'retry', 'cloud-node-controller', 'Node', 'w-1', 'Looked at', 'u1', 'ana', $2,
          now() - interval '100 days', now() - interval '100 days', now() - interval '100 days')`;
