import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { appendUntilKilled } from "../../testing/append-until-killed.ts";
import { auditEntry, heartbeat, newId, runEnd, runStart, step } from "../../testing/records.ts";
import { systemClock } from "../../testing/system-clock.ts";
import { contentsOf, decodeLines } from "./decode-lines.ts";
import { openSpool, type Spool, type SpoolBatch, type SpoolOptions } from "./spool.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "cloudwright-spool-"));
  return () => rmSync(dir, { recursive: true, force: true });
});

function open(over: Partial<SpoolOptions> = {}): Spool {
  const spool = openSpool({ dir, maxBytes: 64 * 1024 * 1024, clock: systemClock, ...over });
  onTestFinished(() => spool.close());
  return spool;
}

function readAll(spool: Spool): LedgerRecord[] {
  const values: unknown[] = [];
  for (let batch = spool.read(10_000); batch !== undefined; batch = spool.read(10_000)) {
    values.push(...commit(spool, batch));
  }
  return values as LedgerRecord[];
}

/** As the writer does once the database has it; answers what was in it. */
function commit(spool: Spool, batch: SpoolBatch | undefined): readonly unknown[] {
  if (batch === undefined) return [];
  const decoded = decodeLines(batch.lines);
  spool.commit(batch, contentsOf(decoded, spool.openRuns()));
  return decoded.values;
}

/** So few bytes that a batch is one record. */
const ONE = 1;

function segments(): string[] {
  return readdirSync(dir).filter((name) => name.endsWith(".log"));
}

describe("a spool", () => {
  test("gives records back in the order of their appends", () => {
    const spool = open();
    const records = [runStart(), runEnd(), auditEntry(), heartbeat()];
    for (const record of records) spool.append(record);
    expect(readAll(spool)).toEqual(records);
    expect(spool.read(ONE)).toBeUndefined();
    expect(spool.stats().bytes).toBe(0);
  });

  test("takes several records at once, also more than a segment holds", () => {
    const spool = open({ segmentBytes: 2_000 });
    const records = Array.from({ length: 40 }, () => auditEntry());
    spool.append(...records.slice(0, 2));
    expect(segments()).toHaveLength(1);
    spool.append(...records.slice(2));
    expect(segments().length).toBeGreaterThan(3);
    expect(readAll(spool)).toEqual(records);
  });

  test("keeps what was not committed for the next process, and that alone", () => {
    const first = open();
    const records = Array.from({ length: 5 }, () => auditEntry());
    for (const record of records) first.append(record);
    commit(first, first.read(ONE));
    commit(first, first.read(ONE));
    first.read(ONE);
    first.close();
    expect(readAll(open())).toEqual(records.slice(2));
  });

  test("never makes a segment larger than its bound, whatever a record holds", () => {
    const spool = open({ segmentBytes: 100_000 });
    const body = { message: "m".repeat(4_000) };
    const steps = Array(200).fill({ ...step("cloud"), error: "e".repeat(500), body });
    const reason = { code: "Unexplained" as const, message: "x".repeat(5_000_000) };
    for (const record of [runEnd({ steps }), runEnd({ reason }), runEnd({ steps, reason })]) {
      spool.append(record);
    }
    for (const name of segments()) {
      expect(statSync(path.join(dir, name)).size).toBeLessThanOrEqual(100_000);
    }
    expect(readAll(spool)).toHaveLength(3);
    expect(spool.stats()).toMatchObject({ droppedRecords: 0, droppedCalls: 400 });
  });

  test("spreads over segments and deletes those that are drained", () => {
    const spool = open({ segmentBytes: 2_000 });
    const records = Array.from({ length: 40 }, () => auditEntry());
    for (const record of records) spool.append(record);
    expect(segments().length).toBeGreaterThan(3);
    expect(readAll(spool)).toEqual(records);
    expect(segments()).toHaveLength(1);
  });

  test("reads what is appended while it is drained", () => {
    const spool = open({ segmentBytes: 1_000 });
    const seen: unknown[] = [];
    const records = Array.from({ length: 30 }, () => auditEntry());
    for (const record of records) {
      spool.append(record);
      seen.push(...commit(spool, spool.read(10_000)));
    }
    expect(seen).toEqual(records);
  });

  test.each([1, 2, 9, 10, 50])(
    "ignores a last line that is torn %i bytes before its end",
    (cut) => {
      const spool = open();
      const whole = auditEntry();
      spool.append(whole);
      spool.append(auditEntry());
      spool.close();
      const file = path.join(dir, segments()[0] ?? "");
      writeFileSync(file, readFileSync(file, "utf8").slice(0, -cut));

      const next = open();
      const later = auditEntry();
      next.append(later);
      expect(readAll(next)).toEqual([whole, later]);
      expect(next.stats().damagedLines).toBe(1);
    },
  );

  test("skips a damaged line and reads on", () => {
    const spool = open();
    const before = auditEntry();
    spool.append(before);
    spool.close();
    appendFileSync(path.join(dir, segments()[0] ?? ""), 'deadbeef {"type":"audit"}\n');
    const next = open();
    const after = auditEntry();
    next.append(after);
    expect(readAll(next)).toEqual([before, after]);
    expect(next.stats().damagedLines).toBe(1);
  });

  test("starts over from the oldest record when the position is damaged", () => {
    const spool = open();
    const records = [auditEntry(), auditEntry()];
    for (const record of records) spool.append(record);
    readAll(spool);
    spool.close();
    writeFileSync(path.join(dir, "position.json"), "{");
    expect(readAll(open())).toEqual(records);
  });

  test("notifies its listener of each append until it is removed", () => {
    const spool = open();
    let calls = 0;
    spool.onAppend(() => {
      calls += 1;
    });
    spool.append(auditEntry());
    spool.onAppend(undefined);
    spool.append(auditEntry());
    expect(calls).toBe(1);
  });

  test("touches its folder no more once it is closed: a successor may have it", () => {
    const spool = open();
    spool.append(auditEntry());
    const batch = spool.read(ONE);
    spool.close();
    const successor = open();
    spool.append(auditEntry());
    commit(spool, batch);
    expect(spool.stats().droppedRecords).toBe(1);
    expect(readAll(successor)).toHaveLength(1);
  });

  test("keeps its files from other users", () => {
    const spool = open();
    spool.append(auditEntry());
    readAll(spool);
    for (const name of readdirSync(dir)) {
      // The lock is a link, which has no mode of its own.
      if (name === "lock.json") continue;
      expect(statSync(path.join(dir, name)).mode & 0o077, name).toBe(0);
    }
  });
});

