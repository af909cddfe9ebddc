import { beforeEach, describe, expect, test } from "vitest";
import { addEntries } from "../../testing/add-entries.ts";
import { type auditEntry, CLUSTER } from "../../testing/records.ts";
import { testLedger } from "../../testing/test-ledger.ts";
import { listChains, noteCheckpoint, readHead } from "../sql/chains.ts";
import { verifyChain } from "./verify-chain.ts";

const ledger = testLedger();
beforeEach(() => add(12));

function add(count: number, over: Parameters<typeof auditEntry>[0] = {}): Promise<void> {
  return addEntries(ledger.db, count, over);
}

/** Does what the owner of the table can do after disabling the guard. */
async function tamper(...statements: readonly string[]): Promise<void> {
  const all = [
    "ALTER TABLE audit_entries DISABLE TRIGGER USER",
    ...statements,
    "ALTER TABLE audit_entries ENABLE TRIGGER USER",
  ];
  await ledger.db.pool.query(all.join(";"));
}

/** Rehashes everything from entry four on, and the head, as somebody who wants to hide a change would. */
const HASH_ANEW_FROM_FOUR = `
  DO $$
  DECLARE entry audit_entries; hash_before text;
  BEGIN
    SELECT hash INTO hash_before FROM audit_entries WHERE seq = 3;
    FOR entry IN SELECT * FROM audit_entries WHERE seq > 3 ORDER BY seq LOOP
      entry.prev_hash := hash_before;
      entry.hash := cloudwright_audit_hash(entry);
      UPDATE audit_entries SET prev_hash = entry.prev_hash, hash = entry.hash WHERE seq = entry.seq;
      UPDATE audit_chains SET hash = entry.hash;
      hash_before := entry.hash;
    END LOOP;
  END $$`;

const FORGED = `
  INSERT INTO audit_entries
    (id, chain, cluster_id, seq, at, actor_kind, actor_id, actor_name, action, why, result, before, after, prev_hash, hash)
  SELECT gen_random_uuid(), chain, cluster_id, seq + 1, at, actor_kind, actor_id, actor_name, action, 'Forged.', result,
         before, after, hash, hash FROM audit_entries WHERE seq = 12`;

function verify(known: Parameters<typeof verifyChain>[1]["known"] = []) {
  return verifyChain(ledger.db.pool, { chain: CLUSTER, known });
}

