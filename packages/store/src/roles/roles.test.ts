import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { budgetMinute, settings } from "../../testing/budget-records.ts";
import { canOwnServer, startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import {
  auditEntry,
  CLUSTER,
  heartbeat,
  memoryLog,
  objectState,
  runEnd,
  runStart,
} from "../../testing/records.ts";
import { type SignedInUser, signedIn } from "../../testing/signed-in.ts";
import { systemClock } from "../../testing/system-clock.ts";
import { entryRow } from "../audit/audit-insert.ts";
import { verifyChain } from "../audit/verify-chain.ts";
import { connect, type Database } from "../database/database.ts";
import { schemaState } from "../database/migrate.ts";
import { cancelIntent } from "../intents/cancel-intent.ts";
import { createIntentSource } from "../intents/intent-source.ts";
import { requestIntent } from "../intents/request-intent.ts";
import { startLedgerWriter } from "../ledger/ledger-writer.ts";
import { budget } from "../queries/budget/budget.ts";
import { listNodes } from "../queries/objects/object-view.ts";
import { listClusters } from "../queries/overview/clusters.ts";
import { processSettings } from "../queries/overview/controllers.ts";
import { listRuns } from "../queries/runs/runs.ts";
import { openSpool } from "../spool/spool.ts";
import { listAudit } from "../sql/audit-entries.ts";
import { noteCheckpoint, readHead } from "../sql/chains.ts";
import { ownsLedger } from "../sql/roles.ts";
import { ADD_ENTRIES } from "../sql/statements.ts";
import { storableJson } from "../text/storable-json.ts";
import { createSignInLink, redeemSignInToken } from "../users/sign-in.ts";
import { signInWithPassword } from "../users/sign-in-with-password.ts";
import { changeRole, createUser, listUsers } from "../users/users.ts";
import { noteOwner } from "./ledger-owner.ts";
import {
  DATABASE_ROLES,
  type DatabaseRole,
  FUNCTION_RIGHTS,
  ROLE_NAMES,
  TABLE_RIGHTS,
} from "./rights.ts";
import { grantRoles, openRoleLogins, type RoleUrls } from "./role-logins.ts";

let server: TestServer;
let ownerUrl: string;
let urls: RoleUrls;
let owner: Database;
let controller: Database;
let web: Database;
let ana: SignedInUser;
beforeAll(async () => {
  server = await startTestServer({ ownServer: true });
  ownerUrl = await server.migrated();
  expect(await grantRoles(ownerUrl)).toEqual({ kind: "granted" });
  urls = await openRoleLogins(ownerUrl);
  owner = connect(ownerUrl);
  controller = connect(urls.controller);
  web = connect(urls.web);
  ana = await signedIn(owner, { name: "ana" });
});
afterAll(async () => {
  await Promise.all([owner, controller, web].map((db) => db.close()));
  await server.dispose();
});

function as(role: DatabaseRole): Database {
  return role === "web" ? web : controller;
}

function user(db: Database) {
  return { db, ...ana, client: { address: "192.0.2.7", agent: "a test" } };
}

async function drain(databaseUrl: string): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), "cloudwright-roles-"));
  const spool = openSpool({ dir, maxBytes: 1024 * 1024, clock: systemClock });
  const log = memoryLog();
  const writer = startLedgerWriter({ spool, databaseUrl, clock: systemClock, log });
  onTestFinished(async () => {
    await writer.stop();
    spool.close();
    rmSync(dir, { recursive: true });
  });
  const { type: _, ...run } = runStart();
  const records = [
    ...[heartbeat(), settings(), budgetMinute(60_000, 1)],
    ...[runStart(run), runEnd(run), objectState(), auditEntry()],
  ];
  for (const record of records) {
    spool.append(record);
    spool.append(record);
  }
  await vi.waitFor(() => {
    expect(log.lines).toEqual([]);
    expect(writer.stats().behindSince).toBeUndefined();
  }, 20_000);
}

const RETRY = {
  cluster: CLUSTER,
  kind: "retry",
  controller: "cloud-node-controller",
  object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
  why: "Looked at",
} as const;

