import { afterEach, beforeEach, expect, it, vi } from "vitest";

let writes: string[];
let endProcess: () => void;
let toStandardError: (line: string, isUrgent: boolean) => void;
beforeEach(async () => {
  vi.useFakeTimers();
  writes = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => writes.push(String(text)) > 0);
  vi.spyOn(process, "once").mockImplementation((_event, listener) => {
    endProcess = () => listener();
    return process;
  });
  vi.resetModules();
  ({ toStandardError } = await import("./standard-error.ts"));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("combines lines written within a moment", () => {
  toStandardError("one\n", false);
  toStandardError("two\n", false);
  expect(writes).toEqual([]);
  vi.advanceTimersByTime(20);
  expect(writes).toEqual(["one\ntwo\n"]);
  toStandardError("three\n", false);
  vi.advanceTimersByTime(20);
  expect(writes).toEqual(["one\ntwo\n", "three\n"]);
});

it("writes urgent lines immediately, after pending ones", () => {
  toStandardError("one\n", false);
  toStandardError("bad\n", true);
  expect(writes).toEqual(["one\nbad\n"]);
  vi.advanceTimersByTime(20);
  expect(writes).toHaveLength(1);
});

it("lets no more accumulate than one write should contain", () => {
  toStandardError("x".repeat(70_000), false);
  expect(writes).toHaveLength(1);
});

it("writes pending lines when the process exits", () => {
  toStandardError("last\n", false);
  endProcess();
  expect(writes).toEqual(["last\n"]);
});
