import type { KnownObject } from "@cloudwright/core/model/kinds/known-object";
import type { Reason } from "@cloudwright/core/model/reason";
import type { ObjectState } from "@cloudwright/core/model/records/node-record";
import { describe, expect, test } from "vitest";
import { nodePart, objectState } from "../../testing/records.ts";
import { driftOf, mergeState } from "./object-projection.ts";
import { stateRows } from "./object-row.ts";
import { shownPart } from "./shown-part.ts";

function after(...records: readonly ObjectState[]): KnownObject {
  const [first, ...others] = records;
  if (first === undefined) throw new Error("A test needs a record.");
  return others.reduce(mergeState, mergeState(undefined, first));
}

function rowOf(object: KnownObject) {
  return stateRows(object)[0]?.row;
}

const INIT = "cloud-node-controller";
const LIFECYCLE = "cloud-node-lifecycle-controller";

describe("the shown state of a node", () => {
  test.each<{
    name: string;
    records: Partial<ObjectState>[];
    shown: { state: string; controller: string };
  }>([
    {
      name: "is the worst of its controllers'",
      records: [
        { controller: INIT, state: "ok" },
        { controller: LIFECYCLE, state: "waiting" },
      ],
      shown: { state: "waiting", controller: LIFECYCLE },
    },
    {
      name: "is the initialising controller's when all is well",
      records: [
        { controller: LIFECYCLE, state: "ok", since: 1 },
        { controller: INIT, state: "ok", since: 9 },
      ],
      shown: { state: "ok", controller: INIT },
    },
    {
      name: "is the lifecycle controller's when it alone has something to report",
      records: [
        { controller: INIT, state: "ok", reason: { code: "InStep" } },
        {
          controller: LIFECYCLE,
          state: "ok",
          reason: { code: "InstanceStopped", provider: "sandbox", state: "stopped" },
        },
      ],
      shown: { state: "ok", controller: LIFECYCLE },
    },
    {
      name: "is the longest standing of equally bad ones",
      records: [
        { controller: INIT, state: "stuck", since: 9 },
        { controller: LIFECYCLE, state: "stuck", since: 1 },
      ],
      shown: { state: "stuck", controller: LIFECYCLE },
    },
    {
      name: "is gone as soon as one controller saw it go",
      records: [
        { controller: INIT, state: "stuck" },
        { controller: LIFECYCLE, state: "gone" },
      ],
      shown: { state: "gone", controller: LIFECYCLE },
    },
    {
      name: "stays gone when another controller looks a moment later",
      records: [
        { controller: LIFECYCLE, state: "gone", at: 10 },
        { controller: INIT, state: "ok", at: 11 },
      ],
      shown: { state: "gone", controller: LIFECYCLE },
    },
    {
      name: "ignores a record older than the controller's last",
      records: [
        { controller: INIT, state: "ok", at: 10 },
        { controller: INIT, state: "stuck", at: 9 },
      ],
      shown: { state: "ok", controller: INIT },
    },
    {
      name: "starts over with a new node of the same name",
      records: [
        { controller: LIFECYCLE, state: "gone", at: 10, uid: "old" },
        { controller: INIT, state: "working", at: 11, uid: "new" },
      ],
      shown: { state: "working", controller: INIT },
    },
    {
      name: "does not go back to an older node of the same name",
      records: [
        { controller: INIT, state: "working", at: 11, uid: "new" },
        { controller: LIFECYCLE, state: "gone", at: 10, uid: "old" },
      ],
      shown: { state: "working", controller: INIT },
    },
  ])("$name", ({ records, shown }) => {
    const merged = after(...records.map((over) => objectState({ at: 10, ...over })));
    expect(shownPart(merged, undefined)).toMatchObject(shown);
  });
});

describe("what a dry run reports of a node", () => {
  const dry = (over: Partial<ObjectState>) => objectState({ ...over, dryRun: true });

  test.each<{ name: string; records: readonly ObjectState[]; shown: string; dryRun: boolean }>([
    {
      name: "is shown while nobody acts",
      records: [dry({ at: 10, state: "waiting" }), dry({ at: 20, state: "stuck" })],
      shown: "stuck",
      dryRun: true,
    },
    {
      name: "counts for nothing beside a controller that acts",
      records: [objectState({ at: 10, state: "ok" }), dry({ at: 20, state: "stuck" })],
      shown: "ok",
      dryRun: false,
    },
    {
      name: "counts for nothing there, whichever controller it runs as and whatever the UID",
      records: [
        objectState({ at: 10, state: "ok", controller: INIT }),
        dry({ at: 20, state: "stuck", controller: LIFECYCLE }),
        dry({ at: 30, state: "stuck", uid: "another" }),
      ],
      shown: "ok",
      dryRun: false,
    },
    {
      name: "gives way as a whole to the first word of a controller that acts, however late it arrives",
      records: [
        dry({ at: 20, state: "stuck", controller: LIFECYCLE }),
        objectState({ at: 10, state: "ok", controller: INIT }),
      ],
      shown: "ok",
      dryRun: false,
    },
  ])("$name", ({ records, shown, dryRun }) => {
    const merged = after(...records);
    expect(shownPart(merged, undefined)?.state).toBe(shown);
    expect(rowOf(merged)).toMatchObject({ dry_run: dryRun });
  });
});

