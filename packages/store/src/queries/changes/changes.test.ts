import { STATE_TABLES } from "@cloudwright/core/model/kinds/kinds";
import type { Change } from "@cloudwright/core/model/plan";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { describe, expect, test } from "vitest";
import { allPages } from "../../../testing/list-inputs.ts";
import { serviceState } from "../../../testing/load-balancer-records.ts";
import { CLUSTER, nodePart, objectState, runEnd } from "../../../testing/records.ts";
import { nodeRoutesState } from "../../../testing/route-records.ts";
import { useDatabase, useTestServer } from "../../../testing/suite-database.ts";
import { pageStatement } from "../../sql/lists/list.ts";
import { changedObjects } from "../../sql/runs/changes.ts";
import type { ChangesFilter, CountedChange } from "../../views/changes.ts";
import { changePages, listChanges } from "./changes.ts";

const server = useTestServer();

const MINUTE = 60_000;
const AT = Date.UTC(2026, 10, 20, 12);
const at = (minute: number) => AT + minute * MINUTE;
/** Everything below happens between these times unless stated otherwise. */
const [T1, T2] = [at(10), at(20)];

type State = Parameters<typeof objectState>[0];

function node(name: string, minute: number, over: State & { readonly address?: string } = {}) {
  const { address, ...more } = over;
  const part = address === undefined ? {} : { node: nodePart({ createdAt: AT, address }) };
  return objectState({ name, at: at(minute), since: at(minute), ...part, ...more });
}

const gone = (name: string, minute: number) =>
  node(name, minute, { state: "gone", reason: { code: "ObjectGone" } });

const STUCK = { state: "stuck", reason: { code: "ProviderIDMissing", provider: "x" } } as const;

function input(filter: ChangesFilter = {}, over: object = {}) {
  return {
    ...{ cluster: CLUSTER, filter: { from: T1, to: T2, ...filter }, limit: 50, now: at(60) },
    sort: { by: "kind", descending: false } as const,
    ...over,
  };
}

const change: Change = {
  ...{ kind: "route.create", system: "cloud", target: { kind: "Node", name: "w-1" } },
  ...{ before: null, after: null, reason: { code: "InStep" } },
};

