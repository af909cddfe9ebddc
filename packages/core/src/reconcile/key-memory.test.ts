import { describe, expect, it } from "vitest";
import type { ObjectState } from "../model/node-record.ts";
import { isShownAlike, type Shown } from "./key-memory.ts";

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
  ])("is alike when only %s differ", (_what, other) => {
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
