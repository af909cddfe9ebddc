import pg from "pg";
import { expect, test, vi } from "vitest";
import { canOwnServer, startTestServer } from "../../testing/database-fixture.ts";
import { grantRoles, openRoleLogins } from "./role-logins.ts";

test.skipIf(!canOwnServer)(
  "without leave to make roles, the migration goes on and says what is missing",
  async () => {
    await using other = await otherServer();
    await other.query(
      "CREATE ROLE plain LOGIN PASSWORD 'plain'; CREATE DATABASE plain OWNER plain",
    );
    const url = new URL(other.url);
    url.username = "plain";
    url.password = "plain";
    url.pathname = "/plain";
    expect(await grantRoles(url.toString())).toEqual({
      kind: "notAllowed",
      sentence:
        'The roles of controller and dashboard are not separated, because this login may not create roles: have the server\'s administrator run "CREATE ROLE cloudwright_controller; CREATE ROLE cloudwright_web;", then migrate again.',
    });
    await other.query("CREATE ROLE cloudwright_controller; CREATE ROLE cloudwright_web");
    expect(await grantRoles(url.toString())).toEqual({ kind: "granted" });
  },
);

const MAKE_DAYS = "SELECT cloudwright_make_run_days(ARRAY['2026-01-01', '2026-01-02']::date[])";
const DROP_DAYS = "SELECT cloudwright_drop_run_days('2026-01-03')";

test.skipIf(!canOwnServer).each([
  ["the first days of runs are being made", [], MAKE_DAYS],
  ["old days of runs are being dropped", [MAKE_DAYS], DROP_DAYS],
])("rights are granted while %s", async (_title, before, upkeep) => {
  await using ledger = await newLedger();
  await grantRoles(ledger.url);
  for (const statement of before) await ledger.client.query(statement);

  await ledger.client.query("BEGIN");
  await ledger.client.query(upkeep);
  const granted = grantRoles(ledger.url);
  await vi.waitFor(async () => expect(await waiting(ledger.client)).toBe(1), 10_000);
  await ledger.client.query("COMMIT");

  expect(await granted).toEqual({ kind: "granted" });
});

test.skipIf(!canOwnServer)("several processes open the same logins at once", async () => {
  await using ledger = await newLedger();
  await grantRoles(ledger.url);
  const urls = await openRoleLogins(ledger.url);

  const opened = Promise.all(Array.from({ length: 8 }, () => openRoleLogins(ledger.url, urls)));

  expect(await opened).toEqual(Array(8).fill(urls));
});

/** Counts the connections that wait for a lock. */
async function waiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(
    "SELECT count(DISTINCT pid)::int AS waiting FROM pg_locks WHERE NOT granted",
  );
  return rows[0]?.waiting ?? 0;
}

/** A server with a new ledger, and a connection as its owner. */
async function newLedger() {
  const server = await startTestServer({ ownServer: true });
  const url = await server.migrated();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    url,
    client,
    async [Symbol.asyncDispose]() {
      await client.end();
      await server.dispose();
    },
  };
}

async function otherServer() {
  const second = await startTestServer({ ownServer: true });
  const url = await second.empty();
  return {
    url,
    async query(sql: string): Promise<void> {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (const statement of sql.split("; ")) await client.query(statement);
      await client.end();
    },
    [Symbol.asyncDispose]: () => second.dispose(),
  };
}