describe("a spool at its limit", () => {
  test("drops the calls of the oldest runs first, counts them, and keeps their number in the line", () => {
    const spool = open({ maxBytes: 40_000, segmentBytes: 5_000 });
    const runs = Array.from({ length: 45 }, () => runEnd());
    for (const run of runs) spool.append(run);
    const stats = spool.stats();
    expect(stats.droppedCalls).toBeGreaterThan(0);
    expect(stats.droppedRecords).toBe(0);

    const values = readAll(spool);
    expect(values.map((value) => "id" in value && value.id)).toEqual(runs.map((run) => run.id));
    const stripped = values.filter((value) => value.type === "run.end" && value.steps.length === 0);
    expect(stripped.length * 3).toBe(stats.droppedCalls);
    expect(stripped[0]).toMatchObject({ droppedCalls: { cloud: 1, kube: 2 } });
  });

  test("then drops the oldest segments, counts their records and never grows past the limit", () => {
    const spool = open({ maxBytes: 20_000, segmentBytes: 2_500 });
    const runs = Array.from({ length: 200 }, () => runEnd());
    for (const run of runs) {
      spool.append(run);
      const bytes = segments().reduce((sum, name) => sum + statSync(path.join(dir, name)).size, 0);
      expect(bytes).toBeLessThanOrEqual(20_000);
    }
    const { droppedRecords, droppedSegments } = spool.stats();
    expect(droppedSegments).toBeGreaterThan(0);
    const ids = readAll(spool).map((value) => "id" in value && value.id);
    expect(ids).toEqual(runs.slice(droppedRecords).map((run) => run.id));
  });

  test("goes on after segments were dropped under the reader", () => {
    const spool = open({ maxBytes: 10_000, segmentBytes: 1_300 });
    for (let index = 0; index < 5; index++) spool.append(runEnd());
    const batch = spool.read(ONE);
    for (let index = 0; index < 100; index++) spool.append(runEnd());
    const last = runEnd();
    spool.append(last);
    commit(spool, batch);
    expect(readAll(spool).at(-1)).toMatchObject({ id: last.id });
  });
});

