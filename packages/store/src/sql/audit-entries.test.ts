import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditEntry, CLUSTER } from "../../testing/records.ts";
import { useDatabase, useTestServer } from "../../testing/suite-database.ts";
import { connect, type Database } from "../database/database.ts";
import { AUDIT_ENTRIES, type AuditFilter, type AuditSort, listAudit } from "./audit-entries.ts";
import { pageStatement, totalStatement } from "./lists/list.ts";

const server = useTestServer();
/** The records as a spool delivers them that was away for a while. */
const RECORDS = [2, 1, 3, 1].map((second) => auditEntry({ at: second * 1_000 }));
const database = useDatabase(server, () => RECORDS);

test.each<[AuditSort, boolean, number[]]>([
  ["inserted", false, [2, 1, 3, 1]],
  ["inserted", true, [1, 3, 1, 2]],
  ["at", false, [1, 1, 2, 3]],
  ["at", true, [3, 2, 1, 1]],
])("by %s, descending %s, entries come in the order of %j", async (by, descending, seconds) => {
  const input = { cluster: CLUSTER, filter: {}, sort: { by, descending } } as const;
  const found: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudit(database.db, { ...input, limit: 2, cursor });
    found.push(...page.rows.map(({ at }) => at / 1_000));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual(seconds);
});

describe("on 20,000 entries", () => {
  let big: Database;
  beforeAll(async () => {
    big = connect(await server.migrated());
    for (let first = 1; first <= 20_000; first += 5_000)
      await big.pool.query(GENERATE, [CLUSTER, first]);
    await big.pool.query("VACUUM ANALYZE audit_entries");
  });
  afterAll(() => big.close());

  const inputOf = (filter: AuditFilter) =>
    ({
      cluster: CLUSTER,
      filter,
      sort: { by: "inserted", descending: true },
      limit: 50,
    }) as const;

  async function plans(filter: AuditFilter): Promise<string> {
    const input = inputOf(filter);
    const statements = [pageStatement(AUDIT_ENTRIES, input), totalStatement(AUDIT_ENTRIES, input)];
    const explained = await Promise.all(
      statements.map(({ text, values }) =>
        big.pool.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, [...values]),
      ),
    );
    return explained.flatMap(({ rows }) => rows.map((row) => row["QUERY PLAN"])).join("\n");
  }

  test.each<[string, AuditFilter]>([
    ["a word of few entries", { text: "INC-7777:" }],
    ["a word of no entry", { text: "nowhere" }],
    ["what was refused", { result: "refused" }],
  ])("%s is found without reading all of them", async (_what, filter) => {
    expect(await plans(filter)).not.toMatch(/Seq Scan/);
  });

  test("those about one object are counted in an index, without being read", async () => {
    const about = inputOf({ object: { kind: "Node", name: "node-7" } });
    const { text, values } = totalStatement(AUDIT_ENTRIES, about);
    const { rows } = await big.pool.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(
      /Index Only Scan using audit_entries_of_object_idx/,
    );
  });

  test("at most 2,000 entries with a common text are counted, and 10,000 of any other filter", async () => {
    const totals = await Promise.all(
      [{ text: "looked" }, { text: "INC-7777:" }, { actorId: "ana" }].map((filter) =>
        listAudit(big, inputOf(filter)),
      ),
    );
    expect(totals.map(({ total }) => total)).toEqual([
      { kind: "atLeast", count: 2_000 },
      { kind: "exact", count: 1 },
      { kind: "atLeast", count: 10_000 },
    ]);
  });

  test.each([
    ["the reason", "inc-7777: looked", [7_777]],
    ["the actor", "bob@example", [5_000, 10_000, 15_000, 20_000]],
    ["the object", "node-12345", [12_345]],
    ["what was done", "hold.lift", [6_666, 13_332, 19_998]],
    ["the client's address", "192.0.2.77", [9_999, 19_998]],
    ["a percent sign as it is", "100%", [11_111]],
    ["an underscore as it is", "lifted_", []],
  ])("a text is looked for in %s, in any case", async (_where, text, numbers) => {
    const { rows } = await listAudit(big, inputOf({ text }));
    expect(rows.map(({ seq }) => seq).toReversed()).toEqual(numbers);
  });
});

const GENERATE = `
  SELECT cloudwright_audit(jsonb_agg(jsonb_build_object('id', md5('entry' || n)::uuid, 'cluster_id', $1::text,
           'at', n * 1000, 'actor_kind', 'person', 'actor_id', 'ana',
           'actor_name', CASE WHEN n % 5000 = 0 THEN 'bob@example.test' ELSE 'ana@example.test' END,
           'action', CASE WHEN n % 6666 = 0 THEN 'hold.lift' ELSE 'node.initialise' END,
           'object_kind', 'Node', 'object_name', 'node-' || n, 'object_uid', 'u' || n,
           'why', CASE n WHEN 11111 THEN 'At 100% of the quota' ELSE 'INC-' || n || ': looked at' END,
           'result', CASE WHEN n % 900 = 0 THEN 'refused' ELSE 'applied' END, 'before', NULL, 'after', NULL,
           'client_address', CASE WHEN n % 9999 = 0 THEN '192.0.2.77' ELSE '192.0.2.8' END) ORDER BY n))
    FROM generate_series($2::int, $2::int + 4999) AS n`;
