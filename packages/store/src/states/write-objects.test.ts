import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { CLUSTER, heartbeat, nodePart, objectState } from "../../testing/records.ts";
import { nodeRoutesState } from "../../testing/route-records.ts";
import { sortRecords } from "../ledger/batch.ts";
import { writeBatch } from "../ledger/sink.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

let client: pg.Client;
beforeEach(async () => {
  client = new pg.Client({ connectionString: await server.migrated() });
  await client.connect();
  return () => client.end();
});

const NODE = "cloud-node-controller";
const IPAM = "node-ipam-controller";
const idle = { queueDepth: 0, oldestMs: 0 };
const node = nodePart({ createdAt: 1 });

function write(...records: readonly LedgerRecord[]): Promise<void> {
  return writeBatch(client, sortRecords(records));
}

function leader(leaseTransitions: number, ...names: readonly (typeof NODE | typeof IPAM)[]) {
  const controllers = names.map((name) => ({ name, ...idle }));
  return heartbeat({ leaseTransitions, controllers, instance: `ctl-${leaseTransitions}` });
}

async function states(): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; state: string; reason_code: string }>(
    "SELECT name, state, reason_code FROM all_states WHERE cluster_id = $1",
    [CLUSTER],
  );
  return Object.fromEntries(rows.map((row) => [row.name, `${row.state} ${row.reason_code}`]));
}

const ranged = objectState({ name: "w-1", controller: IPAM, reason: { code: "NodeReady" }, node });
const looked = objectState({ name: "w-2", controller: NODE, reason: { code: "InStep" }, node });

describe("the state of an object that a controller has not reported", () => {
  test("is Working as soon as that controller runs, whichever of the two was written first", async () => {
    await write(ranged);
    expect(await states()).toEqual({ "w-1": "ok NodeReady" });
    await write(leader(1, NODE, IPAM));
    expect(await states()).toEqual({ "w-1": "working NotReportedYet" });
    await write(looked);
    expect(await states()).toMatchObject({ "w-2": "working NotReportedYet" });
    await write({ ...looked, name: ranged.name, uid: ranged.uid });
    expect(await states()).toMatchObject({ "w-1": "ok InStep" });
  });

  test("no longer waits for a controller that the next leader does not run", async () => {
    await write(leader(1, NODE, IPAM), ranged);
    expect(await states()).toEqual({ "w-1": "working NotReportedYet" });
    await write({ ...leader(1, NODE, IPAM), leader: false, controllers: [] });
    expect(await states()).toEqual({ "w-1": "working NotReportedYet" });
    await write(leader(2, IPAM));
    expect(await states()).toEqual({ "w-1": "ok NodeReady" });
  });

  test("does not wait for the controllers of a dry run", async () => {
    const dry = { ...leader(9, NODE, IPAM), dryRun: true, lease: "shadow" };
    await write(leader(1, IPAM), dry, ranged, { ...looked, dryRun: true });
    expect(await states()).toEqual({ "w-1": "ok NodeReady", "w-2": "working NotReportedYet" });
  });

  test("leaves gone objects unchanged", async () => {
    await write({ ...ranged, state: "gone", reason: { code: "ObjectGone" } });
    await write(leader(1, NODE, IPAM));
    expect(await states()).toEqual({ "w-1": "gone ObjectGone" });
  });
});

describe("the row of a Node's routes", () => {
  const ROUTES = "node-route-controller";
  const routes = nodeRoutesState("w-10", { uid: "u", at: 10, since: 10, state: "ok" });
  const report = objectState({ name: "w-10", uid: "u", at: 20, since: 20, state: "ok", node });
  const routeRow = async () => {
    const { rows } = await client.query(
      "SELECT xmin, state, provider_id, name_key FROM route_states WHERE kind = 'NodeRoutes'",
    );
    return rows[0];
  };

  test("is not written again when another controller has nothing new for it", async () => {
    await write(routes, report);
    const before = await routeRow();
    await write({ ...report, at: 30 });
    expect(await routeRow()).toEqual(before);
    await write({ ...routes, at: 40, state: "stuck" });
    expect(await routeRow()).toMatchObject({ state: "stuck" });
  });

  test("follows what another controller reports on the Node", async () => {
    await write(routes, report);
    const moved = nodePart({ createdAt: 1, providerID: "sandbox://other" });
    await write({ ...report, at: 30, node: moved });
    expect(await routeRow()).toMatchObject({ provider_id: "sandbox://other" });
  });

  test("is in natural order, whether the writer or the database made its key", async () => {
    await write(routes);
    const { rows } = await client.query(
      `INSERT INTO route_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller,
              since, failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at, search_text)
       SELECT 'another', kind, name, uid, parts, state, state_rank, reason, reason_code, $1, since, failures, drift,
              last_run_id, last_run_outcome, last_run_at, updated_at, search_text FROM route_states
       RETURNING name_key`,
      [ROUTES],
    );
    expect(rows).toEqual([{ name_key: "w-00000000000000000010" }]);
    expect(await routeRow()).toMatchObject(rows[0]);
  });
});