describe("what a spool lost", () => {
  const owner = { cluster: "c-1", instance: "ctl-1" };
  const FULL = { maxBytes: 20_000, segmentBytes: 2_500, owner };

  /** A clock that stands still until it is moved on. */
  function stoppedClock() {
    let now = Date.now();
    return {
      ...systemClock,
      now: () => now,
      passes(ms: number) {
        now += ms;
      },
    };
  }

  function gapsIn(values: readonly LedgerRecord[]) {
    return values.filter((value) => value.type === "gap");
  }

  test("is reported as one record, once the database takes records again", () => {
    const clock = stoppedClock();
    const spool = open({ ...FULL, clock });
    const runs = Array.from({ length: 200 }, (_, index) =>
      runEnd({ startedAt: 1_000_000 + index, ...(index === 0 ? { steps: [] } : {}) }),
    );
    for (const run of runs) spool.append(run);
    const { droppedRecords, droppedCalls } = spool.stats();
    clock.passes(10_000);
    const [gap, ...others] = gapsIn(readAll(spool));
    expect(others).toEqual([]);
    expect(gap).toMatchObject({
      ...owner,
      from: 1_000_000,
      records: droppedRecords,
      calls: droppedCalls,
    });
    expect(gap?.to).toBeGreaterThanOrEqual(1_000_000 + droppedRecords - 1);
    expect(gap?.to).toBeLessThan(1_000_200);
  });

  test("is reported by the next process when this one dies before it can", () => {
    const first = open(FULL);
    for (let index = 0; index < 200; index++) first.append(runEnd());
    const { droppedRecords } = first.stats();
    first.close();
    const clock = stoppedClock();
    clock.passes(120_000);
    const second = open({ ...FULL, clock });
    const gaps = gapsIn(readAll(second));
    expect(gaps).toMatchObject([{ ...owner, records: droppedRecords }]);
    second.close();
    expect(gapsIn(readAll(open({ ...FULL, clock })))).toEqual([]);
  });

  test("keeps counting when the report of an earlier gap is lost as well", () => {
    const clock = stoppedClock();
    const spool = open({ ...FULL, clock });
    const lose = () => {
      for (let index = 0; index < 200; index++) spool.append(runEnd({ steps: [] }));
    };
    lose();
    clock.passes(10_000);
    commit(spool, spool.read(ONE));
    lose();
    const { droppedRecords } = spool.stats();
    clock.passes(10_000);
    const gaps = gapsIn(readAll(spool));
    expect(gaps).toHaveLength(1);
    expect(gaps[0]?.records).toBe(droppedRecords);
  });

  test("is only counted where nobody owns it", () => {
    const spool = open({ maxBytes: FULL.maxBytes, segmentBytes: FULL.segmentBytes });
    for (let index = 0; index < 200; index++) spool.append(runEnd());
    expect(spool.stats().droppedRecords).toBeGreaterThan(0);
    expect(gapsIn(readAll(spool))).toEqual([]);
  });
});

describe("a spool on a full disk", () => {
  const disk = mkdtempSync(path.join(tmpdir(), "cloudwright-full-disk-"));
  const mounted = mountSmallDisk(disk);
  afterEach(() => {
    for (const name of readdirSync(disk)) rmSync(path.join(disk, name), { recursive: true });
  });
  afterAll(() => {
    if (mounted) execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  test.skipIf(!mounted)("drops calls, then the oldest, keeps the newest and never throws", () => {
    const spool = open({ dir: path.join(disk, "spool"), segmentBytes: 6_000 });
    const runs = Array.from({ length: 300 }, () => runEnd());
    for (const run of runs) spool.append(run);
    const stats = spool.stats();
    expect(stats.lastError).toBeDefined();
    expect(stats.droppedCalls).toBeGreaterThan(0);
    const ids = readAll(spool).map((value) => "id" in value && value.id);
    expect(ids.length).toBeGreaterThan(10);
    expect(ids).toEqual(runs.slice(-ids.length).map((run) => run.id));
    expect(stats.droppedRecords).toBe(runs.length - ids.length);
  });

  test.skipIf(!mounted)("goes on when there is room again", () => {
    const filler = path.join(disk, "filler");
    try {
      writeFileSync(filler, "x".repeat(1_000_000));
    } catch {
      // Full, as it should be.
    }
    const spool = open({ dir: path.join(disk, "later") });
    spool.append(auditEntry());
    expect(spool.stats().droppedRecords).toBe(1);
    rmSync(filler);
    const entry = auditEntry();
    spool.append(entry);
    expect(readAll(spool)).toEqual([entry]);
  });

  test.skipIf(!mounted)(
    "keeps the newest of what comes several at once, and counts the rest",
    () => {
      const spool = open({ dir: path.join(disk, "several"), segmentBytes: 6_000 });
      const runs = Array.from({ length: 300 }, () => runEnd());
      for (let index = 0; index < runs.length; index += 3)
        spool.append(...runs.slice(index, index + 3));
      const ids = readAll(spool).map((value) => "id" in value && value.id);
      expect(ids.length).toBeGreaterThan(10);
      expect(ids).toEqual(runs.slice(-ids.length).map((run) => run.id));
      expect(spool.stats().droppedRecords).toBe(runs.length - ids.length);
    },
  );

  test.skipIf(!mounted)("is given back once all is drained, and takes records again", () => {
    const folder = path.join(disk, "drained");
    const spool = open({ dir: folder });
    while (spool.stats().droppedRecords === 0) spool.append(auditEntry());
    readAll(spool);
    expect(readdirSync(folder).filter((name) => name.endsWith(".log"))).toEqual([]);
    const entry = auditEntry();
    spool.append(entry);
    expect(readAll(spool)).toEqual([entry]);
    expect(spool.stats()).toMatchObject({ bytes: 0, droppedRecords: 1 });
  });

  test.skipIf(!mounted)("is given back what is drained while more comes all the time", () => {
    const folder = path.join(disk, "flow");
    const spool = open({ dir: folder });
    while (spool.stats().droppedRecords === 0) spool.append(auditEntry());
    const few = () => Array.from({ length: 10 }, () => auditEntry());
    readAll(spool);
    for (let round = 0; round < 20; round++) {
      const batch = spool.read(100_000);
      for (const entry of few()) spool.append(entry);
      commit(spool, batch);
    }
    expect(spool.stats().droppedRecords).toBe(1);
  });

  test.skipIf(!mounted)("ends as interrupted a run whose end it had no room for", () => {
    const spool = open({ dir: path.join(disk, "unended") });
    const [living, ended] = [runStart(), runStart()];
    for (const start of [living, ended]) spool.append(start);
    while (spool.stats().droppedRecords === 0) spool.append(auditEntry());
    spool.append(runEnd({ id: ended.id }));
    const ends = readAll(spool).filter(({ type }) => type === "run.end");
    expect(ends).toMatchObject([{ id: ended.id, outcome: "interrupted" }]);
  });

  test.skipIf(!mounted)(
    "is refused to a second user, though nothing could be written into it",
    () => {
      const folder = path.join(disk, "shared");
      mkdirSync(folder);
      const filler = path.join(disk, "filler");
      try {
        writeFileSync(filler, "x".repeat(1_000_000));
      } catch {
        // Full, as it should be.
      }
      open({ dir: folder });
      expect(() => open({ dir: folder })).toThrow(/in use by process/);
      rmSync(filler);
    },
  );

  /** Only root may; elsewhere these tests are skipped. */
  function mountSmallDisk(folder: string): boolean {
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], {
        stdio: "ignore",
      });
      return true;
    } catch {
      return false;
    }
  }
});