describe("verification of a chain", () => {
  test("finds an untouched chain intact, also while it grows", async () => {
    const growing = add(500);
    const found = await verify();
    await growing;
    expect(found).toMatchObject({ intact: true, breakCount: 0, breaks: [] });
    expect(await verify()).toMatchObject({
      intact: true,
      entries: 512,
      head: { seq: 512 },
      proven: [{ from: 1, to: 512, bound: true }],
      anchoredTo: 0,
      notAnchored: 512,
      sentence:
        "All 512 entries are as written, but there is no checkpoint to compare them with: none is anchored yet.",
    });
  });

  test("finds the same with one page and with several", async () => {
    await add(1_000, { why: "Much." });
    await add(988);
    await tamper("UPDATE audit_entries SET why = 'Little.' WHERE seq IN (1000, 1001)");
    expect(await verify()).toMatchObject({
      entries: 2_000,
      breaks: [{ kind: "changed", from: 1_000, to: 1_001 }],
    });
  });

  test.each<[string, readonly string[], object]>([
    [
      "a changed sentence",
      ["UPDATE audit_entries SET why = 'Nothing was done.' WHERE seq = 5"],
      {
        breaks: [{ kind: "changed", from: 5, to: 5 }],
        proven: [
          { from: 1, to: 4, bound: false },
          { from: 6, to: 12, bound: true },
        ],
        sentence:
          "The chain is broken. Entry 5 was changed: the contents are not those that were hashed.",
      },
    ],
    [
      "a changed time",
      ["UPDATE audit_entries SET at = at + interval '1 ms' WHERE seq = 5"],
      { breaks: [{ kind: "changed", from: 5, to: 5 }] },
    ],
    [
      "a number in its data written otherwise",
      [
        `UPDATE audit_entries SET after = '{"limit": 5.0}' WHERE seq = 5`,
        "UPDATE audit_entries AS one SET hash = cloudwright_audit_hash(one) WHERE seq = 5",
      ],
      { breaks: [{ kind: "changed", from: 5, to: 5 }] },
    ],
    [
      "a removed entry",
      ["DELETE FROM audit_entries WHERE seq = 7"],
      { breaks: [{ kind: "removed", from: 7, to: 7 }], entries: 11 },
    ],
    [
      "the last ones removed",
      ["DELETE FROM audit_entries WHERE seq > 10"],
      { breaks: [{ kind: "removed", from: 11, to: 12 }] },
    ],
    [
      "all removed",
      ["TRUNCATE audit_entries"],
      { breaks: [{ kind: "removed", from: 1, to: 12 }], entries: 0 },
    ],
    [
      "two swapped",
      [
        "UPDATE audit_entries SET seq = -1 WHERE seq = 4",
        "UPDATE audit_entries SET seq = 4 WHERE seq = 9",
        "UPDATE audit_entries SET seq = 9 WHERE seq = -1",
      ],
      {
        breaks: [
          {
            kind: "reordered",
            from: 4,
            sentence: "Entry 4 was moved here: it was written as number 9.",
          },
          {
            kind: "reordered",
            from: 9,
            sentence: "Entry 9 was moved here: it was written as number 4.",
          },
        ],
      },
    ],
    [
      "a forged one at the end",
      [FORGED],
      {
        breaks: [
          {
            kind: "added",
            from: 13,
            sentence: "Entry 13 was inserted after the end of the chain, whose last entry is 12.",
          },
        ],
      },
    ],
    [
      "a forged one at the end, with the hash that it should have",
      [FORGED, "UPDATE audit_entries AS one SET hash = cloudwright_audit_hash(one) WHERE seq = 13"],
      { breaks: [{ kind: "added", from: 13, to: 13 }] },
    ],
    [
      "the head's record removed",
      ["DELETE FROM audit_chains"],
      { breaks: [{ kind: "removed", from: 12 }], entries: 12 },
    ],
    [
      "an entry moved to another cluster",
      ["UPDATE audit_entries SET cluster_id = 'other', chain = 'other' WHERE seq = 3"],
      { breaks: [{ kind: "removed", from: 3, to: 3 }] },
    ],
  ])("finds %s and names it", async (_, statements, expected) => {
    await tamper(...statements);
    expect(await verify()).toMatchObject({
      intact: false,
      breakCount: expect.any(Number),
      ...expected,
    });
  });

  test("still names a forged entry when the chain was continued without it", async () => {
    await tamper(
      FORGED,
      "UPDATE audit_entries AS one SET hash = cloudwright_audit_hash(one) WHERE seq = 13",
    );
    await add(3);
    expect(await verify()).toMatchObject({
      head: { seq: 16 },
      breaks: [{ kind: "added", from: 13, to: 13 }],
      proven: [
        { from: 1, to: 12 },
        { from: 14, to: 16 },
      ],
    });
  });

  test("says where the chain started again when the head's record was removed", async () => {
    await tamper("DELETE FROM audit_chains");
    await add(2);
    expect(await verify()).toMatchObject({
      head: { seq: 14 },
      breaks: [{ kind: "removed", from: 13, to: 13 }],
    });
  });
});

describe("a chain that is missing", () => {
  test("fails, with its head's record or without", async () => {
    await ledger.db.pool.query("INSERT INTO clusters VALUES ('new', 'new', 'sandbox', now())");
    expect(await verifyChain(ledger.db.pool, { chain: "new" })).toMatchObject({
      intact: true,
      sentence: "The chain has no entries yet.",
    });
    await ledger.db.pool.query("DELETE FROM audit_chains WHERE chain = 'new'");
    expect(await listChains(ledger.db.pool)).toContain("new");
    expect(await verifyChain(ledger.db.pool, { chain: "new" })).toMatchObject({
      intact: false,
      sentence:
        "The chain is broken. The chain is missing: the record of its head was removed, and it has no entry.",
    });
    await tamper("TRUNCATE audit_entries", "DELETE FROM audit_chains");
    expect(await verify()).toMatchObject({ intact: false, breakCount: 1 });
  });
});

