import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { addEntries } from "../../testing/add-entries.ts";
import { auditEntry, CLUSTER } from "../../testing/records.ts";
import { testLedger } from "../../testing/test-ledger.ts";
import { listChains } from "../sql/chains.ts";
import { ADD_ENTRIES } from "../sql/statements.ts";
import { storableJson } from "../text/storable-json.ts";
import { entryRow } from "./audit-insert.ts";
import { verifyChain } from "./verify-chain.ts";

const ledger = testLedger();
beforeEach(() => addEntries(ledger.db, 12));

function verify() {
  return verifyChain(ledger.db.pool, { chain: CLUSTER });
}

describe("adding entries", () => {
  test("counts each chain by itself, from 1", async () => {
    const { cluster: _, ...ofAccounts } = auditEntry({ action: "account.sign-in" });
    const rows = [
      entryRow(ofAccounts),
      entryRow(auditEntry()),
      entryRow(auditEntry({ cluster: "other" })),
    ];
    await ledger.db.pool.query(ADD_ENTRIES, [storableJson(rows)]);
    expect(await listChains(ledger.db.pool)).toEqual(["accounts", CLUSTER, "other"]);
    for (const [chain, seq] of [
      ["accounts", 1],
      [CLUSTER, 13],
      ["other", 1],
    ] as const) {
      expect(await verifyChain(ledger.db.pool, { chain })).toMatchObject({
        intact: true,
        entries: seq,
      });
    }
  });

  test("leaves out an id that exists, from the same call or an earlier one", async () => {
    const again = entryRow(auditEntry({ id: randomUUID() }));
    const { rows } = await ledger.db.pool.query(ADD_ENTRIES, [storableJson([again, again])]);
    expect(rows).toEqual([{ cloudwright_audit: "1" }]);
    await ledger.db.pool.query(ADD_ENTRIES, [storableJson(again)]);
    expect(await verify()).toMatchObject({ intact: true, entries: 13 });
  });

  test("from many connections at once makes no gap and no fork", async () => {
    await Promise.all(Array.from({ length: 40 }, () => addEntries(ledger.db, 5)));
    expect(await verify()).toMatchObject({ intact: true, entries: 212 });
  });

  test("that is rolled back leaves no gap", async () => {
    const client = await ledger.db.pool.connect();
    await client.query("BEGIN");
    await client.query(ADD_ENTRIES, [storableJson(entryRow(auditEntry()))]);
    await client.query("ROLLBACK");
    client.release();
    await addEntries(ledger.db, 1);
    expect(await verify()).toMatchObject({ intact: true, entries: 13 });
  });

  test("takes no number, hash or chain from the caller", async () => {
    const action = {
      ...entryRow(auditEntry()),
      seq: 99,
      hash: "h",
      prev_hash: "p",
      chain: "other",
    };
    await ledger.db.pool.query(ADD_ENTRIES, [storableJson(action)]);
    expect(await verify()).toMatchObject({ intact: true, entries: 13 });
  });

  test("bypassing the function is refused, and so is every change", async () => {
    for (const statement of [
      "INSERT INTO audit_entries SELECT * FROM audit_entries",
      "UPDATE audit_entries SET why = 'x'",
      "DELETE FROM audit_entries",
      "TRUNCATE audit_entries",
    ]) {
      await expect(ledger.db.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
    }
    expect(await verify()).toMatchObject({ intact: true, entries: 12 });
  });
});
