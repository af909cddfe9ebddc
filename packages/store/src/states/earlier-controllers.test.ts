import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { migrationsBefore } from "../../testing/earlier-migrations.ts";
import { nodesInput } from "../../testing/list-inputs.ts";
import { CLUSTER, memoryLog, nodePart, objectState } from "../../testing/records.ts";
import { nodeRoutesState } from "../../testing/route-records.ts";
import { systemClock } from "../../testing/system-clock.ts";
import { writeRecords } from "../../testing/write-records.ts";
import { connect, type Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { startLedgerWriter } from "../ledger/ledger-writer.ts";
import {
  listLoadBalancers,
  listOrphans,
  loadBalancerDetail,
} from "../queries/objects/load-balancers.ts";
import { nodeDetail } from "../queries/objects/node-detail.ts";
import { listNodes, listVolumes } from "../queries/objects/object-view.ts";
import { listRoutes, listRouteTables, listStaleRoutes } from "../queries/objects/routes.ts";
import { findAnything } from "../queries/overview/find.ts";
import { overview } from "../queries/overview/overview.ts";
import { listRuns } from "../queries/runs/runs.ts";
import { grantRoles } from "../roles/role-logins.ts";
import { openSpool } from "../spool/spool.ts";

/** Written by the previous release: its controller's spool, and the statements with which it wrote the same records. */
const EARLIER = fileURLToPath(new URL("../../testing/earlier-release", import.meta.url));
const statementSchema = z.object({ text: z.string(), values: z.array(z.unknown()) });
const [FIRST = [], SECOND = []] = z
  .array(z.array(statementSchema))
  .parse(JSON.parse(readFileSync(path.join(EARLIER, "statements.json"), "utf8")));
const isOfStates = ({ text }: { readonly text: string }) => /\bobject_states\b/.test(text);
const AT = Date.UTC(2026, 10, 20, 12);

let server: TestServer;
let db: Database;
beforeAll(async () => {
  // Its roles belong to the whole server.
  server = await startTestServer({ ownServer: true });
});
afterAll(() => server.dispose());

async function replay(...batches: readonly (typeof FIRST)[]): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query("SELECT cloudwright_make_run_days('{2026-11-20}')");
    for (const { text, values } of batches.flat()) await client.query(text, values);
  } finally {
    client.release();
  }
}

/** Reads each kind of state and page that a user sees. */
async function pages(): Promise<object> {
  const list = { cluster: CLUSTER, filter: {}, limit: 50 };
  const byName = { ...list, sort: { by: "name", descending: false } } as const;
  const key = { cluster: CLUSTER, name: "w-1" };
  return {
    nodes: await listNodes(db, nodesInput()),
    node: await nodeDetail(db, key),
    balancers: await listLoadBalancers(db, byName),
    balancer: await loadBalancerDetail(db, { cluster: CLUSTER, namespace: "shop", name: "web" }),
    orphans: await listOrphans(db, byName),
    routes: await listRoutes(db, byName),
    stale: await listStaleRoutes(db, byName),
    tables: await listRouteTables(db, { cluster: CLUSTER, now: AT + 10_000 }),
    volumes: await listVolumes(db, byName),
    found: await findAnything(db, { cluster: CLUSTER, text: "w-1" }),
    overview: await overview(db, { cluster: CLUSTER, now: AT + 10_000 }),
    runs: await listRuns(db, { ...list, sort: { by: "started", descending: true } }),
  };
}

const ALL_OK = {
  nodes: {
    rows: [{ name: "w-1", state: "ok", zone: "z1", instanceType: "m1", initMs: 2_500 }],
    counts: { states: { ok: 1 } },
  },
  node: { createdAt: AT },
  balancers: { rows: [{ name: "shop/web", state: "ok", providerID: "lb-1" }] },
  orphans: { rows: [{ name: "lb-9", state: "ok" }] },
  routes: { rows: [{ name: "w-1", state: "ok", table: "rtb-a" }], counts: { wanted: 1 } },
  stale: { rows: [{ name: "r-9" }] },
  tables: [{ id: "rtb-a" }],
  volumes: { rows: [{ name: "pv-1", state: "ok" }] },
  runs: { rows: [{ outcome: "changed" }] },
};