describe("what changed between two times", () => {
  const database = useDatabase(server);
  /** Writes records one after the other, as they would be reported. */
  const write = async (...records: readonly LedgerRecord[]) => {
    for (const record of records) await database.write(record);
  };
  const namesOf = async (filter?: ChangesFilter) =>
    (await listChanges(database.db, input(filter))).rows.map(({ name }) => name);

  test("is each object that differs, with what it was and what it is", async () => {
    await write(
      node("w-1", 1, { address: "10.0.0.1" }),
      node("w-1", 12, STUCK),
      node("w-1", 15, { state: "waiting", reason: { code: "NotReportedYet", controller: "x" } }),
      node("w-1", 18, { ...STUCK, node: nodePart({ createdAt: AT, address: "10.0.0.9" }) }),
    );
    const page = await listChanges(database.db, input());
    expect(page).toMatchObject({
      ...{ from: T1, to: T2, total: { kind: "exact", count: 1 }, completeFrom: undefined },
      counts: [{ kind: "Node", direction: "worse", count: 1 }],
    });
    expect(page.rows).toEqual([
      {
        ...{ kind: "Node", name: "w-1", uid: "uid-w-1", direction: "worse", isReplaced: false },
        was: {
          ...{ at: at(1), state: "ok", reason: { code: "Initialised" }, drift: "inStep" },
          address: "10.0.0.1",
        },
        now: { at: at(18), ...STUCK, drift: "inStep", address: "10.0.0.9" },
        ...{ times: 3, runs: 0, cloudWrites: 0 },
      },
    ]);
  });

  test("is nothing of what came back to what it was, or changed before or after", async () => {
    await write(
      ...[node("back", 1), node("back", 12, STUCK), node("back", 13)],
      ...[node("before", 1, STUCK), node("before", 9)],
      ...[node("after", 1), node("after", 21, STUCK)],
      ...[node("same", 1), node("same", 15)],
      ...[node("brief", 12), gone("brief", 13)],
      ...[node("briefly-back", 1), gone("briefly-back", 5), node("briefly-back", 12)],
      gone("briefly-back", 13),
      ...[node("gone-and-back", 1), gone("gone-and-back", 12), node("gone-and-back", 13)],
      ...[node("long-gone", 1), gone("long-gone", 5)],
    );
    expect(await namesOf()).toEqual([]);
  });

  test("tells what is worse from what is better, new, gone, replaced or changed in another way", async () => {
    await write(
      ...[node("better", 1, STUCK), node("better", 12)],
      ...[node("drifted", 1), node("drifted", 12, { drift: "drifted" })],
      ...[node("gone", 1), gone("gone", 12)],
      node("new", 12),
      node("new-stuck", 12, STUCK),
      ...[node("other", 1, { address: "10.0.0.1" }), node("other", 12, { address: "10.0.0.2" })],
      ...[node("replaced", 1), node("replaced", 12, { uid: "another" })],
      ...[node("cause", 1, STUCK), node("cause", 12, { ...STUCK, reason: { code: "InStep" } })],
    );
    const { rows } = await listChanges(database.db, input());
    const found = rows.map(({ name, direction, was, isReplaced }) => [
      name,
      direction,
      typeof was === "string" ? was : was.state,
      isReplaced,
    ]);
    expect(Object.fromEntries(found.map(([name, ...rest]) => [name, rest]))).toEqual({
      better: ["better", "stuck", false],
      drifted: ["worse", "ok", false],
      gone: ["other", "ok", false],
      new: ["other", "absent", false],
      "new-stuck": ["worse", "absent", false],
      other: ["other", "ok", false],
      replaced: ["other", "ok", true],
      cause: ["other", "stuck", false],
    });
  });

  test("is new where it was gone before, and another where it has another identity", async () => {
    await write(
      ...[node("back", 1), gone("back", 5), node("back", 12)],
      ...[node("other", 1), gone("other", 5), node("other", 12, { uid: "another" })],
      ...[node("twice", 12), gone("twice", 13), node("twice", 14, STUCK)],
    );
    const { rows } = await listChanges(database.db, input());
    expect(
      rows.map(({ name, was, direction, isReplaced, times }) => [
        name,
        was,
        direction,
        isReplaced,
        times,
      ]),
    ).toEqual([
      ["twice", "absent", "worse", false, 3],
      ["back", "absent", "other", false, 1],
      ["other", "absent", "other", true, 1],
    ]);
    expect(await namesOf({ text: "objectgone" })).toEqual([]);
  });

  test("is the same as by comparing all that each object ever was", async () => {
    const states = [{}, STUCK, { state: "gone", reason: { code: "ObjectGone" } }] as const;
    const names = ["w-0", "w-1", "w-2"];
    for (let minute = 0; minute < 16; minute += 1) {
      const name = names[(minute * 7) % 5] ?? "w-0";
      await write(
        node(name, minute, states[(minute * 5 + Math.floor(minute / 3)) % states.length]),
      );
    }
    const ever = await database.db.prisma.stateChange.findMany({ orderBy: { at: "asc" } });
    const stateAt = (name: string, minute: number) =>
      ever.findLast((was) => was.name === name && was.at.getTime() <= at(minute))?.state ?? "gone";
    for (const from of [-1, 2, 5, 9]) {
      for (const to of [6, 10, 13, 20].filter((minute) => minute > from)) {
        const differ = names.filter((name) => stateAt(name, from) !== stateAt(name, to));
        const found = await namesOf({ from: at(from), to: at(to) });
        expect(found.toSorted(), `from ${from} to ${to}`).toEqual(differ);
      }
    }
  });

  test("is of all kinds, the worst of each first, in pages, with filters and counts", async () => {
    await write(
      ...[node("w-10", 12), node("w-2", 12), node("w-3", 12, STUCK)],
      serviceState("shop/web", { at: at(13), since: at(13), ...STUCK }),
      nodeRoutesState("w-2", { at: at(14), since: at(14) }),
    );
    const all = await listChanges(database.db, input());
    const keys = all.rows.map(({ kind, name }) => `${kind} ${name}`);
    expect(keys).toEqual([
      ...["Node w-3", "Node w-2", "Node w-10", "Service shop/web", "NodeRoutes w-2"],
    ]);
    const singly = await allPages((cursor) =>
      listChanges(database.db, input({}, { limit: 1, cursor })),
    );
    expect(singly).toEqual(all.rows);
    const exported: CountedChange[] = [];
    for await (const rows of changePages(database.db, input())) exported.push(...rows);
    expect(exported).toEqual(all.rows);
    expect(all.counts).toEqual([
      { kind: "Node", direction: "other", count: 2 },
      { kind: "Node", direction: "worse", count: 1 },
      { kind: "Service", direction: "worse", count: 1 },
      { kind: "NodeRoutes", direction: "other", count: 1 },
    ]);
    expect(await namesOf({ kinds: ["Service", "NodeRoutes"] })).toEqual(["shop/web", "w-2"]);
    expect(await namesOf({ directions: ["worse"] })).toEqual(["w-3", "shop/web"]);
    expect(await namesOf({ text: "W-2" })).toEqual(["w-2", "w-2"]);
    expect(await namesOf({ text: "provideridmissing", kinds: ["Node"] })).toEqual(["w-3"]);
    const searched = await listChanges(database.db, input({ text: "shop", kinds: ["Node"] }));
    expect(searched.counts).toEqual([{ kind: "Service", direction: "worse", count: 1 }]);
  });

  test("is compared by no loop in a loop, even where the statistics expect hardly any change", async () => {
    const list = changedObjects({ from: T1, to: T2 });
    const filter = { kinds: ["Node"], directions: ["worse"], text: "w" } as const;
    const { text, values } = pageStatement(list, input(filter));
    const { rows } = await database.db.pool.query(`EXPLAIN ${text}`, values);
    expect(JSON.stringify(rows)).toMatch(/(Hash|Merge) Full Join/);
  });

  test("comes with the runs and the writes to the cloud in between", async () => {
    const routes = { controller: "node-route-controller", object: { kind: "Node", name: "w-1" } };
    await write(
      ...[node("w-1", 12), nodeRoutesState("w-1", { at: at(12), since: at(12) })],
      runEnd({ startedAt: at(11), object: routes.object, changes: [], applied: 0 }),
      runEnd({ ...routes, startedAt: at(12), changes: [change, change, change], applied: 2 }),
      runEnd({ ...routes, startedAt: at(13), changes: [change], applied: 1, dryRun: true }),
      runEnd({ ...routes, startedAt: at(21), changes: [change], applied: 1 }),
      runEnd({ ...routes, startedAt: at(12), object: { kind: "Node", name: "w-2" } }),
    );
    const { rows } = await listChanges(database.db, input());
    expect(rows.map(({ kind, runs, cloudWrites }) => [kind, runs, cloudWrites])).toEqual([
      ["Node", 2, 2],
      ["NodeRoutes", 1, 2],
    ]);
  });

  test("does not call new what it does not know, and says since when it knows all", async () => {
    await write(node("w-1", 1), node("w-1", 12, STUCK), node("w-2", 12));
    const { pool } = database.db;
    await pool.query("DELETE FROM state_changes WHERE name = 'w-1' AND state = 'ok'");
    await pool.query("INSERT INTO state_histories VALUES ($1, $2)", [CLUSTER, new Date(at(11))]);
    const page = await listChanges(database.db, input());
    expect(page.completeFrom).toBe(at(11));
    expect(page.rows.map(({ name, was }) => [name, was])).toEqual([
      ["w-1", "unknown"],
      ["w-2", "absent"],
    ]);
    await write(gone("w-1", 16));
    const later = await listChanges(database.db, input());
    expect(later.rows.map(({ name, was, now }) => [name, was, now.state])).toEqual([
      ["w-2", "absent", "ok"],
      ["w-1", "unknown", "gone"],
    ]);
  });

  test("has the last hour where no time is given, and refuses times in the wrong order", async () => {
    await write(node("w-1", 1));
    const page = await listChanges(database.db, {
      ...input(),
      ...{ filter: {}, now: at(30) },
    });
    expect(page).toMatchObject({ from: at(-30), to: at(30), rows: [{ name: "w-1" }] });
    await expect(listChanges(database.db, input({ from: T2, to: T1 }))).rejects.toMatchObject({
      code: "Invalid",
    });
  });
});

