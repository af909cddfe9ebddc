import { randomUUID } from "node:crypto";
import type { Json } from "@cloudwright/core/model/values/json";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { auditEntry } from "../../testing/records.ts";
import { connect, type Database } from "../database/database.ts";
import { readChain } from "../sql/chains.ts";
import { ADD_ENTRIES } from "../sql/statements.ts";
import { storableJson } from "../text/storable-json.ts";
import { entryRow } from "./audit-insert.ts";
import { type ChainedEntry, entryHash, entryText } from "./entry-text.ts";
import { jsonbText } from "./verify-export.ts";

let server: TestServer;
let db: Database;
beforeAll(async () => {
  server = await startTestServer();
  db = connect(await server.migrated());
});
afterAll(async () => {
  await db.close();
  await server.dispose();
});

const VALUES: readonly Json[] = [
  null,
  true,
  "",
  [],
  {},
  0,
  -0,
  1.5,
  -1e21,
  1.25e25,
  1e-7,
  -3.5e-9,
  5e-324,
  1.7976931348623157e308,
  Number.MAX_SAFE_INTEGER,
  [1, [2, [null, { a: [] }]]],
  { b: 1, a: 2, aa: 3, é: 4, "": 5, B: 6, "👩‍🚀": 7, "a b": 8, 10: 9, 9: 10 },
  'quote " backslash \\ slash / tab \t newline \n return \r bell \u0007 delete \u007f',
  "line\u2028separator, é, 漢字, 👩‍🚀, \ufeff, \ufffd",
  { __proto__x: "x", constructor: "y" },
];

describe("the text of a JSON value", () => {
  test.each(VALUES.map((value) => [value]))("is PostgreSQL's: %j", async (value) => {
    const { rows } = await db.pool.query<{ text: string }>("SELECT $1::jsonb::text AS text", [
      JSON.stringify(value),
    ]);
    expect(jsonbText(value)).toBe(rows[0]?.text);
  });

  test("is PostgreSQL's for random values", async () => {
    const values = Array.from({ length: 500 }, (_, seed) => randomJson(seededRandom(seed), 0));
    const { rows } = await db.pool.query<{ text: string }>(
      "SELECT item::text AS text FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS one(item, place) ORDER BY place",
      [storableJson(values)],
    );
    const stored = JSON.parse(storableJson(values)) as readonly Json[];
    expect(stored.map(jsonbText)).toEqual(rows.map((row) => row.text));
  });
});

describe("the text of an entry", () => {
  test("and its hash equal the database's, for every field and value", async () => {
    const full = VALUES.map((value, index) => ({
      ...entryRow(
        auditEntry({
          id: randomUUID(),
          at: 1_795_000_000_000 + index * 0.37,
          actor: { kind: "person", id: "u-1", name: 'Ana "the\n\u0001" Ω' },
          object: { kind: "Node", namespace: "n s", name: "w-1", uid: "uid\\" },
          why: `${JSON.stringify(value)} \u007f\u2028`,
          before: value,
          after: { value },
          runId: "r",
          intentId: "i",
        }),
        { client: { address: "::1", agent: "Mozilla/5.0 (\t)" } },
      ),
    }));
    const { cluster: _, object: __, ...least } = auditEntry({ why: "" });
    await db.pool.query(ADD_ENTRIES, [storableJson([...full, entryRow(least)])]);

    const { rows } = await db.pool.query<{ chain: string; text: string; hash: string }>(
      "SELECT chain, cloudwright_audit_text(one) AS text, hash FROM audit_entries AS one ORDER BY chain, seq",
    );
    for (const chain of new Set(rows.map((row) => row.chain))) {
      const entries: ChainedEntry[] = [];
      for await (const entry of readChain(db.pool, { chain })) entries.push(entry);
      const stored = rows.filter((row) => row.chain === chain);
      expect(entries.map(entryText)).toEqual(stored.map((row) => row.text));
      expect(entries.map(entryHash)).toEqual(stored.map((row) => row.hash));
    }
    expect(rows).toHaveLength(VALUES.length + 1);
  });
});

function randomJson(random: () => number, depth: number): Json {
  const kind = Math.floor(random() * (depth > 3 ? 4 : 6));
  if (kind === 0) return random() < 0.3 ? null : random() < 0.5;
  if (kind <= 1) return randomNumber(random);
  if (kind <= 3) return randomText(random);
  const items = Array.from({ length: Math.floor(random() * 6) }, () =>
    randomJson(random, depth + 1),
  );
  if (kind === 4) return items;
  return Object.fromEntries(items.map((item) => [randomText(random), item]));
}

function randomNumber(random: () => number): number {
  const digits = Number((random() - 0.5).toPrecision(1 + Math.floor(random() * 15)));
  return random() < 0.3 ? Math.trunc(digits * 1e6) : digits * 10 ** Math.floor(random() * 60 - 30);
}

function randomText(random: () => number): string {
  const length = Math.floor(random() * 8);
  return Array.from({ length }, () =>
    random() < 0.7
      ? String.fromCharCode(1 + Math.floor(random() * 126))
      : String.fromCodePoint(128 + Math.floor(random() * 0x1f_000)),
  ).join("");
}

/** Returns pseudo-random numbers that are the same in each run of the test. */
function seededRandom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
