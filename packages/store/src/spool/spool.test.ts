import {
  appendFileSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { appendUntilKilled } from "../../testing/append-until-killed.ts";
import { auditEntry, heartbeat, newId, runEnd, runStart, step } from "../../testing/records.ts";
import { systemClock } from "../../testing/system-clock.ts";
import { openSpool } from "./spool.ts";
import { commit, dir, inNewFolder, ONE, open, readAll, segments } from "./testing/open-spool.ts";

beforeEach(inNewFolder);

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

  test("keeps exactly what was not committed for the next process", () => {
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

  test("starts again from the oldest record when the position is damaged", () => {
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

  test("no longer touches its folder once it is closed: a successor may have it", () => {
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

describe("a spool's folder", () => {
  test("is refused to a second user, naming the first", () => {
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