describe("a controller of the previous release, on a ledger of this one", () => {
  beforeEach(async () => {
    db = connect(await server.migrated());
    return () => db.close();
  });

  test("writes each kind of object where the pages read it", async () => {
    await replay(FIRST, SECOND);
    expect(await pages()).toMatchObject(ALL_OK);
  });

  test("may do so with only the rights of a controller", async () => {
    await grantRoles(String(db.pool.options.connectionString));
    const client = await db.pool.connect();
    try {
      await client.query("SET ROLE cloudwright_controller");
      for (const { text, values } of [...FIRST, ...SECOND].filter(isOfStates)) {
        await client.query(text, values);
      }
    } finally {
      client.release(true);
    }
    expect(await listNodes(db, nodesInput())).toMatchObject({ rows: [{ state: "ok" }] });
  });

  test("continues from what it wrote before, and meets no row that it does not know", async () => {
    await replay(FIRST, SECOND);
    const known = SECOND.find(({ text }) => isOfStates({ text }) && text.startsWith("SELECT"));
    const { rows } = await db.pool.query(known?.text ?? "", known?.values);
    expect(new Set(rows.map(({ kind, name }) => `${kind} ${name}`))).toEqual(
      new Set([
        "LoadBalancer lb-9",
        "Node w-1",
        "PersistentVolume pv-1",
        "Route r-9",
        "RouteTable rtb-a",
        "Service shop/web",
      ]),
    );
    expect(rows.find(({ kind }) => kind === "Node")).toMatchObject({
      parts: { "cloud-node-controller": { at: AT + 9_000 }, "node-route-controller": {} },
      node: { createdAt: AT },
    });
  });

  test("does not undo what a controller of this release has reported since", async () => {
    await replay(FIRST, SECOND);
    const at = AT + 60_000;
    await writeRecords(String(db.pool.options.connectionString), [
      objectState({
        ...{ name: "w-1", uid: "uid-w-1", at, since: at, state: "stuck" },
        node: nodePart({ createdAt: AT }),
      }),
      nodeRoutesState("w-1", { uid: "uid-w-1", at, since: at, state: "stuck" }),
    ]);
    await replay(SECOND.filter(isOfStates));
    expect(await pages()).toMatchObject({
      nodes: { rows: [{ name: "w-1", state: "stuck" }] },
      routes: { rows: [{ name: "w-1", state: "stuck" }] },
    });
  });
});

describe("a controller of this release", () => {
  test("drains the spool that one of the previous release has left", async () => {
    db = connect(await server.migrated());
    const dir = mkdtempSync(path.join(tmpdir(), "cloudwright-earlier-spool-"));
    cpSync(path.join(EARLIER, "spool"), dir, { recursive: true });
    const spool = openSpool({ dir, maxBytes: 1e8, clock: systemClock });
    const writer = startLedgerWriter({
      ...{ spool, clock: systemClock, log: memoryLog() },
      databaseUrl: String(db.pool.options.connectionString),
    });
    await vi.waitFor(() => expect(writer.stats().written).toBe(20), 30_000);
    await writer.stop();
    spool.close();
    rmSync(dir, { recursive: true });
    expect(await pages()).toMatchObject(ALL_OK);
    await db.close();
  });
});

test("a ledger that the previous release has filled can be read and continued by either", async () => {
  const url = await server.empty();
  const { folder, remove } = migrationsBefore("20261123081500_table_for_each_kind");
  await migrate(url, { migrationsDir: folder });
  remove();
  db = connect(url);
  await replay(FIRST);
  await migrate(url);
  expect(await pages()).toMatchObject({
    nodes: { rows: [{ name: "w-1", state: "working" }] },
    routes: { rows: [{ name: "w-1", state: "working" }] },
  });
  await replay(SECOND);
  expect(await pages()).toMatchObject(ALL_OK);
  await db.close();
});