describe("the controller's role", () => {
  test("compares the schema with the release", async () => {
    expect(await schemaState(urls.controller)).toEqual({ kind: "current", missing: [] });
  });

  test("writes the ledger, works on intents, and keeps house", async () => {
    await drain(urls.controller);
    await requestIntent(user(owner), { id: randomUUID(), ...RETRY });

    const source = createIntentSource({
      db: controller,
      databaseUrl: urls.controller,
      cluster: CLUSTER,
      clock: systemClock,
      log: memoryLog(),
    });
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const offered = await new Promise<Parameters<Parameters<typeof source.watch>[0]>[0]>((done) => {
      source.watch(done, stop.signal);
    });
    const claimant = { identity: "ctl-1", leaseTransitions: 4 };
    expect(await source.claim(offered, claimant)).toBe(true);
    expect(await source.report(offered, claimant, { state: "running", runId: randomUUID() })).toBe(
      true,
    );
    expect(await source.report(offered, claimant, { state: "verified", result: "Done." })).toBe(
      true,
    );

    const head = await readHead(controller.pool, CLUSTER);
    await noteCheckpoint(controller.pool, CLUSTER, {
      seq: head?.seq ?? 0,
      hash: head?.hash ?? "",
      at: Date.now(),
      place: "here",
    });
    for (const call of [
      "cloudwright_begin_upkeep(interval '1 hour')",
      "cloudwright_make_run_days(ARRAY['2020-01-01'::date])",
      "cloudwright_drop_run_days('2020-02-01')",
      "cloudwright_drop_run_bodies('2020-02-01', 10)",
      "cloudwright_fold_runs('2020-02-01')",
      "cloudwright_drop_old_rows('2020-02-01', '2020-02-01', '2020-02-01')",
      "cloudwright_drop_old_budget('2020-02-01')",
      "cloudwright_end_upkeep()",
    ]) {
      await controller.pool.query(`SELECT ${call}`);
    }
  });
});

describe("the dashboard's role", () => {
  test("reads the ledger, requests intents, manages users and checks the chain", async () => {
    await drain(urls.controller);
    const id = randomUUID();
    await requestIntent(user(web), { id, ...RETRY });
    await cancelIntent(user(web), { cluster: CLUSTER, id });
    const page = { cluster: CLUSTER, filter: {}, limit: 10 };
    await listNodes(web, { ...page, sort: { by: "name", descending: false } });
    await listRuns(web, { ...page, sort: { by: "started", descending: true } });
    await listAudit(web, { ...page, sort: { by: "inserted", descending: true } });
    expect(await listClusters(web)).toHaveLength(1);
    expect(await processSettings(web, CLUSTER)).toHaveLength(1);
    expect((await budget(web, { cluster: CLUSTER, range: "hour", now: 60_000 })).minutesKnown).toBe(
      1,
    );

    const email = `${randomUUID()}@example.org`;
    const password = "correct horse battery";
    const made = await createUser(user(web), {
      name: "bo",
      email,
      role: "viewer",
      password,
      why: "New",
    });
    await changeRole(user(web), { id: made.person.id, role: "operator", why: "Trained" });
    expect(await listUsers(user(web))).toMatchObject([
      { name: "ana" },
      { name: "bo", role: "operator" },
    ]);
    const link = await createSignInLink(web, { baseUrl: "http://x", email, role: "operator" });
    await redeemSignInToken(web, new URL(link).searchParams.get("token") ?? "");
    await signInWithPassword({ db: web, client: user(web).client }, { email, password });
    expect(await verifyChain(web.pool, { chain: CLUSTER })).toMatchObject({ intact: true });
    expect(await verifyChain(web.pool, { chain: "accounts" })).toMatchObject({ intact: true });
  });
});