describe("what an object became", () => {
  const database = useDatabase(server);
  const noted = async () =>
    (
      await database.db.prisma.stateChange.findMany({
        orderBy: [{ name: "asc" }, { at: "asc" }],
      })
    ).map(({ at: moment, state, appeared }) => [(moment.getTime() - AT) / MINUTE, state, appeared]);

  test("is noted of every kind: each table of states has the triggers", async () => {
    const { rows } = await database.db.pool.query<{ table: string; count: number }>(
      `SELECT tgrelid::regclass::text AS table, count(*)::int FROM pg_trigger
        WHERE tgfoid = 'cloudwright_note_state'::regproc GROUP BY 1`,
    );
    expect(new Map(rows.map(({ table, count }) => [table, count]))).toEqual(
      new Map(STATE_TABLES.map((table) => [table, 3])),
    );
  });

  test("is noted when it is reported, and nothing where nothing differs", async () => {
    for (const record of [node("w-1", 1), node("w-1", 2), node("w-1", 3, STUCK)]) {
      await database.write(record);
    }
    expect(await noted()).toEqual([
      [1, "ok", true],
      [3, "stuck", false],
    ]);
  });

  test("is noted now, where no report says so", async () => {
    await database.write(node("w-1", 1));
    await database.db.pool.query("UPDATE node_states SET state = 'working'");
    const [, second] = await noted();
    expect(second?.slice(1)).toEqual(["working", false]);
    expect(Number(second?.[0])).toBeGreaterThan(1);
  });

  test("is gone with its row", async () => {
    await database.write(node("w-1", 1));
    await database.db.pool.query("DELETE FROM node_states");
    expect((await noted()).map(([, state]) => state)).toEqual(["ok", "gone"]);
  });

  test("ends when it becomes another, whatever becomes of others", async () => {
    for (const record of [node("w-1", 1), node("w-2", 1), node("w-1", 3, STUCK), node("w-1", 4)]) {
      await database.write(record);
    }
    await database.db.pool.query("DELETE FROM node_states WHERE name = 'w-1'");
    const all = await database.db.prisma.stateChange.findMany({
      orderBy: [{ name: "asc" }, { at: "asc" }],
    });
    const moments = all.map((was) => was.at);
    expect(all.map(({ name, until }) => [name, until])).toEqual([
      ["w-1", moments[1]],
      ["w-1", moments[2]],
      ["w-1", moments[3]],
      ["w-1", null],
      ["w-2", null],
    ]);
  });

  test("comes after what it was, even where a report says otherwise", async () => {
    await database.write(node("w-1", 5));
    await database.db.pool.query(
      "UPDATE node_states SET state = 'stuck', updated_at = updated_at - interval '1 minute'",
    );
    await database.write(node("w-1", 6));
    const all = await database.db.prisma.stateChange.findMany({ orderBy: { at: "asc" } });
    expect(all.map(({ state }) => state)).toEqual(["ok", "stuck", "ok"]);
  });
});
