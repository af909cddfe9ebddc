import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { auditEntry, CLUSTER, runEnd, step } from "../../testing/records.ts";
import { writeRecords } from "../../testing/write-records.ts";
import { connect, type Database } from "../database/database.ts";
import type { ExportFormat } from "../exports/file-pieces.ts";
import { type AuditFilter, listAudit } from "../sql/audit-entries.ts";
import { noteCheckpoint, readHead } from "../sql/chains.ts";
import { ADD_ENTRIES } from "../sql/statements.ts";
import { storableJson } from "../text/storable-json.ts";
import { auditChain } from "./audit-chain.ts";
import { entryRow } from "./audit-insert.ts";
import { exportAudit, exportEntries } from "./export-audit.ts";
import { verifyAudit } from "./verify-audit.ts";
import { verifyExport } from "./verify-export.ts";

let server: TestServer;
let db: Database;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  db = connect(await server.migrated());
  await db.pool.query("INSERT INTO clusters VALUES ($1, 'prod-eu', 'sandbox', now())", [CLUSTER]);
  await add(...ENTRIES);
  return () => db.close();
});

type Added = Parameters<typeof auditEntry>[0] & {
  readonly client?: { readonly address: string; readonly agent: string };
};

const HOUR = Date.UTC(2026, 0, 1, 12);
const ANA = { kind: "person", id: "u-1", name: "ana" } as const;
const ENTRIES: readonly Added[] = [
  { at: HOUR, why: "The instance was found.", object: { kind: "Node", name: "w-1" } },
  {
    at: HOUR + 1,
    actor: ANA,
    action: "intent.request",
    why: "INC-88: 100% sure_",
    object: { kind: "Node", name: "w-2" },
    client: { address: "192.0.2.7", agent: "Firefox" },
    intentId: "i-1",
  },
  { at: HOUR + 2, action: "node.delete", result: "failed", object: { kind: "Node", name: "x-1" } },
  {
    at: HOUR + 3,
    actor: { kind: "person", id: "u-2", name: "=bo" },
    action: "intent.request",
    result: "refused",
    why: 'Said "no", twice',
    object: { kind: "Controller", name: "cloud-node-controller" },
    before: { paused: false, since: 1.5 },
    after: { ключ: ["é", null], b: 1e21 },
    runId: "r-1",
  },
];

async function add(...entries: readonly Added[]): Promise<void> {
  const rows = entries.map(({ client, ...over }) =>
    entryRow(auditEntry({ id: randomUUID(), ...over }), { client }),
  );
  await db.pool.query(ADD_ENTRIES, [storableJson(rows)]);
}

function viewer() {
  return {
    db,
    actor: { id: "u-1", name: "ana", role: "viewer" } as const,
    client: { address: "::1", agent: "a test" },
  };
}

async function numbers(filter: AuditFilter): Promise<readonly number[]> {
  const sort = { by: "inserted", descending: false } as const;
  const page = await listAudit(db, { cluster: CLUSTER, filter, sort, limit: 50 });
  return page.rows.map(({ seq }) => seq);
}

const FILTERS: readonly (readonly [string, AuditFilter, readonly number[]])[] = [
  ["nothing", {}, [1, 2, 3, 4]],
  ["an actor's id", { actorId: "u-1" }, [2]],
  ["an actor's name", { actorName: "ana" }, [2]],
  ["part of an actor's name", { actorName: "*b*" }, [4]],
  ["an action", { action: "node.delete" }, [3]],
  ["a family of actions", { action: "node.*" }, [1, 3]],
  ["an object", { object: { kind: "Node", name: "w-1" } }, [1]],
  ["objects by name", { object: { name: "w-*" } }, [1, 2]],
  ["objects by kind", { object: { kind: "Controller", name: "*" } }, [4]],
  ["a result", { result: "refused" }, [4]],
  ["a time from", { from: HOUR + 2 }, [3, 4]],
  ["a time until", { to: HOUR + 2 }, [1, 2]],
  ["a text with signs of patterns", { text: "100% SURE_" }, [2]],
  ["a text that only looks like a pattern", { text: "1__%" }, []],
  ["a text in an object's name", { text: "x-" }, [3]],
  ["an address", { text: "192.0.2" }, [2]],
  ["an intent", { intentId: "i-1" }, [2]],
  ["a run", { runId: "r-1" }, [4]],
  ["several at once", { action: "intent.*", result: "refused", from: HOUR }, [4]],
];

