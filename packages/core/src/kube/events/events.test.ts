import { describe, expect, it } from "vitest";
import type { CallOptions, KubeObject, Patch, Target } from "../client.ts";
import { KubeError } from "../errors.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { createEventRecorder } from "./events.ts";

const NODE = { apiVersion: "v1", kind: "Node", name: "w-1", uid: "u-1" };
const SYNCED = { type: "Normal", reason: "Synced", message: "Node synced successfully" } as const;

/** Keeps Events like the API server. */
function createApi() {
  const events = new Map<string, Record<string, unknown>>();
  const calls: string[] = [];
  /** Calls that a fence would hold back. */
  const fenced: string[] = [];
  const nameOf = (target: Target, object?: KubeObject) =>
    `${target.namespace}/${object?.metadata?.name ?? target.name}`;
  return {
    events,
    calls,
    fenced,
    client: {
      create: async <T extends KubeObject>(
        target: Target,
        object: T,
        options?: CallOptions,
      ): Promise<T> => {
        if (options?.passesFence !== true) fenced.push("create");
        calls.push(`create ${target.namespace}`);
        events.set(nameOf(target, object), { ...(object as object) });
        return object;
      },
      patch: async <T extends KubeObject>(
        target: Target,
        patch: Patch,
        options?: CallOptions,
      ): Promise<T> => {
        if (options?.passesFence !== true) fenced.push("patch");
        calls.push(`patch ${target.namespace}`);
        const event = events.get(nameOf(target));
        if (event === undefined) {
          throw new KubeError("NotFound", "gone", { verb: "patch", resource: "events" });
        }
        Object.assign(event, patch.body);
        return event as unknown as T;
      },
    },
  };
}

function createRecorder() {
  const clock = createManualClock();
  const api = createApi();
  const recorder = createEventRecorder({
    client: api.client,
    source: "cloud-node-controller",
    instance: "host_1",
    clock,
    random: () => 0,
  });
  return { clock, recorder, ...api };
}

describe("the event recorder", () => {
  it.each([
    ["sends them although the fence is closed, once the Lease was given back", true, []],
    ["leaves them to the fence otherwise", false, ["create", "patch"]],
  ] as const)("flushes what is left: %s", async (_, isReleased, heldBack) => {
    const { recorder, calls, fenced } = createRecorder();
    for (let time = 0; time < 2; time += 1) {
      const flushed = recorder.flush(1_000, { isReleased });
      recorder.event(NODE, SYNCED);
      await flushed;
      await recorder.flush(1_000, { isReleased });
    }
    expect(calls).toEqual(["create default", "patch default"]);
    expect(fenced).toEqual(heldBack);
  });

  it("writes an Event about an object without namespace into `default`", async () => {
    const { recorder, events } = createRecorder();
    recorder.event(NODE, SYNCED);
    await recorder.flush(1_000);
    const [name, event] = [...events][0] ?? [];
    expect(name).toMatch(/^default\/w-1\.[0-9a-f]+$/);
    expect(event).toMatchObject({
      apiVersion: "v1",
      kind: "Event",
      involvedObject: NODE,
      ...SYNCED,
      source: { component: "cloud-node-controller" },
      reportingComponent: "cloud-node-controller",
      reportingInstance: "host_1",
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:00Z",
      count: 1,
    });
  });

  it("writes an Event about a namespaced object into its namespace", async () => {
    const { recorder, calls } = createRecorder();
    recorder.event({ ...NODE, kind: "Service", namespace: "shop" }, SYNCED);
    await recorder.flush(1_000);
    expect(calls).toEqual(["create shop"]);
  });

  it("counts an identical event in the same Event", async () => {
    const { recorder, events, calls, clock } = createRecorder();
    recorder.event(NODE, SYNCED);
    await recorder.flush(1_000);
    await clock.advance(60_000);
    recorder.event(NODE, SYNCED);
    recorder.event(NODE, SYNCED);
    await recorder.flush(1_000);
    expect(events.size).toBe(1);
    expect([...events.values()][0]).toMatchObject({
      count: 3,
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:01:00Z",
    });
    expect(calls).toHaveLength(3);
  });

  it("starts a new Event, with the full count, when the API server has forgotten the old one", async () => {
    const { recorder, events } = createRecorder();
    recorder.event(NODE, SYNCED);
    await recorder.flush(1_000);
    events.clear();
    recorder.event(NODE, SYNCED);
    await recorder.flush(1_000);
    expect([...events.values()]).toMatchObject([{ count: 2 }]);
  });

  it("sends at most 25 for one object at once and then the true count", async () => {
    const { recorder, events, calls, clock } = createRecorder();
    for (let time = 0; time < 40; time += 1) {
      recorder.event(NODE, SYNCED);
      await recorder.flush(1_000);
    }
    expect(calls).toHaveLength(25);
    await clock.advance(300_000);
    recorder.event(NODE, SYNCED);
    await recorder.flush(1_000);
    expect([...events.values()]).toMatchObject([{ count: 41 }]);
  });

  it("loses none of 5,000 events about different nodes", async () => {
    const { recorder, events } = createRecorder();
    for (let index = 0; index < 5_000; index += 1) {
      recorder.event({ ...NODE, name: `w-${index}`, uid: `u-${index}` }, SYNCED);
    }
    expect(await recorder.flush(60_000)).toEqual([]);
    expect(events.size).toBe(5_000);
    expect(recorder.dropped).toBe(0);
  });

  it("keeps names and messages within the API's limits", async () => {
    const { recorder, events } = createRecorder();
    recorder.event({ ...NODE, name: "n".repeat(253) }, { ...SYNCED, message: "m".repeat(2_000) });
    await recorder.flush(1_000);
    const [name, event] = [...events][0] ?? [];
    expect(name).toHaveLength("default/".length + 253);
    expect(event?.message).toHaveLength(1_024);
  });
});
