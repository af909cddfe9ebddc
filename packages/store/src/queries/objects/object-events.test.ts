import type { EmittedEvent } from "@cloudwright/core/model/run";
import { describe, expect, test } from "vitest";
import { allPages } from "../../../testing/list-inputs.ts";
import { CLUSTER, heartbeat, objectEvent, runEnd } from "../../../testing/records.ts";
import { useDatabase, useTestServer } from "../../../testing/suite-database.ts";
import { volumeState } from "../../../testing/volume-records.ts";
import type { ObjectEventsFilter } from "../../views/object-events.ts";
import { listObjectEvents, objectEventPages } from "./object-events.ts";

const server = useTestServer();
const AT = Date.UTC(2026, 10, 28, 8);
const SECOND = 1_000;

function input(filter: Partial<ObjectEventsFilter> = {}, over: object = {}) {
  return {
    ...{ cluster: CLUSTER, filter: { kind: "Node", name: "w-1", ...filter }, limit: 50 },
    sort: { by: "at", descending: true } as const,
    ...over,
  };
}

function theirs(uid: string, second: number, over: Parameters<typeof objectEvent>[0] = {}) {
  return objectEvent({ uid, lastAt: AT + second * SECOND, ...over });
}

const SYNCED: EmittedEvent = {
  ...{ type: "Normal", reason: "Synced", message: "It was initialised", offsetMs: 250.4 },
  target: { kind: "Node", name: "w-1" },
};

describe("the Events of an object", () => {
  const database = useDatabase(server);
  const idsOf = async (filter?: Partial<ObjectEventsFilter>) =>
    (await listObjectEvents(database.db, input(filter))).rows.map(({ id }) => id);

  test("are those of other components and ours, newest first, in pages", async () => {
    const run = runEnd({ startedAt: AT + 2 * SECOND, events: [SYNCED, SYNCED] });
    await database.write(
      ...[theirs("a", 1), theirs("b", 3), theirs("b2", 3), run],
      theirs("other", 2, { object: { kind: "Node", name: "w-2" } }),
      theirs("of-a-service", 2, { object: { kind: "Service", namespace: "shop", name: "w-1" } }),
      theirs("elsewhere", 2, { cluster: "another" }),
    );
    const page = await listObjectEvents(database.db, input());
    expect(page).toMatchObject({ total: { kind: "exact", count: 5 }, nextCursor: undefined });
    expect(page.rows.map(({ id }) => id)).toEqual([
      ...["b2", "b", `${run.id} 2`, `${run.id} 1`, "a"],
    ]);
    expect(page.rows[2]).toEqual({
      ...{ id: `${run.id} 2`, at: AT + 2_250, firstAt: AT + 2_250, count: 1, type: "Normal" },
      ...{ reason: "Synced", message: "It was initialised", component: "cloud-node-controller" },
      object: { kind: "Node", name: "w-1" },
      run: { id: run.id, controller: "cloud-node-controller" },
    });
    expect(page.rows[4]).toMatchObject({ component: "node-controller", run: undefined });
    const singly = await allPages((cursor) =>
      listObjectEvents(database.db, input({}, { limit: 1, cursor })),
    );
    expect(singly).toEqual(page.rows);
    const exported: unknown[] = [];
    for await (const rows of objectEventPages(database.db, input())) exported.push(...rows);
    expect(exported).toEqual(page.rows);
  });

  test("are counted up by repeats, in whatever order these come", async () => {
    const repeat = (count: number) => theirs("a", count, { count, message: `${count} times` });
    await database.write(repeat(1), repeat(3));
    await database.write(repeat(2));
    const { rows } = await listObjectEvents(database.db, input());
    expect(rows).toMatchObject([{ id: "a", count: 3, message: "3 times", at: AT + 3 * SECOND }]);
  });

  test("are found by type, text and time", async () => {
    await database.write(
      theirs("a", 1, { eventType: "Warning", reason: "NodeNotReady", message: "It is not" }),
      theirs("b", 2, { component: "kubelet" }),
      theirs("c", 3, { message: "100 % of its Disk" }),
    );
    expect(await idsOf({ eventTypes: ["Warning"] })).toEqual(["a"]);
    expect(await idsOf({ text: "NOTREADY" })).toEqual(["a"]);
    expect(await idsOf({ text: "kubel" })).toEqual(["b"]);
    expect(await idsOf({ text: "% of its disk" })).toEqual(["c"]);
    expect(await idsOf({ from: AT + 2 * SECOND, to: AT + 3 * SECOND })).toEqual(["b"]);
  });

  test("of a volume include those of its claim", async () => {
    const claim = { kind: "PersistentVolumeClaim", namespace: "shop", name: "data" };
    await database.write(
      volumeState("pv-1"),
      theirs("a", 1, { object: { kind: "PersistentVolume", name: "pv-1" } }),
      theirs("b", 2, { object: claim }),
      theirs("c", 3, { object: { ...claim, namespace: "other" } }),
    );
    const volume = { kind: "PersistentVolume", name: "pv-1" };
    const { rows } = await listObjectEvents(database.db, input(volume));
    expect(rows).toMatchObject([
      { id: "b", object: claim },
      { id: "a", object: volume },
    ]);
    expect(await idsOf({ kind: claim.kind, name: "other/data" })).toEqual(["c"]);
  });

  test("come with whether the leader records those of others", async () => {
    const watchOf = async () => (await listObjectEvents(database.db, input())).watch;
    expect(await watchOf()).toBeUndefined();
    await database.write(heartbeat({ leader: true, at: AT }));
    expect(await watchOf()).toBeUndefined();
    const eventWatch = { state: "denied", leftOut: 3 } as const;
    await database.write(heartbeat({ leader: true, at: AT + 1, eventWatch }));
    expect(await watchOf()).toEqual(eventWatch);
    // A leader that crashed still claims to lead, and may have sent a later heartbeat.
    const former = { instance: "ctl-0", leaseTransitions: 3, leader: true, at: AT + 2 };
    await database.write(heartbeat({ ...former, eventWatch: { state: "watching", leftOut: 0 } }));
    expect(await watchOf()).toEqual(eventWatch);
  });
});
