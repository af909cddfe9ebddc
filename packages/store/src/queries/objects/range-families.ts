import type pg from "pg";
import type { RoutesPage } from "../../views/routes.ts";

/** The families of the leader's `--cluster-cidr`, IPv4 first. Of a dry run's only where nobody else leads. */
export async function rangeFamilies(
  pool: pg.Pool,
  cluster: string,
): Promise<RoutesPage["families"]> {
  const { rows } = await pool.query<{ readonly ranges: string | null }>(OF_LEADER, [cluster]);
  const ranges = (rows[0]?.ranges ?? "").split(",").filter((range) => range.trim() !== "");
  const isSix = (range: string) => range.includes(":");
  return [
    ...(ranges.some((range) => !isSix(range)) ? (["IPv4"] as const) : []),
    ...(ranges.some(isSix) ? (["IPv6"] as const) : []),
  ];
}

/** Only the one flag leaves the database: a process has some two hundred, each with its help. */
const OF_LEADER = `
  SELECT jsonb_path_query_first(settings.flags, '$[*] ? (@.name == "cluster-cidr").value') #>> '{}' AS ranges
    FROM controller_settings AS settings
    JOIN controller_instances AS instances USING (cluster_id, identity)
   WHERE settings.cluster_id = $1 AND instances.leader
   ORDER BY instances.dry_run, instances.lease_transitions DESC NULLS LAST, instances.heard_at DESC
   LIMIT 1`;
