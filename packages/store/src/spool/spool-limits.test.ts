import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditEntry, runEnd, runStart } from "../../testing/records.ts";
import { commit, dir, inNewFolder, ONE, open, readAll, segments } from "./testing/open-spool.ts";

beforeEach(inNewFolder);

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
      // The disk is full, as intended.
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
        // The disk is full, as intended.
      }
      open({ dir: folder });
      expect(() => open({ dir: folder })).toThrow(/in use by process/);
      rmSync(filler);
    },
  );

  /** Needs root; without it these tests are skipped. */
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