describe("the actions of users among the entries", () => {
  const NODE = { kind: "Node", name: "node-21" } as const;
  const requested = (intentId: string, after: Added["after"]): Added => ({
    ...{ actor: ANA, action: "intent.request", object: NODE, intentId },
    after: after ?? null,
  });
  const HOLD = { kind: "hold", until: HOUR } as const;
  const numbersOf = async (filter: AuditFilter) =>
    (await numbers(filter)).map((seq) => seq - ENTRIES.length);
  beforeEach(() =>
    add(
      requested("i-9", { kind: "preview", wish: HOLD }),
      { action: "intent.end", object: NODE, intentId: "i-9", after: { state: "verified" } },
      requested("i-10", { kind: "hold", wish: HOLD }),
      { action: "intent.claim", object: NODE, intentId: "i-10", after: { state: "claimed" } },
      { action: "node.hold", object: NODE, intentId: "i-10" },
      requested("i-11", { kind: "retry", controller: "cloud-node-controller" }),
      {
        ...requested("i-12", { kind: "hold", wish: HOLD }),
        object: { kind: "Service", name: "web" },
      },
    ),
  );

  test.each<[string, AuditFilter, readonly number[]]>([
    ["who held the node", { action: "node.hold", withoutPreviews: true }, [3, 4, 5]],
    ["who asked what a hold would do, too", { action: "node.hold" }, [1, 2, 3, 4, 5]],
    ["who held anything", { action: "*.hold", withoutPreviews: true }, [3, 4, 5, 7]],
    ["who retried it", { action: "node.retry" }, [6]],
    ["what was only asked for", { action: "intent.claim" }, [4]],
    ["all but previews of the node", { object: NODE, withoutPreviews: true }, [3, 4, 5, 6]],
  ])("are found by %s", async (_, filter, expected) => {
    expect(await numbersOf(filter)).toEqual(expected);
  });

  test("say what was asked for, all along", async () => {
    const sort = { by: "inserted", descending: false } as const;
    const filter = { object: NODE };
    const { rows } = await listAudit(db, { cluster: CLUSTER, filter, sort, limit: 50 });
    const preview = { kind: "hold", isPreview: true };
    const hold = { kind: "hold", isPreview: false };
    expect(rows.map(({ intent }) => intent)).toEqual([
      ...[preview, preview, hold, hold, hold],
      { kind: "retry", isPreview: false },
    ]);
  });
});

describe("the entries of a cloud call", () => {
  const REQUEST = "7f3a9c10-0000-4000-8000-00000000000a";
  test("are those of the run that made it, and those that name it", async () => {
    const run = runEnd({ steps: [{ ...step("cloud"), requestId: REQUEST }] });
    await writeRecords(String(db.pool.options.connectionString), [run, runEnd()]);
    await add({ runId: run.id }, { runId: "r-1" }, { why: `Gone (request ${REQUEST})` });
    const found = [ENTRIES.length + 1, ENTRIES.length + 3];
    expect(await numbers({ requestId: REQUEST })).toEqual(found);
    expect(await numbers({ requestId: "7F3A9C10" })).toEqual(found);
    expect(await numbers({ requestId: "7f3a9c11" })).toEqual([]);
    const { head } = await exportEntries(db.pool, {
      chain: CLUSTER,
      filter: { requestId: REQUEST },
      format: "json",
    });
    expect(head.range).toEqual({ first: found[0], last: found[1], count: 2 });
  });
});

describe("the list of entries", () => {
  test.each(FILTERS)("filters by %s", async (...[, filter, expected]) => {
    expect(await numbers(filter)).toEqual(expected);
  });

  test("shows all fields of an entry, and its place in the chain", async () => {
    const sort = { by: "inserted", descending: true } as const;
    const { rows } = await listAudit(db, { cluster: CLUSTER, filter: {}, sort, limit: 3 });
    expect(rows[0]).toMatchObject({
      seq: 4,
      before: { paused: false, since: 1.5 },
      after: { ключ: ["é", null], b: 1e21 },
      client: undefined,
      hash: (await readHead(db.pool, CLUSTER))?.hash,
    });
    expect(rows[2]).toMatchObject({ client: { address: "192.0.2.7", agent: "Firefox" } });
  });

  test("of accounts is apart", async () => {
    const { cluster: _, ...ofAccounts } = auditEntry({ action: "account.sign-in" });
    await db.pool.query(ADD_ENTRIES, [storableJson(entryRow(ofAccounts))]);
    const sort = { by: "inserted", descending: true } as const;
    const page = await listAudit(db, { cluster: "accounts", filter: {}, sort, limit: 9 });
    expect(page.rows).toMatchObject([{ action: "account.sign-in", seq: 1 }]);
  });
});

