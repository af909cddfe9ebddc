import { describe, expect, it } from "vitest";
import { type Counts, countsPerNode, cpuCosts, heapCosts, placeOf, roomOf } from "./counts.ts";

const frame = (functionName: string, url = "") => ({
  functionName,
  url,
  lineNumber: 0,
  columnNumber: 0,
});
const UNDICI = "file:///x/node_modules/undici/lib/client.js";
const OURS = "file:///x/packages/core/src/kube/informer/watch.ts";

const COUNTS: Counts = {
  cpu: {
    nodes: [
      { id: 1, callFrame: frame("(root)"), children: [2, 4, 5, 6] },
      { id: 2, callFrame: frame("write", UNDICI), children: [3] },
      { id: 3, callFrame: frame("writev"), children: [] },
      { id: 4, callFrame: frame("(garbage collector)"), children: [] },
      { id: 5, callFrame: frame("(idle)"), children: [] },
      { id: 6, callFrame: frame("post", "node:inspector"), children: [] },
    ],
    samples: [2, 3, 4, 5, 6, 3],
    timeDeltas: [1_000, 2_000, 500, 90_000, 3_000, 2_000],
  },
  heap: {
    head: {
      callFrame: frame("(root)"),
      selfSize: 0,
      children: [
        {
          callFrame: frame("parse", OURS),
          selfSize: 1_024,
          children: [{ callFrame: frame("map"), selfSize: 3_072, children: [] }],
        },
      ],
    },
  },
  hooks: {
    begun: { PROMISE: 40, Timeout: 4, Immediate: 1, TickObject: 2, Microtask: 3, TLSWRAP: 6 },
    continuations: 30,
    written: { lines: 8, bytes: 800 },
  },
};

describe("what a wave cost", () => {
  it("attributes built-in functions to their callers, and leaves out waiting and the measurement itself", () => {
    expect(cpuCosts(COUNTS.cpu, placeOf)).toEqual([
      ["write undici/lib/client.js", 5],
      ["(garbage collector)", 0.5],
    ]);
    expect(heapCosts(COUNTS.heap, placeOf)).toEqual([[`parse ${OURS}`, 4_096]]);
  });

  it("is given for each node", () => {
    expect(Object.fromEntries(countsPerNode(COUNTS, 2))).toEqual({
      "main thread, ms": 2.75,
      "allocated, KiB": 2,
      promises: 20,
      "callbacks of promises": 15,
      timers: 2,
      "immediates, ticks and microtasks": 3,
      "other asynchronous resources": 3,
      records: 4,
      "bytes of records": 400,
    });
  });

  it.each([
    [frame("write", UNDICI), "undici"],
    [frame("f", "file:///x/node_modules/@pinojs/redact/index.js"), "@pinojs/redact"],
    [frame("parse", OURS), "packages/core/kube/informer"],
    [frame("onread", "node:internal/streams/readable"), "node:internal/streams"],
    [frame("(garbage collector)"), "(garbage collector)"],
    [frame("writev"), "JavaScript built in"],
  ])("finds the room of %o", (at, room) => {
    expect(roomOf(at)).toBe(room);
  });
});
