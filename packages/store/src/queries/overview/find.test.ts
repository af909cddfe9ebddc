import { describe, expect, test } from "vitest";
import { serviceState } from "../../../testing/load-balancer-records.ts";
import { CLUSTER, newId, nodePart, objectState, runEnd, step } from "../../../testing/records.ts";
import { useDatabase, useTestServer } from "../../../testing/suite-database.ts";
import { findAnything } from "./find.ts";

const server = useTestServer();

const REQUEST = "req-7f3a9c10-0000-4000-8000-00000000000a";
const UID = "0a1b2c3d-0000-4000-8000-000000000021";
const CALLED = [1_000, 2_000].map((startedAt) =>
  runEnd({ startedAt, steps: [{ ...step("cloud"), requestId: REQUEST }] }),
);
const OTHER = runEnd({ startedAt: 3_000 });

const RECORDS = [
  ...CALLED,
  OTHER,
  objectState({
    name: "node-21",
    uid: UID,
    node: nodePart({
      createdAt: 1_000,
      providerID: "sandbox://z1/i-4711abcd",
      address: "10.0.0.21",
    }),
  }),
  objectState({ name: "node-2", state: "stuck" }),
  serviceState("shop/node-21-web"),
];

describe("what a pasted text means", () => {
  const database = useDatabase(server, () => RECORDS);
  const find = (text: string) => findAnything(database.db, { cluster: CLUSTER, text });
  const objectsOf = async (text: string) =>
    (await find(text)).objects.map(({ kind, name }) => `${kind} ${name}`);

  test.each([
    ["a name", "node-21", ["Node node-21", "Service shop/node-21-web"]],
    [
      "part of a name, what is stuck first",
      "NODE-2",
      ["Node node-2", "Node node-21", "Service shop/node-21-web"],
    ],
    ["an instance id", "i-4711abcd", ["Node node-21"]],
    ["a provider ID", " sandbox://z1/i-4711abcd ", ["Node node-21"]],
    ["an address", "10.0.0.21", ["Node node-21"]],
    ["a UID", UID.toUpperCase(), ["Node node-21"]],
    ["the start of a UID", UID.slice(0, 8), ["Node node-21"]],
    ["too little of a UID", UID.slice(0, 7), []],
    ["nothing", "  ", []],
  ])("of %s is the object", async (_, text, objects) => {
    expect(await objectsOf(text)).toEqual(objects);
  });

  test("of a cloud call's id are its runs, newest first", async () => {
    for (const text of [REQUEST, REQUEST.slice(0, 8), REQUEST.toUpperCase()]) {
      const { runs, runCount } = await find(text);
      expect(runs.map(({ id }) => id)).toEqual(CALLED.map(({ id }) => id).toReversed());
      expect(runCount).toBe(2);
    }
  });

  test("of a run's id is that run", async () => {
    expect((await find(OTHER.id)).runs).toMatchObject([{ id: OTHER.id, startedAt: 3_000 }]);
  });

  test("of an id that nothing has is nothing", async () => {
    const nothing = { objects: [], runs: [], runCount: 0, intentId: undefined };
    expect(await find(newId())).toEqual(nothing);
  });

  test("of an action's id is the action", async () => {
    const id = newId();
    await database.db.prisma.intent.create({
      data: {
        ...{ id, clusterId: CLUSTER, kind: "retry", action: { kind: "retry" }, state: "verified" },
        ...{ controller: "cloud-node-controller", objectKind: "Node", objectName: "node-21" },
        ...{ why: "a test", actorId: "u-1", actorName: "ana" },
        ...{ requestedAt: new Date(), expiresAt: new Date(), updatedAt: new Date() },
      },
    });
    expect(await find(id)).toMatchObject({ intentId: id, objects: [], runs: [] });
  });
});