describe("a checkpoint", () => {
  test("that was removed from where the leader had written it fails, unless it is being written now", async () => {
    const place = "ConfigMap c";
    await noteCheckpoint(ledger.db.pool, CLUSTER, { ...(await headOf()), at: 0, place });
    const preview = (at: number, where = place) =>
      verifyChain(ledger.db.pool, { chain: CLUSTER, read: { place: where, at } });
    expect(await preview(600_000)).toMatchObject({
      intact: false,
      sentence:
        "The chain is broken. The checkpoint in ConfigMap c is missing: the leader wrote it at 1970-01-01 00:00 UTC for entry 12.",
    });
    expect(await preview(1)).toMatchObject({ intact: true });
    expect(await preview(600_000, "ConfigMap d")).toMatchObject({ intact: true });
  });

  test("that the chain still matches vouches for what is before it", async () => {
    const head = await headOf();
    const place = "ConfigMap c";
    await noteCheckpoint(ledger.db.pool, CLUSTER, { ...head, at: 1_000, place });
    await add(2);
    const noted = { seq: 12, hash: head.hash, place, matches: true };
    expect(await verifyChain(ledger.db.pool, { chain: CLUSTER, now: 8_400 })).toMatchObject({
      intact: true,
      anchoredTo: 12,
      notAnchored: 2,
      checkpoints: [{ ...noted, copy: "database" }],
      sentence:
        "All 14 entries are as written, and up to entry 12 as the database's own copy of the checkpoint in ConfigMap c (7 s old) has them; 2 newer entries are not yet anchored.",
    });
    const known = [{ ...head, at: 1_000, place, copy: "configMap" }] as const;
    expect(
      await verifyChain(ledger.db.pool, { chain: CLUSTER, known, now: 7_201_000 }),
    ).toMatchObject({
      checkpoints: [{ ...noted, copy: "configMap" }],
      sentence: expect.stringContaining(
        "up to entry 12 as the checkpoint in ConfigMap c (2 h old) has them",
      ),
    });
    await tamper("UPDATE audit_entries SET why = 'x' WHERE seq = 14");
    expect(await verify()).toMatchObject({
      breaks: [{ kind: "changed", from: 14 }],
      proven: [{ from: 1, to: 13, bound: true }],
    });
  });

  test("shows that the whole chain was rehashed, which nothing else can", async () => {
    const known = { ...(await headOf()), place: "ConfigMap c", copy: "configMap" } as const;
    const early = { ...known, seq: 2, hash: await hashAt(2), at: 1 };
    await tamper("UPDATE audit_entries SET why = 'x' WHERE seq = 4", HASH_ANEW_FROM_FOUR);
    expect(await verify()).toMatchObject({ intact: true });
    expect(await verify([known, early])).toMatchObject({
      intact: false,
      breaks: [{ kind: "rewritten", from: 3, to: 12 }],
      proven: [{ from: 1, to: 2, bound: true }],
      checkpoints: [{ matches: false }, { matches: true }],
    });
    expect(await verify([known])).toMatchObject({
      breaks: [{ kind: "rewritten", from: 1 }],
      proven: [],
    });
  });

  test("shows that the end was cut off, which nothing else can", async () => {
    const at = Date.UTC(2026, 0, 2, 3, 4);
    const known = { ...(await headOf()), at, place: "ConfigMap c", copy: "configMap" } as const;
    await tamper(
      "DELETE FROM audit_entries WHERE seq > 9",
      "UPDATE audit_chains SET seq = 9, hash = (SELECT hash FROM audit_entries WHERE seq = 9)",
    );
    expect(await verify()).toMatchObject({ intact: true });
    expect(await verify([known])).toMatchObject({
      breaks: [
        {
          kind: "removed",
          from: 10,
          to: 12,
          sentence:
            "Entries 10 to 12 were removed: the chain ends at 9, and the checkpoint of 2026-01-02 03:04 UTC (ConfigMap c) names 12.",
        },
      ],
      proven: [{ from: 1, to: 9, bound: false }],
    });
  });
});

async function headOf() {
  const head = await readHead(ledger.db.pool, CLUSTER);
  if (head === undefined) throw new Error("The chain has no head.");
  return head;
}

async function hashAt(seq: number): Promise<string> {
  const { rows } = await ledger.db.pool.query<{ hash: string }>(
    "SELECT hash FROM audit_entries WHERE seq = $1",
    [seq],
  );
  return rows[0]?.hash ?? "";
}
