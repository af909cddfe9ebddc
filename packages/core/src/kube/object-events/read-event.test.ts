import { describe, expect, it } from "vitest";
import { type KubeEvent, readEvent } from "./read-event.ts";

const NONE: ReadonlySet<string> = new Set();
const FIRST = "2026-11-28T08:00:00Z";
const LAST = "2026-11-28T08:10:00Z";

type Over = { readonly [Member in keyof KubeEvent]?: KubeEvent[Member] | undefined };

function event(over: Over = {}): KubeEvent {
  const whole: Over = {
    metadata: { uid: "e-1", name: "w-1.17", namespace: "default", creationTimestamp: FIRST },
    involvedObject: { kind: "Node", name: "w-1", uid: "uid-w-1" },
    type: "Warning",
    reason: "NodeNotReady",
    message: "Node w-1 status is now: NodeNotReady",
    source: { component: "node-controller" },
    firstTimestamp: FIRST,
    lastTimestamp: LAST,
    count: 3,
    ...over,
  };
  return whole as KubeEvent;
}

const READ = {
  uid: "e-1",
  object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
  eventType: "Warning",
  reason: "NodeNotReady",
  message: "Node w-1 status is now: NodeNotReady",
  component: "node-controller",
  count: 3,
  firstAt: Date.parse(FIRST),
  lastAt: Date.parse(LAST),
} as const;

describe("the record of an Event", () => {
  it.each<readonly [string, Over, object]>([
    ["all that it says", {}, {}],
    [
      "the namespace of its object",
      { involvedObject: { kind: "Service", namespace: "shop", name: "web" } },
      { object: { kind: "Service", namespace: "shop", name: "web" } },
    ],
    [
      "the newer way of writing one: a time, a series and a reporter",
      {
        ...{ source: {}, reportingComponent: "csi.example/provisioner", count: undefined },
        ...{ firstTimestamp: undefined, lastTimestamp: undefined },
        eventTime: "2026-11-28T08:00:00.250000Z",
        series: { count: 7, lastObservedTime: "2026-11-28T08:20:00.500000Z" },
      },
      {
        ...{ component: "csi.example/provisioner", count: 7 },
        firstAt: Date.parse(FIRST) + 250,
        lastAt: Date.parse("2026-11-28T08:20:00.500Z"),
      },
    ],
    ["one happening where it counts none", { count: undefined }, { count: 1 }],
    [
      "when it was made, where it names no time",
      { firstTimestamp: undefined, lastTimestamp: undefined },
      { firstAt: Date.parse(FIRST), lastAt: Date.parse(FIRST) },
    ],
    [
      "no beginning after the end",
      { firstTimestamp: "2026-11-28T09:00:00Z" },
      { firstAt: Date.parse(LAST) },
    ],
    ["Normal for a type of its own", { type: "Curious" }, { eventType: "Normal" }],
    [
      "no secret",
      { message: "could not mount https://ana:hunter2@nas/x, password=hunter2" },
      { message: "could not mount https://***@nas/x, password=***" },
    ],
    [
      "unseen characters as their escapes",
      { reason: "Odd\u202e", message: "a\u0000b" },
      { reason: "Odd\\u202e", message: "a\\u0000b" },
    ],
  ])("is %s", (_, over, expected) => {
    expect(readEvent(event(over), NONE)).toEqual({ ...READ, ...expected });
  });

  it("has the beginning of a long message, and how much was left out", () => {
    const read = readEvent(event({ message: "x".repeat(50_000) }), NONE);
    expect(read?.message.length).toBeLessThanOrEqual(1_024);
    expect(read?.message).toMatch(/more characters\)$/);
  });

  it.each<readonly [string, Over]>([
    ["is of one of the components that are left out", { source: { component: "ours" } }],
    ["names its reporter alone", { source: {}, reportingComponent: "ours" }],
    ["says not what it is about", { involvedObject: {} }],
    ["has no UID", { metadata: { name: "w-1.17" } }],
  ])("does not exist for one that %s", (_, over) => {
    expect(readEvent(event(over), new Set(["ours"]))).toBeUndefined();
  });
});