describe("a chain", () => {
  test("without entries says so", async () => {
    expect(await auditChain(db, "accounts")).toEqual({
      chain: "accounts",
      head: undefined,
      since: undefined,
      checkpoint: undefined,
      verified: undefined,
    });
  });

  test("reports its head, its checkpoint and who last verified it", async () => {
    const head = await readHead(db.pool, CLUSTER);
    if (head === undefined) throw new Error("The chain has no head.");
    await noteCheckpoint(db.pool, CLUSTER, { ...head, at: HOUR, place: "ConfigMap c" });
    const found = await verifyAudit(viewer(), CLUSTER);
    expect(found).toMatchObject({ intact: true, entries: 4, checkpoints: [{ matches: true }] });
    expect(await auditChain(db, CLUSTER)).toMatchObject({
      head: { seq: 5 },
      since: HOUR,
      checkpoint: { seq: 4, hash: head.hash, at: HOUR, place: "ConfigMap c" },
      verified: { intact: true, entries: 4, by: "ana" },
    });
    expect(await numbers({ action: "audit.verify", result: "applied", text: "::1" })).toEqual([5]);
  });

  test("that is broken is recorded as broken", async () => {
    await tamper("UPDATE audit_entries SET why = 'x' WHERE seq = 2");
    expect(await verifyAudit(viewer(), CLUSTER)).toMatchObject({ intact: false });
    expect(await auditChain(db, CLUSTER)).toMatchObject({
      verified: { intact: false, entries: 4 },
    });
    expect(
      await numbers({ action: "audit.verify", result: "failed", text: "Entry 2 was changed" }),
    ).toEqual([5]);
  });

  test("of a cluster that nobody reported is not found", async () => {
    await expect(verifyAudit(viewer(), "nowhere")).rejects.toMatchObject({ code: "NotFound" });
    const input = { chain: "nowhere", filter: {}, format: "csv" } as const;
    await expect(exportAudit(viewer(), input)).rejects.toMatchObject({ code: "NotFound" });
  });
});

async function tamper(statement: string): Promise<void> {
  await db.pool.query(
    `ALTER TABLE audit_entries DISABLE TRIGGER USER; ${statement}; ALTER TABLE audit_entries ENABLE TRIGGER USER`,
  );
}

async function textOf(format: ExportFormat, filter: AuditFilter = {}): Promise<string> {
  const { pieces } = await exportEntries(db.pool, { chain: CLUSTER, filter, format });
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split("\n");
}

