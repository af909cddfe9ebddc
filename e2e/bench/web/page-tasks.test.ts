import { describe, expect, it } from "vitest";
import { tasksOf } from "./page-tasks.ts";

const MAIN = { pid: 7, tid: 1 };

/** Times in milliseconds; a trace has them in microseconds. */
function event(name: string, [ts, dur, tdur]: readonly [number, number, number?], where = MAIN) {
  const times = { ts: ts * 1_000, dur: dur * 1_000 };
  return {
    name,
    ph: "X",
    ...where,
    ...times,
    ...(tdur === undefined ? {} : { tdur: tdur * 1_000 }),
  };
}

const MARK = { name: "scroll", ph: "I", ...MAIN, ts: 1 };

function trace(...events: readonly object[]): string {
  return JSON.stringify({ traceEvents: [MARK, ...events] });
}

describe("tasks of a trace", () => {
  it("tells what a task computed from how long it took", () => {
    const [task] = tasksOf(trace(event("RunTask", [0, 90, 12])), "scroll");
    expect(task).toMatchObject({ threadMs: 12, wallMs: 90, scriptMs: 0, parts: [] });
  });

  it("leaves out other threads and other processes", () => {
    const tasks = tasksOf(
      trace(
        event("RunTask", [0, 90, 80], { pid: 7, tid: 2 }),
        event("RunTask", [0, 90, 70], { pid: 8, tid: 1 }),
        event("RunTask", [0, 9, 8]),
      ),
      "scroll",
    );
    expect(tasks.map(({ threadMs }) => threadMs)).toEqual([8]);
  });

  it("counts nested scripts once, and names what took most by itself", () => {
    const [task] = tasksOf(
      trace(
        event("RunTask", [0, 50, 40]),
        event("FunctionCall", [1, 30, 25]),
        event("v8.callFunction", [2, 20, 18]),
        event("Layout", [3, 12, 10]),
        event("FunctionCall", [32, 6, 5]),
        event("Paint", [40, 6, 6]),
      ),
      "scroll",
    );
    expect(task?.scriptMs).toBe(30);
    expect(task?.parts).toEqual([
      { name: "FunctionCall", threadMs: 12 },
      { name: "Layout", threadMs: 10 },
      { name: "v8.callFunction", threadMs: 8 },
      { name: "Paint", threadMs: 6 },
    ]);
  });

  it("separates tasks in any order", () => {
    const tasks = tasksOf(
      trace(
        event("FunctionCall", [21, 5, 4]),
        event("RunTask", [20, 10, 6]),
        event("RunTask", [0, 10, 3]),
        event("Outside", [12, 2, 1]),
      ),
      "scroll",
    );
    expect(tasks.map(({ threadMs, scriptMs }) => [threadMs, scriptMs])).toEqual([
      [3, 0],
      [6, 4],
    ]);
  });

  it("treats a missing clock as one that did not move", () => {
    const tasks = tasksOf(trace(event("RunTask", [0, 1]), event("RunTask", [2, 3, 2])), "scroll");
    expect(tasks.map(({ threadMs }) => threadMs)).toEqual([0, 2]);
  });

  it("refuses a trace without the mark", () => {
    expect(() => tasksOf(trace(event("RunTask", [0, 1, 1])), "other")).toThrow(/no mark other/);
  });

  it("refuses a trace without thread times", () => {
    expect(() => tasksOf(trace(event("RunTask", [0, 1])), "scroll")).toThrow(/no thread times/);
  });
});
