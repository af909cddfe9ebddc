import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { expect, test } from "vitest";
import { auditEntry, runEnd, runStart } from "../../testing/records.ts";
import { createRecorder } from "./recorder.ts";

/** Returns the records of each write to the spool, and a function that ends a turn. */
function fixture() {
  const writes: LedgerRecord[][] = [];
  const due: (() => void)[] = [];
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    after: (_delayMs: number, callback: () => void) => {
      due.push(callback);
      return () => undefined;
    },
  };
  const spool = { append: (...records: readonly LedgerRecord[]) => void writes.push([...records]) };
  const endTurn = () => {
    for (const callback of due.splice(0)) callback();
  };
  return { recorder: createRecorder(spool, clock), writes, endTurn };
}

test("writes what one turn records together, in order", () => {
  const { recorder, writes, endTurn } = fixture();
  const records = [auditEntry(), runEnd(), auditEntry()];
  for (const record of records) recorder.append(record);
  expect(writes).toEqual([]);
  endTurn();
  expect(writes).toEqual([records]);
  recorder.append(records[0] ?? auditEntry());
  endTurn();
  expect(writes).toHaveLength(2);
});

test("has written the start of a run, and all before it, before the run goes on", () => {
  const { recorder, writes, endTurn } = fixture();
  const [end, start] = [runEnd(), runStart()];
  recorder.append(end);
  recorder.append(start);
  expect(writes).toEqual([[end, start]]);
  endTurn();
  expect(writes).toHaveLength(1);
});

test("lets no more than a few records wait, and none once it is flushed", () => {
  const { recorder, writes } = fixture();
  for (let index = 0; index < 100; index++) recorder.append(auditEntry());
  expect(writes.map(({ length }) => length)).toEqual([64]);
  recorder.flush();
  recorder.flush();
  expect(writes.map(({ length }) => length)).toEqual([64, 36]);
});