describe("an export", () => {
  test("as CSV holds filter, time and range, and disarms formulas", async () => {
    const text = await textOf("csv", { action: "intent.*" });
    const lines = text.split("\r\n");
    const head = await readHead(db.pool, CLUSTER);
    expect(lines[0]).toBe(`# Cloudwright audit export of chain,${CLUSTER}`);
    expect(lines[1]).toMatch(/^# exported at,\d{4}-\d\d-\d\dT/);
    expect(lines[2]).toBe('# filter,"{""action"":""intent.*""}"');
    expect(lines[3]).toBe("# entries,2,from,2,to,4");
    expect(lines[4]).toMatch(`# head of the chain,4,${head?.hash}`);
    expect(lines[5]).toMatch(/^seq,at,actor_kind,/);
    expect(lines[6]).toContain(
      "2,2026-01-01T12:00:00.001Z,person,u-1,ana,intent.request,Node,,w-2,",
    );
    expect(lines[7]).toContain(",'=bo,");
    expect(lines[7]).toContain(',"Said ""no"", twice",refused,');
    expect(lines).toHaveLength(9);
    expect(lines[8]).toBe("");
  });

  test("as JSON is one document, and can be verified without a database", async () => {
    await add(...Array.from({ length: 1_500 }, (): Added => ({ why: "Again." })));
    const text = await textOf("json");
    const file = JSON.parse(text) as { entries: { seq: number }[] };
    expect(file).toMatchObject({
      kind: "cloudwright-audit-export",
      chain: CLUSTER,
      filter: {},
      range: { first: 1, last: 1_504, count: 1_504 },
      head: { seq: 1_504 },
    });
    expect(file.entries).toHaveLength(1_504);
    expect(await verifyExport(linesOf(text))).toMatchObject({ intact: true, entries: 1_504 });
  });

  test.each(FILTERS)("of a filter by %s holds exactly that", async (...[, filter, expected]) => {
    const text = await textOf("json", filter);
    const file = JSON.parse(text) as { entries: { seq: number }[] };
    expect(file.entries.map(({ seq }) => seq)).toEqual(expected);
    expect(await verifyExport(linesOf(text))).toMatchObject({
      intact: true,
      entries: expected.length,
    });
  });

  test.each<[string, AuditFilter, (text: string) => string, object]>([
    [
      "a word changed",
      {},
      (text) => text.replace("100% sure_", "50% sure_"),
      { breaks: [{ kind: "changed", from: 2 }] },
    ],
    [
      "a number in its data changed",
      {},
      (text) => text.replace("1.5", "1.6"),
      { breaks: [{ kind: "changed", from: 4 }] },
    ],
    [
      "a line removed",
      {},
      (text) =>
        text
          .split("\n")
          .filter((_, line) => line !== 2)
          .join("\n"),
      { breaks: [{ kind: "removed", from: 2 }], breakCount: 1 },
    ],
    [
      "a line removed from a selection",
      { action: "node.*" },
      (text) =>
        text
          .split("\n")
          .filter((_, line) => line !== 1)
          .join("\n"),
      { breaks: [{ kind: "removed", from: 1, to: 3 }] },
    ],
    [
      "a word changed in a selection",
      { action: "node.*" },
      (text) => text.replace("found", "lost"),
      { breaks: [{ kind: "changed", from: 1 }] },
    ],
  ])("with %s is found out", async (...[, filter, edit, expected]) => {
    const text = await textOf("json", filter);
    expect(edit(text)).not.toBe(text);
    expect(await verifyExport(linesOf(edit(text)))).toMatchObject({ intact: false, ...expected });
  });

  test("is compared with a checkpoint that a user has kept", async () => {
    const head = await readHead(db.pool, CLUSTER);
    if (head === undefined) throw new Error("The chain has no head.");
    const text = await textOf("json");
    const known = { ...head, place: "a note", copy: "given" } as const;
    expect(await verifyExport(linesOf(text), () => [known])).toMatchObject({
      intact: true,
      checkpoints: [{ matches: true }],
    });
    const other = { ...known, hash: "f".repeat(64) };
    expect(await verifyExport(linesOf(text), () => [other])).toMatchObject({
      breaks: [{ kind: "rewritten", from: 1, to: 4 }],
    });
  });

  test("that is not an export file is refused", async () => {
    for (const text of ["", "{}", "seq,at", (await textOf("json")).replaceAll('"hash"', '"h"')]) {
      await expect(verifyExport(linesOf(text))).rejects.toMatchObject({ code: "Invalid" });
    }
  });

  test("for a user is audited, and does not hold entries added after it began", async () => {
    const made = await exportAudit(viewer(), {
      chain: CLUSTER,
      filter: { action: "*", from: HOUR },
      format: "json",
    });
    let text = "";
    for await (const piece of made.pieces) text += piece;
    expect((JSON.parse(text) as { entries: unknown[] }).entries).toHaveLength(4);
    const sort = { by: "inserted", descending: true } as const;
    const { rows } = await listAudit(db, { cluster: CLUSTER, filter: {}, sort, limit: 1 });
    expect(rows).toMatchObject([
      {
        action: "audit.export",
        actor: ANA,
        why: "Exported 4 entries as json",
        after: {
          format: "json",
          filter: { action: "*", from: "2026-01-01T12:00:00.000Z" },
          entries: 4,
          first: 1,
          last: 4,
        },
        client: { address: "::1" },
      },
    ]);
  });
});