describe("since when a controller finds a node in its state", () => {
  const missing: Reason = { code: "InstanceNotFound", provider: "s", by: "name", value: "w-1" };
  const throttled: Reason = { code: "ProviderThrottled", provider: "s", operation: "GET /x" };
  const malformed: Reason = { code: "ProviderIDMalformed", providerID: "x", expected: "s://<id>" };
  const failing = (at: number, over: Partial<ObjectState> = {}) =>
    objectState({
      at,
      since: at,
      state: "working",
      outcome: "failed",
      reason: missing,
      failures: 1,
      ...over,
    });

  test.each<{ name: string; records: readonly ObjectState[]; since: number }>([
    {
      name: "goes on when another instance finds it failing for the same reason",
      records: [failing(10, { since: 1, state: "stuck", failures: 9 }), failing(50)],
      since: 1,
    },
    {
      name: "goes on through all later records of that instance, whatever they say of the cause",
      records: [
        failing(10, { since: 1 }),
        failing(50),
        failing(60, { since: 50, failures: 2 }),
        failing(70, { since: 50, failures: 3, reason: throttled }),
      ],
      since: 1,
    },
    {
      name: "goes on over the run that the first instance did not finish",
      records: [
        failing(10, { since: 1 }),
        failing(20, { since: 1, outcome: "interrupted", reason: { code: "RunInterrupted" } }),
        failing(50),
      ],
      since: 1,
    },
    {
      name: "goes on for what is blocked, held or well for the same reason",
      records: [
        objectState({ at: 10, since: 1, state: "stuck", outcome: "blocked", reason: malformed }),
        objectState({ at: 50, since: 50, state: "stuck", outcome: "blocked", reason: malformed }),
      ],
      since: 1,
    },
    {
      name: "goes on when what that instance found failing is blocked at last",
      records: [
        failing(10, { since: 1 }),
        failing(50),
        failing(70, {
          since: 50,
          state: "stuck",
          outcome: "blocked",
          reason: malformed,
          failures: 0,
        }),
      ],
      since: 1,
    },
    {
      name: "starts anew when another instance finds it failing for another reason",
      records: [failing(10, { since: 1 }), failing(50, { reason: throttled })],
      since: 50,
    },
    {
      name: "starts anew when it was well in between",
      records: [
        failing(10, { since: 1 }),
        objectState({ at: 20, since: 20, state: "ok", reason: { code: "InStep" } }),
        failing(50),
      ],
      since: 50,
    },
  ])("$name", ({ records, since }) => {
    expect(shownPart(after(...records), undefined)?.since).toBe(since);
  });
});

describe("the drift of a node", () => {
  test.each([
    { drifts: ["inStep", "notChecked"], drift: "inStep" },
    { drifts: ["inStep", "drifted"], drift: "drifted" },
    { drifts: ["notChecked", "notChecked"], drift: "notChecked" },
  ] as const)("of $drifts is $drift", ({ drifts, drift }) => {
    const merged = after(
      objectState({ controller: INIT, drift: drifts[0] }),
      objectState({ controller: LIFECYCLE, drift: drifts[1] }),
    );
    expect(driftOf(merged.parts)).toBe(drift);
  });
});

describe("the facts of a node", () => {
  const cloud = {
    providerID: "sandbox://z1/w-1",
    zone: "z1",
    instanceType: "m.large",
    addresses: [{ type: "InternalIP", address: "10.0.0.9" } as const],
    labels: {},
    asOf: 20,
  };

  test("stay when a later run has not queried the cloud", () => {
    const merged = after(objectState({ at: 20, cloud }), objectState({ at: 30 }));
    expect(merged.cloud).toEqual(cloud);
  });

  test("are the newest that were true, whoever reported them", () => {
    const newer = { ...cloud, zone: "z2", asOf: 25 };
    const merged = after(
      objectState({ controller: LIFECYCLE, at: 30, cloud: newer }),
      objectState({ controller: INIT, at: 31, cloud }),
    );
    expect(merged.cloud?.zone).toBe("z2");
  });

  test("are the cloud's while the node has none, and the node's as soon as it has", () => {
    const uninitialised = after(
      objectState({ at: 10, node: nodePart({ createdAt: 5 }) }),
      objectState({ at: 20, cloud }),
    );
    expect(rowOf(uninitialised)).toMatchObject({
      zone: "z1",
      provider_id: "sandbox://z1/w-1",
      addresses: cloud.addresses,
      search_text: "w-1 sandbox://z1/w-1 10.0.0.9",
    });
    const node = nodePart({ createdAt: 5, zone: "z9", address: "10.9.9.9" });
    expect(rowOf(mergeState(uninitialised, objectState({ at: 21, node })))).toMatchObject({
      zone: "z9",
      addresses: node.facts.addresses,
    });
  });

  test("report how long initialisation took, from registration", () => {
    const merged = after(
      objectState({ at: 10, node: nodePart({ createdAt: 1_000 }) }),
      objectState({ at: 20, initialisedAt: 9_500 }),
    );
    expect(rowOf(merged)).toMatchObject({ created_at: 1_000, init_ms: 8_500 });
  });
});
