import { describe, expect, it } from "vitest";
import type { Reason } from "../../model/reason.ts";
import type { ObjectState } from "../../model/records/node-record.ts";
import { type Ending, type Judgement, judge } from "./judgement.ts";
import { isShownAlike, type Shown } from "./shown.ts";

const STATE: ObjectState = {
  type: "state",
  cluster: "c",
  controller: "cloud-node-controller",
  name: "n1",
  uid: "u1",
  drift: "inStep",
  at: 5,
  state: "ok",
  reason: { code: "InStep" },
  since: 1,
  failures: 0,
  runId: "r1",
  outcome: "unchanged",
  cloud: { addresses: [], labels: { constructor: "a" }, asOf: 4, requestId: "q1" },
};

function shown(more: Partial<ObjectState> = {}, pending?: Shown["pending"]): Shown {
  return { state: { ...STATE, ...more }, pending };
}

describe("what a page shows", () => {
  it.each<[string, Shown]>([
    ["time, run and outcome", shown({ at: 9, runId: "r2", outcome: "changed" })],
    [
      "the age and the request of the facts",
      shown({ cloud: { addresses: [], labels: { constructor: "a" }, asOf: 8, requestId: "q2" } }),
    ],
    ["a member that is undefined", shown({ wanted: undefined })],
  ])("is the same when only %s differ", (_what, other) => {
    expect(isShownAlike(shown(), other)).toBe(true);
    expect(isShownAlike(other, shown())).toBe(true);
  });

  it.each<[string, Shown]>([
    ["the reason", shown({ reason: { code: "Initialised" } })],
    ["a member more", shown({ nextAt: 7 })],
    ["a label", shown({ cloud: { addresses: [], labels: { constructor: "b" }, asOf: 4 } })],
    ["a label's name", shown({ cloud: { addresses: [], labels: {}, asOf: 4 } })],
    [
      "an address",
      shown({
        cloud: {
          addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
          labels: { constructor: "a" },
          asOf: 4,
        },
      }),
    ],
    ["what a dry run would do", shown({}, [])],
  ])("differs with %s", (_what, other) => {
    expect(isShownAlike(shown(), other)).toBe(false);
    expect(isShownAlike(other, shown())).toBe(false);
  });
});

const NOT_LISTED: Reason = { code: "InstanceNotFound", provider: "s", by: "name", value: "n1" };
const THROTTLED: Reason = { code: "ProviderThrottled", provider: "s", operation: "GET /x" };
const MALFORMED: Reason = { code: "ProviderIDMalformed", providerID: "x", expected: "s://<id>" };

function failed(at: number, reason: Reason = NOT_LISTED): Ending {
  return { outcome: "failed", reason, at };
}

function judgeAll(...endings: readonly Ending[]): Judgement | undefined {
  let before: Parameters<typeof judge>[0];
  for (const ending of endings) before = judge(before, ending);
  return before;
}

describe("the time since when an object has its state", () => {
  it.each<[string, readonly Ending[], Partial<Judgement>]>([
    [
      "counts from the first failure of a row, not from when it was called stuck",
      [failed(0), failed(60_000), failed(130_000)],
      { state: "stuck", failures: 3, since: 0 },
    ],
    [
      "goes on when the cause of the failures changes",
      [failed(0), failed(60_000, THROTTLED), failed(130_000, THROTTLED)],
      { state: "stuck", since: 0 },
    ],
    [
      "goes on over a run that was cut short, which says nothing",
      [
        failed(0),
        failed(60_000),
        { outcome: "interrupted", reason: { code: "RunInterrupted" }, at: 70_000 },
        failed(130_000),
      ],
      { state: "stuck", failures: 3, since: 0 },
    ],
    [
      "starts anew when the object was well in between",
      [failed(0), { outcome: "changed", reason: { code: "InStep" }, at: 50_000 }, failed(60_000)],
      { failures: 1, since: 60_000 },
    ],
    [
      "starts with the blocked run when no failure came before it",
      [
        { outcome: "blocked", reason: MALFORMED, at: 10 },
        { outcome: "blocked", reason: MALFORMED, at: 20 },
      ],
      { state: "stuck", failures: 0, since: 10 },
    ],
    [
      "goes on when what failed is blocked, and when that is for another reason",
      [
        failed(0),
        failed(60_000),
        { outcome: "blocked", reason: MALFORMED, at: 90_000 },
        { outcome: "blocked", reason: { code: "ProviderIDMissing", provider: "s" }, at: 95_000 },
      ],
      { state: "stuck", failures: 0, since: 0 },
    ],
    [
      "goes on when what was blocked fails",
      [{ outcome: "blocked", reason: MALFORMED, at: 10 }, failed(50_000), failed(130_000)],
      { failures: 2, since: 10 },
    ],
    [
      "starts anew when somebody holds what failed",
      [failed(0), { outcome: "blocked", reason: { code: "HeldByAnnotation" }, at: 60_000 }],
      { state: "held", since: 60_000 },
    ],
    [
      "starts anew for a state without failures when its reason changes",
      [
        { outcome: "unchanged", reason: { code: "InStep" }, at: 10 },
        { outcome: "unchanged", reason: { code: "NodeReady" }, at: 20 },
      ],
      { state: "ok", since: 20 },
    ],
  ])("%s", (_what, endings, wanted) => {
    expect(judgeAll(...endings)).toMatchObject(wanted);
  });
});
