import { describe, expect, it } from "vitest";
import { EVENTS } from "../../model/events.ts";
import {
  type EventTarget,
  eventObject,
  eventPatch,
  eventText,
  startSeries,
} from "./event-object.ts";

const NODE: EventTarget = { apiVersion: "v1", kind: "Node", name: "w-9", uid: "u-9" };
const WEB: EventTarget = { apiVersion: "v1", kind: "Service", name: "web", namespace: "shop" };
const TEXT = { type: "Warning", reason: "FailedToCreateRoute", message: "no room" } as const;
const SOURCE = { component: "node-route-controller", instance: "ctl-1" };
const NOW = Date.UTC(2026, 10, 24, 14, 30, 5, 678);

function series(target = NODE, message: string = TEXT.message, sequence = 0) {
  return startSeries({ target, text: { ...TEXT, message }, now: NOW, sequence });
}

describe("an Event object", () => {
  it("names object, source, reason and time, in whole seconds", () => {
    const event = eventObject({ ...series(), count: 1 }, SOURCE);
    expect(event).toMatchObject({
      apiVersion: "v1",
      kind: "Event",
      involvedObject: NODE,
      type: "Warning",
      reason: "FailedToCreateRoute",
      message: "no room",
      source: { component: "node-route-controller" },
      reportingComponent: "node-route-controller",
      reportingInstance: "ctl-1",
      firstTimestamp: "2026-11-24T14:30:05Z",
      lastTimestamp: "2026-11-24T14:30:05Z",
      count: 1,
    });
  });

  it("is in its object's namespace, or in default if it has none (spec/00 §17)", () => {
    expect(eventObject(series(WEB), SOURCE).metadata?.namespace).toBe("shop");
    expect(eventObject(series(NODE), SOURCE).metadata?.namespace).toBe("default");
  });

  it("has a name of its own even among those of one object in one millisecond", () => {
    const names = Array.from({ length: 50 }, (_, each) => series(NODE, "x", each).name);
    expect(new Set(names).size).toBe(50);
    for (const name of names) expect(name).toMatch(/^w-9\.[0-9a-f]+$/);
  });

  it("of an object with the longest name respects the API's limit and has its own suffix", () => {
    const long = { ...NODE, name: "n".repeat(253) };
    const [one, other] = [series(long, "x", 1), series(long, "x", 2)];
    expect(one.name.length).toBe(253);
    expect(one.name).not.toBe(other.name);
  });
});

describe("an Event's message", () => {
  it.each([
    ["fits as it is", "m".repeat(1_024), "m".repeat(1_024)],
    ["is cut where it is longer than the API takes", "m".repeat(1_025), `${"m".repeat(1_023)}…`],
  ])("%s", (_what, message, written) => {
    expect(eventObject(series(NODE, message), SOURCE).message).toBe(written);
  });

  it("contains no control characters that a terminal would obey", () => {
    const message = eventObject(series(NODE, "a\u001b[31mred\u0007"), SOURCE).message ?? "";
    expect([...message].filter((letter) => letter < " ")).toEqual([]);
    expect(message).toContain("red");
  });

  it("is the latest one in a patch, with count and time, and nothing else is written", () => {
    const grown = { ...series(), count: 7, lastAt: NOW + 60_000, message: "still no room" };
    expect(eventPatch(grown)).toEqual({
      count: 7,
      lastTimestamp: "2026-11-24T14:31:05Z",
      message: "still no room",
    });
    expect(eventObject(grown, SOURCE)).toMatchObject({
      firstTimestamp: "2026-11-24T14:30:05Z",
      lastTimestamp: "2026-11-24T14:31:05Z",
    });
  });
});

describe("an Event in the model's list", () => {
  it.each([
    ["DeletingNode", "Normal"],
    ["SyncLoadBalancerFailed", "Warning"],
    ["UnAvailableLoadBalancer", "Warning"],
    ["EnsuredLoadBalancer", "Normal"],
    ["FailedToCreateRoute", "Warning"],
  ] as const)("%s is %s (spec/30 §9)", (reason, type) => {
    expect(eventText(reason, "x")).toEqual({ type, reason, message: "x" });
  });

  it("is a warning exactly if it reports a failure or something missing", () => {
    const warnings = Object.entries(EVENTS).filter(([, { type }]) => type === "Warning");
    for (const [reason] of warnings) expect(reason).toMatch(/Fail|Not|UnAvail|GuardHeld/);
    const normal = Object.entries(EVENTS).filter(([, { type }]) => type === "Normal");
    for (const [reason] of normal) expect(reason).not.toMatch(/Fail/);
  });
});
