import type { LedgerGap } from "@cloudwright/core/model/records/gap";
import type pg from "pg";
import { ADD_ENTRIES, entryRow } from "../audit/entry-row.ts";
import { insertRows } from "../sql/insert-rows.ts";
import {
  INSERT_BUDGET_MINUTES,
  INSERT_GAPS,
  UPSERT_CLUSTERS,
  UPSERT_INSTANCES,
  UPSERT_RUNS,
  UPSERT_SETTINGS,
  UPSERT_SHADOW_PLANS,
} from "../sql/statements.ts";
import {
  judgeByRunning,
  writeAbsences,
  writeStates,
  yieldBetween,
} from "../states/write-objects.ts";
import type { LedgerBatch } from "./batch.ts";
import { budgetRow } from "./budget-row.ts";
import { clusterRows, instanceRow, settingsRow } from "./instance-rows.ts";

/** Writes a batch in one transaction. Writing it again changes nothing. Throws what the database says. */
export async function writeBatch(client: pg.Client, batch: LedgerBatch): Promise<void> {
  await client.query("BEGIN");
  try {
    await insertRows(client, UPSERT_RUNS, batch.runs);
    await insertRows(client, UPSERT_SHADOW_PLANS, batch.shadowPlans);
    await yieldBetween(client, [...batch.states, ...batch.presences, ...batch.heartbeats]);
    await insertRows(client, UPSERT_CLUSTERS, clusterRows(batch.heartbeats));
    await insertRows(client, UPSERT_INSTANCES, batch.heartbeats.map(instanceRow));
    await judgeByRunning(client, batch.heartbeats);
    await writeStates(client, batch.states);
    await writeAbsences(client, batch.presences);
    await insertRows(client, INSERT_GAPS, batch.gaps.map(gapRow));
    await insertRows(client, UPSERT_SETTINGS, batch.settings.map(settingsRow));
    await insertRows(client, INSERT_BUDGET_MINUTES, batch.minutes.map(budgetRow));
    // Last, because whoever else writes audit entries waits from here to the commit.
    await insertRows(
      client,
      ADD_ENTRIES,
      batch.audits.map((entry) => entryRow(entry)),
    );
    await client.query("COMMIT");
  } catch (error) {
    // The connection may be what failed; the server then rolls back by itself.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

function gapRow(gap: LedgerGap): object {
  return {
    id: gap.id,
    cluster_id: gap.cluster,
    instance: gap.instance,
    from_at: gap.from,
    to_at: gap.to,
    records: gap.records,
    calls: gap.calls,
  };
}
