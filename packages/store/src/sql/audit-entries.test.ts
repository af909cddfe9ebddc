import { expect, test } from "vitest";
import { auditEntry, CLUSTER } from "../../testing/records.ts";
import { useDatabase, useTestServer } from "../../testing/suite-database.ts";
import { type AuditSort, listAudit } from "./audit-entries.ts";

const server = useTestServer();
/** As a spool delivers them that was away for a while. */
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
