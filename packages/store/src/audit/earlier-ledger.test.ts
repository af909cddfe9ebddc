import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { migrationsBefore } from "../../testing/earlier-migrations.ts";
import { auditEntry, CLUSTER } from "../../testing/records.ts";
import { connect, type Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { DATABASE_ROLES, ROLE_NAMES } from "../roles/rights.ts";
import { grantRoles, openRoleLogins } from "../roles/role-logins.ts";
import { createRole } from "../sql/roles.ts";
import { ADD_ENTRIES } from "../sql/statements.ts";
import { withClient } from "../sql/transaction.ts";
import { storableJson } from "../text/storable-json.ts";
import { sessionProof, storedSessionToken } from "../users/session-proof.ts";
import { entryRow } from "./audit-insert.ts";
import { exportEntries } from "./export-audit.ts";
import { verifyChain } from "./verify-chain.ts";
import { verifyExport } from "./verify-export.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ ownServer: true });
});
afterAll(() => server.dispose());

function open(url: string): Database {
  const db = connect(url);
  onTestFinished(() => db.close());
  return db;
}

function append(db: Database, over: Parameters<typeof auditEntry>[0]) {
  return db.pool.query(ADD_ENTRIES, [storableJson(entryRow(auditEntry(over)))]);
}

/** Grants rights as a release of that time did, as far as this test needs: today's grants name columns that came later. */
async function grantAsBefore(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (const role of DATABASE_ROLES) await createRole(client, role);
    const roles = Object.values(ROLE_NAMES).join(", ");
    await client.query(`GRANT USAGE ON SCHEMA public TO ${roles};
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${roles}`);
  });
}

test("a ledger from an earlier release stays readable, verifiable and writable, and no longer accepts names", async () => {
  const url = await server.empty();
  // The migrations before actors were taken from logins and sessions.
  const { folder, remove } = migrationsBefore("20261123043922_audit_logins");
  onTestFinished(remove);
  await migrate(url, { migrationsDir: folder });
  await grantAsBefore(url);
  const urls = await openRoleLogins(url);
  const [owner, web, controller] = [open(url), open(urls.web), open(urls.controller)];
  await owner.pool.query("INSERT INTO clusters VALUES ($1, 'prod', 'sandbox', now())", [CLUSTER]);
  const claimed = {
    action: "intent.request",
    actor: { kind: "person", id: "u-1", name: "whoever was named" },
  } as const;
  await append(web, claimed);
  await append(controller, {});
  await append(controller, { id: randomUUID(), cluster: "another" });

  await migrate(url);
  await grantRoles(url);

  await expect(append(web, claimed)).rejects.toMatchObject({ code: "42501" });
  await append(controller, {});
  await append(controller, { cluster: "another" });
  await expect(append(controller, { cluster: "a third" })).rejects.toMatchObject({ code: "42501" });
  const rows = await owner.prisma.auditEntry.findMany({
    where: { chain: CLUSTER },
    orderBy: { seq: "asc" },
  });
  expect(rows).toMatchObject([
    { format: 1, actorName: "whoever was named", writtenBy: null, proof: null },
    { format: 1, writtenBy: null },
    { format: 2, writtenBy: "cloudwright_controller", proof: "controller-login" },
  ]);
  for (const chain of [CLUSTER, "another", "accounts"]) {
    expect(await verifyChain(owner.pool, { chain })).toMatchObject({ intact: true });
  }

  const { pieces } = await exportEntries(owner.pool, {
    chain: CLUSTER,
    filter: {},
    format: "json",
  });
  let text = "";
  for await (const piece of pieces) text += piece;
  expect(await verifyExport(lines(text))).toMatchObject({ intact: true, entries: 3 });
  const renamed = text.replace("controller-login", "owner");
  expect(await verifyExport(lines(renamed))).toMatchObject({ intact: false });
});

async function* lines(text: string): AsyncGenerator<string> {
  yield* text.split("\n");
}

test("a session from an earlier release, whose token was stored in plain text, stays valid and is stored as a hash", async () => {
  const url = await server.empty();
  const { folder, remove } = migrationsBefore("20261123125000_hashed_sessions");
  onTestFinished(remove);
  await migrate(url, { migrationsDir: folder });
  const { pool } = open(url);
  await pool.query("INSERT INTO users (id, name, email) VALUES ('u-1', 'ana', 'ana@example.org')");
  await pool.query(
    `INSERT INTO sessions (id, token, user_id, expires_at)
     VALUES ('s-1', 'what the browser holds', 'u-1', now() + interval '1 hour')`,
  );
  await migrate(url);
  const session = { id: "s-1", token: "what the browser holds" };
  const { rows } = await pool.query(
    "SELECT token, cloudwright_audit_session(id, $1) AS live FROM sessions",
    [sessionProof(session).tokenHash],
  );
  expect(rows).toEqual([{ token: storedSessionToken(session.token), live: true }]);
});
