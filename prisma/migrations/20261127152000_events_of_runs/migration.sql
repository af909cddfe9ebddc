-- AlterTable
ALTER TABLE "runs" ADD COLUMN "events" JSONB;

-- From here on by hand. As before, but a run that has emitted Events stands for itself alone: Kubernetes forgets them.
CREATE OR REPLACE FUNCTION cloudwright_fold_runs(before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  cluster text;
  hour timestamptz;
  away integer;
BEGIN
  PERFORM cloudwright_check_is_past(before);
  SELECT cluster_id, date_trunc('hour', started_at, 'UTC') INTO cluster, hour FROM runs
   WHERE folded IS NULL AND outcome = 'unchanged' AND change_count = 0 AND trigger_kind <> 'intent'
     AND started_at < date_trunc('hour', before, 'UTC')
   ORDER BY started_at LIMIT 1;
  IF hour IS NULL THEN
    RETURN NULL;
  END IF;
  WITH members AS (
    SELECT cluster_id, started_at, id, duration_ms, folded_from, folded_max_ms,
           COALESCE(folded_ids, ARRAY[id]) AS ids,
           first_value(started_at) OVER same AS kept_at, first_value(id) OVER same AS kept_id
      FROM runs
     WHERE cluster_id = cluster AND started_at >= hour AND started_at < hour + interval '1 hour'
       AND outcome = 'unchanged' AND change_count = 0 AND trigger_kind <> 'intent'
    WINDOW same AS (PARTITION BY controller, object_kind, object_namespace, object_name, object_uid,
                                 reason_code, dry_run, CASE WHEN events <> '[]' THEN id END
                    ORDER BY started_at DESC, id DESC)
  ), sums AS (
    SELECT cluster_id, kept_at, kept_id, array_agg(DISTINCT one.id) AS ids,
           min(LEAST(started_at, folded_from)) AS from_at, max(GREATEST(duration_ms, folded_max_ms)) AS max_ms
      FROM members, unnest(members.ids) AS one(id)
     GROUP BY cluster_id, kept_at, kept_id
  ), kept AS (
    UPDATE runs
       SET folded = cardinality(sums.ids),
           folded_ids = CASE WHEN cardinality(sums.ids) > 1 THEN sums.ids END,
           folded_from = CASE WHEN cardinality(sums.ids) > 1 THEN sums.from_at END,
           folded_max_ms = CASE WHEN cardinality(sums.ids) > 1 THEN sums.max_ms END
      FROM sums
     WHERE runs.cluster_id = sums.cluster_id AND runs.started_at = sums.kept_at AND runs.id = sums.kept_id
  ), gone AS (
    DELETE FROM runs USING members
     WHERE runs.cluster_id = members.cluster_id AND runs.started_at = members.started_at AND runs.id = members.id
       AND (members.started_at, members.id) IS DISTINCT FROM (members.kept_at, members.kept_id)
    RETURNING 1
  )
  SELECT count(*) INTO away FROM gone;
  RETURN away;
END
$$;
