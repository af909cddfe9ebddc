import type { LedgerGap } from "@cloudwright/core/model/records/gap";
import type pg from "pg";
import { entryRow } from "../audit/entry-row.ts";
import {
  ADD_ENTRIES,
  INSERT_BUDGET_MINUTES,
  INSERT_GAPS,
  insertRows,
  UPSERT_CLUSTERS,
  UPSERT_INSTANCES,
  UPSERT_RUNS,
  UPSERT_SETTINGS,
  UPSERT_SHADOW_PLANS,
} from "../sql/statements.ts";
import { inTransaction } from "../sql/transaction.ts";
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
  await inTransaction(client, async () => {
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
  });
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
