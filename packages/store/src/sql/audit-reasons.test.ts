import { randomUUID } from "node:crypto";
import { changeWhy } from "@cloudwright/core/model/audit/change-why";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addEntries } from "../../testing/add-entries.ts";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { CLUSTER, newId, runEnd } from "../../testing/records.ts";
import { writeRecords } from "../../testing/write-records.ts";
import { connect, type Database } from "../database/database.ts";
import { listAudit } from "./audit-entries.ts";

let server: TestServer;
let db: Database;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  db = connect(await server.migrated());
  await db.pool.query("INSERT INTO clusters VALUES ($1, 'prod-eu', 'sandbox', now())", [CLUSTER]);
  return () => db.close();
});

const REASON = { code: "Uninitialised" } as const;

it("an entry has the reason of its run's change while both say the same", async () => {
  const run = runEnd();
  await writeRecords(String(db.pool.options.connectionString), [run]);
  await addEntries(db, 1, { runId: run.id, why: changeWhy(REASON) });
  await addEntries(db, 1, { runId: run.id, why: changeWhy(REASON, "ana") });
  await addEntries(db, 1, { runId: run.id, why: "Something else." });
  expect(await reasons()).toEqual([REASON, REASON, undefined]);
});

it.each([
  ["of no run", {}],
  ["of a run that is no longer kept", { runId: newId() }],
  ["of a run whose id is no UUID", { runId: "r-1" }],
  ["of a run whose id names no time", { runId: randomUUID() }],
  ["of a run in the year 10889", { runId: "ffffffff-ffff-7fff-bfff-ffffffffffff" }],
])("an entry %s stays as the log has it", async (_, over) => {
  await addEntries(db, 1, { why: changeWhy(REASON), ...over });
  expect(await reasons()).toEqual([undefined]);
});

async function reasons() {
  const sort = { by: "inserted", descending: false } as const;
  const { rows } = await listAudit(db, { cluster: CLUSTER, filter: {}, sort, limit: 50 });
  return rows.map(({ reason }) => reason);
}
