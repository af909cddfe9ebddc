import { describe, expect, test } from "vitest";
import { fleet } from "../../../testing/fleet.ts";
import { allPages, nodesInput } from "../../../testing/list-inputs.ts";
import { CLUSTER, nodePart, objectState } from "../../../testing/records.ts";
import { useDatabase, useTestServer } from "../../../testing/suite-database.ts";
import type { NodeSort, NodesFilter } from "../../views/views.ts";
import { nodeDetail } from "./node-detail.ts";
import { listNodes } from "./object-view.ts";

const server = useTestServer();

describe("the nodes of a cluster", () => {
  const database = useDatabase(server, () => [
    ...fleet(),
    objectState({ cluster: "other", name: "x-1" }),
  ]);

  test.each<{ by: NodeSort; descending: boolean; names: string }>([
    { by: "state", descending: false, names: "w-3 w-2 w-4 w-1 w-6" },
    { by: "name", descending: true, names: "w-6 w-4 w-3 w-2 w-1" },
    { by: "since", descending: false, names: "w-1 w-6 w-3 w-2 w-4" },
    { by: "init", descending: true, names: "w-6 w-1 w-4 w-3 w-2" },
    { by: "zone", descending: false, names: "w-1 w-3 w-2 w-6 w-4" },
    { by: "type", descending: false, names: "w-4 w-2 w-3 w-1 w-6" },
  ])("sort by $by (descending: $descending), the same on pages of one", async (given) => {
    const sort = { by: given.by, descending: given.descending };
    const whole = await listNodes(database.db, nodesInput({}, { sort }));
    expect(whole.rows.map((row) => row.name).join(" ")).toBe(given.names);
    const singly = await allPages((cursor) =>
      listNodes(database.db, nodesInput({}, { sort, limit: 1, cursor })),
    );
    expect(singly).toEqual(whole.rows);
  });

  test("are in natural order, also where a page ends", async () => {
    const names = [
      "n-1",
      "n-2",
      "n-02",
      "n-10",
      "n-10-3",
      "n-10-20",
      "n-100",
      "n-10000000000000000000",
      "na-1",
    ];
    await database.write(
      ...names.toReversed().map((name) => objectState({ cluster: "counted", name, at: 1_000 })),
    );
    for (const by of ["name", "zone", "state"] as const) {
      for (const descending of [false, true]) {
        const input = nodesInput({}, { cluster: "counted", limit: 1, sort: { by, descending } });
        const rows = await allPages((cursor) => listNodes(database.db, { ...input, cursor }));
        const counted = rows.map(({ name }) => name);
        // n-02 and n-2 are numerically equal; the plain order decides.
        const expected = names.toSpliced(1, 2, "n-02", "n-2");
        expect(counted).toEqual(descending ? expected.toReversed() : expected);
      }
    }
  });

  test.each<{ filter: NodesFilter; names: string }>([
    { filter: { states: ["stuck"] }, names: "w-2 w-3" },
    { filter: { states: ["gone", "waiting"] }, names: "w-4 w-5" },
    { filter: { states: [] }, names: "" },
    { filter: { zones: ["z1"] }, names: "w-1 w-3" },
    { filter: { types: ["s", "l"] }, names: "w-1 w-4 w-6" },
    { filter: { drift: "drifted" }, names: "w-6" },
    { filter: { reason: "Initialised" }, names: "w-1 w-2 w-3 w-4 w-6" },
    { filter: { reason: "Uninitialised" }, names: "" },
    { filter: { text: "W-3" }, names: "w-3" },
    { filter: { text: "10.0.0." }, names: "w-1 w-2" },
    { filter: { text: "sandbox://z2" }, names: "w-2 w-6" },
    { filter: { text: "100%" }, names: "" },
    { filter: { text: "w", zones: ["z1"], states: ["ok"] }, names: "w-1" },
  ])("filtered by $filter are: $names", async ({ filter, names }) => {
    const page = await listNodes(database.db, nodesInput(filter));
    expect(page.rows.map((row) => row.name).join(" ")).toBe(names);
    expect(page.total).toEqual({ kind: "exact", count: page.rows.length });
  });

  test("are counted by state whatever the filter, with the zones and types to choose from", async () => {
    const page = await listNodes(database.db, nodesInput({ text: "nothing" }));
    expect(page).toMatchObject({
      rows: [],
      counts: {
        states: { stuck: 2, unknown: 0, waiting: 1, working: 0, held: 0, ok: 2, gone: 1 },
        drifted: 1,
      },
      facets: { zones: ["z1", "z2", "z3"], types: ["l", "m", "s"] },
    });
  });

  test("of one cluster are not those of another", async () => {
    const page = await listNodes(database.db, nodesInput({}, { cluster: "other" }));
    expect(page.rows.map((row) => row.name)).toEqual(["x-1"]);
  });

  test.each([0, 201, 1.5])("refuse a page of %d rows", async (limit) => {
    await expect(listNodes(database.db, nodesInput({}, { limit }))).rejects.toMatchObject({
      code: "Invalid",
    });
  });

  test("a reason of a newer release does not fail the page", async () => {
    await database.db.pool.query(`UPDATE all_states SET reason = '{"code":"OfTheFuture"}'`);
    const page = await listNodes(database.db, nodesInput());
    expect(page.rows[0]?.reason).toMatchObject({ code: "Other", name: "OfTheFuture" });
  });
});

describe("one node", () => {
  const database = useDatabase(server);

  test("reports all that its controllers know, worst first, and the fleet's times", async () => {
    const now = Date.now();
    const node = nodePart({ createdAt: now - 9_000, zone: "z1", address: "10.0.0.1" });
    const timeline = [{ step: "registered", state: "done", tries: 1, startedAt: 1 } as const];
    await database.write(
      objectState({ at: now, node, initialisedAt: now - 5_000, timeline }),
      objectState({ at: now, controller: "cloud-node-lifecycle-controller", state: "waiting" }),
    );
    await database.write(
      objectState({
        name: "w-2",
        at: now,
        node: nodePart({ createdAt: now - 9_000 }),
        initialisedAt: now - 1_000,
      }),
    );
    const detail = await nodeDetail(database.db, { cluster: CLUSTER, name: "w-1" });
    expect(detail).toMatchObject({
      row: { name: "w-1", state: "waiting", initMs: 4_000 },
      createdAt: now - 9_000,
      goneAt: undefined,
      controllers: [
        { controller: "cloud-node-lifecycle-controller", state: "waiting" },
        { controller: "cloud-node-controller", state: "ok" },
      ],
      timeline,
      node: { zone: "z1" },
      ready: { status: "True" },
      fleet: { p50Ms: 6_000, nodes: 2 },
      openIntents: [],
    });
  });

  test("that is gone is still known", async () => {
    await database.write(
      objectState({ at: 1_000 }),
      objectState({ at: 2_000, since: 2_000, state: "gone" }),
    );
    const detail = await nodeDetail(database.db, { cluster: CLUSTER, name: "w-1" });
    expect(detail.goneAt).toBe(2_000);
  });

  test("that nobody has reported is not found", async () => {
    await expect(
      nodeDetail(database.db, { cluster: CLUSTER, name: "w-404" }),
    ).rejects.toMatchObject({
      code: "NotFound",
    });
  });
});