describe("what a role may not do is refused by the database", () => {
  const BOTH = [
    "INSERT INTO audit_entries SELECT * FROM audit_entries",
    "UPDATE audit_entries SET why = 'x'",
    "UPDATE audit_entries SET hash = 'x'",
    "DELETE FROM audit_entries",
    "TRUNCATE audit_entries",
    "UPDATE audit_chains SET seq = 0",
    "DELETE FROM audit_chains",
    "ALTER TABLE audit_entries DISABLE TRIGGER USER",
    "DROP TRIGGER audit_entries_by_function_only ON audit_entries",
    "DROP TABLE runs",
    "DROP TABLE audit_entries",
    "TRUNCATE runs",
    "CREATE TABLE mine (a int)",
    "CREATE OR REPLACE FUNCTION cloudwright_audit(given jsonb) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",
    "DELETE FROM runs",
    "DELETE FROM intents",
    "DELETE FROM all_states",
    "DELETE FROM budget_minutes",
    "UPDATE budget_minutes SET calls = 0",
    "UPDATE intents SET actor_name = 'bo'",
    "UPDATE intents SET kind = 'override', wish = '{}'",
    "UPDATE _prisma_migrations SET checksum = 'x'",
    "CREATE ROLE another",
    "ALTER ROLE cloudwright_web SUPERUSER",
    "SET ROLE postgres",
  ];
  const CONTROLLER = [
    "SELECT * FROM users",
    "SELECT * FROM sessions",
    "SELECT * FROM accounts",
    "SELECT * FROM sign_in_tokens",
    "SELECT * FROM verifications",
    "SELECT * FROM api_tokens",
    "UPDATE users SET role = 'admin'",
    "SELECT why FROM audit_entries",
    "INSERT INTO intents SELECT * FROM intents",
  ];
  const WEB = [
    "INSERT INTO runs SELECT * FROM runs",
    "UPDATE runs SET outcome = 'changed'",
    "UPDATE all_states SET state = 'ok'",
    "UPDATE controller_instances SET leader = true",
    "UPDATE clusters SET name = 'x'",
    "UPDATE intents SET claimed_by = 'me'",
    "UPDATE audit_checkpoints SET hash = 'x'",
    "UPDATE api_tokens SET role = 'admin'",
    "UPDATE api_tokens SET token_hash = 'x'",
    "DELETE FROM api_tokens",
    "SELECT cloudwright_drop_run_days('2020-01-01')",
    "SELECT cloudwright_drop_old_rows('2020-01-01', '2020-01-01', '2020-01-01')",
    "SELECT cloudwright_make_run_days(ARRAY['2020-01-01'::date])",
  ];
  test.each<[DatabaseRole, string]>([
    ...BOTH.flatMap((statement) =>
      DATABASE_ROLES.map((role): [DatabaseRole, string] => [role, statement]),
    ),
    ...CONTROLLER.map((statement): [DatabaseRole, string] => ["controller", statement]),
    ...WEB.map((statement): [DatabaseRole, string] => ["web", statement]),
  ])("%s: %s", async (role, statement) => {
    await expect(as(role).pool.query(statement)).rejects.toMatchObject({ code: "42501" });
  });

  test("not even for a statement behind the guard's own setting", async () => {
    for (const role of DATABASE_ROLES) {
      const forced = as(role).pool.query(
        "SET cloudwright.audit = 'on'; INSERT INTO audit_entries SELECT * FROM audit_entries",
      );
      await expect(forced).rejects.toMatchObject({ code: "42501" });
    }
  });

  test("nor by a temporary table that a function would find in place of the real one", async () => {
    const client = await web.pool.connect();
    try {
      await client.query(
        "CREATE TEMPORARY TABLE audit_chains (chain text, seq bigint, hash text, at timestamptz)",
      );
      const before = await readHead(owner.pool, CLUSTER);
      await client.query(ADD_ENTRIES, [
        storableJson(
          entryRow(
            auditEntry({ action: "intent.request", actor: { ...ana.actor, kind: "person" } }),
            { proof: ana.session },
          ),
        ),
      ]);
      expect((await readHead(owner.pool, CLUSTER))?.seq).toBe((before?.seq ?? 0) + 1);
    } finally {
      client.release(true);
    }
  });

  test.each<[DatabaseRole, string, Parameters<typeof auditEntry>[0]]>([
    ["controller", "a person", { actor: { kind: "person", id: "u", name: "ana" } }],
    ["controller", "accounts", { cluster: undefined, action: "account.change" }],
    ["web", "a controller", { actor: { kind: "controller", id: "c", name: "ctl-1" } }],
  ] as never)("%s writes no audit entry in the name of %s", async (...[role, , over]) => {
    const row = storableJson(entryRow(auditEntry(over)));
    // An error of the class that makes the ledger's writer leave out a record: such a record must not hold up the others.
    await expect(as(role).pool.query(ADD_ENTRIES, [row])).rejects.toMatchObject({ code: "23514" });
    await owner.pool.query(ADD_ENTRIES, [row]);
  });
});

