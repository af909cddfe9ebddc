import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { beforeEach, describe, expect, test } from "vitest";
import { runEnd } from "../../testing/records.ts";
import { systemClock } from "../../testing/system-clock.ts";
import { commit, inNewFolder, ONE, open, readAll } from "./testing/open-spool.ts";

beforeEach(inNewFolder);

describe("what a spool lost", () => {
  const owner = { cluster: "c-1", instance: "ctl-1" };
  const FULL = { maxBytes: 20_000, segmentBytes: 2_500, owner };

  /** Returns a clock that only advances on demand. */
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