describe("a spool's folder", () => {
  test("is refused to a second user, with who has it", () => {
    open();
    expect(() => openSpool({ dir, maxBytes: 1_000_000, clock: systemClock })).toThrow(
      new RegExp(`in use by process ${process.pid} on `),
    );
  });

  test("is taken over from a process that is gone", () => {
    writeFileSync(
      path.join(dir, "lock.json"),
      JSON.stringify({ pid: 4_194_304, host: "elsewhere" }),
    );
    expect(() => open()).toThrow(/on elsewhere/);
    rmSync(path.join(dir, "lock.json"));
    open().close();
    // The first process of a restarted container has its predecessor's id, but began later.
    const lock = { pid: process.pid, host: hostOfThisLock(), started: "1" };
    writeFileSync(path.join(dir, "lock.json"), JSON.stringify(lock));
    expect(() => open()).not.toThrow();
  });

  test("is taken over when the lock was cut short", () => {
    writeFileSync(path.join(dir, "lock.json"), '{"pid":');
    expect(() => open()).not.toThrow();
  });

  function hostOfThisLock(): string {
    const spool = open();
    const { host } = JSON.parse(readlinkSync(path.join(dir, "lock.json")));
    spool.close();
    return host;
  }
});

describe("runs that a dead process had begun", () => {
  test("end as interrupted, whether their start was drained or not", () => {
    const first = open();
    const drained = runStart();
    const ended = runStart();
    const undrained = runStart({ id: newId() });
    first.append(drained);
    first.append(ended);
    readAll(first);
    first.append(runEnd({ id: ended.id }));
    first.append(undrained);
    first.close();

    const second = open();
    const values = readAll(second);
    const interrupted = values.filter(
      (value) => value.type === "run.end" && value.outcome === "interrupted",
    );
    expect(interrupted.map((value) => "id" in value && value.id)).toEqual([
      drained.id,
      undrained.id,
    ]);
    expect(interrupted[0]).toMatchObject({
      object: drained.object,
      reason: { code: "RunInterrupted" },
      steps: [],
    });
    second.close();
    expect(readAll(open())).toEqual([]);
  });
});

describe("a process that is killed", () => {
  test("loses no record that it had appended, however often it happens", async () => {
    const known = new Set<string>();
    for (let round = 0; round < 4; round++) {
      for (const id of await appendUntilKilled([dir], 200 + round * 37)) known.add(id);
    }
    const found = new Set(readAll(open()).map((value) => ("id" in value ? value.id : "")));
    expect([...known].filter((id) => !found.has(id))).toEqual([]);
    expect(known.size).toBeGreaterThan(800);
  });
});
