import type pg from "pg";

/**
 * Ends as *interrupted* the runs of processes whose spool was lost with their machine: begun ten minutes ago or more, by
 * an instance not heard for five. Should the spool come back after all, the true ends replace these.
 */
export async function interruptOrphans(client: pg.Client): Promise<void> {
  await client.query(
    `UPDATE runs
        SET outcome = 'interrupted', reason = '{"code":"RunInterrupted"}', reason_code = 'RunInterrupted'
      WHERE outcome = 'running' AND started_at < now() - interval '10 minutes'
        AND cluster_id IN (SELECT id FROM clusters)
        AND NOT EXISTS (SELECT 1 FROM controller_instances AS heard
                         WHERE heard.cluster_id = runs.cluster_id AND heard.identity = runs.instance
                           AND heard.heard_at > now() - interval '5 minutes')`,
  );
}