describe("the rights", () => {
  test("name every table and every function with its owner's rights", async () => {
    const { rows: tables } = await owner.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND NOT relispartition`,
    );
    expect(new Set(tables.map(({ name }) => name))).toEqual(new Set(Object.keys(TABLE_RIGHTS)));
    const { rows: functions } = await owner.pool.query<{ name: string }>(
      "SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef",
    );
    expect(new Set(functions.map(({ name }) => name))).toEqual(
      new Set(Object.keys(FUNCTION_RIGHTS)),
    );
  });

  test("pin where such a function looks for objects, and close it to everybody else", async () => {
    const { rows } = await owner.pool.query<{ name: string; config: string[]; open: boolean }>(
      `SELECT proname AS name, proconfig AS config,
              EXISTS (SELECT FROM aclexplode(COALESCE(proacl, acldefault('f', proowner))) WHERE grantee = 0) AS open
         FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`,
    );
    for (const { config, open } of rows) {
      expect(config).toContain("search_path=public, pg_temp");
      expect(open).toBe(false);
    }
  });

  test("that a role had beyond them are taken away by the next migration", async () => {
    await owner.pool.query(`GRANT ALL ON audit_entries, users TO ${ROLE_NAMES.controller}`);
    expect(await grantRoles(ownerUrl)).toEqual({ kind: "granted" });
    await expect(controller.pool.query("SELECT why FROM audit_entries")).rejects.toMatchObject({
      code: "42501",
    });
    await controller.pool.query("SELECT hash FROM audit_entries");
  });
});

describe("a login", () => {
  test("reports whether it owns the ledger", async () => {
    expect(await Promise.all([owner, controller, web].map(({ pool }) => ownsLedger(pool)))).toEqual(
      [true, false, false],
    );
  });

  test.skipIf(!canOwnServer)(
    "that owns it is reported once the database can be asked",
    async () => {
      const reported: string[] = [];
      const heard = (db: Database) => noteOwner(db.pool, (note) => reported.push(note), 20);
      await server.stop();
      const forget = [owner, controller, web].map(heard);
      await expect(ownsLedger(owner.pool)).rejects.toThrow();
      await server.start();
      await vi.waitFor(() =>
        expect(reported).toEqual([expect.stringContaining("roles are not separated")]),
      );
      for (const one of forget) one();
    },
  );

  test("keeps its password when it is opened again", async () => {
    const again = await openRoleLogins(ownerUrl, urls);
    expect(again).toEqual(urls);
    expect(new URL(urls.web).password).toMatch(/^[\w-]{32}$/);
    expect(new URL(urls.web).password).not.toBe(new URL(urls.controller).password);
  });

  test.skipIf(!canOwnServer)("needs its password", async () => {
    const wrong = new URL(urls.web);
    wrong.password = "guessed";
    await expect(whoAmI(wrong.toString())).rejects.toMatchObject({ code: "28P01" });
    expect(await whoAmI(urls.web)).toBe(ROLE_NAMES.web);
    expect(await whoAmI(urls.controller)).toBe(ROLE_NAMES.controller);
  });
});

async function whoAmI(connectionString: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>("SELECT current_user AS name");
    return rows[0]?.name;
  } finally {
    await client.end();
  }
}
