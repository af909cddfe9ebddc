-- By hand. Days of runs were dropped without the lock under which they are created. Whoever granted rights on all tables at that
-- moment failed with a table that no longer existed.
CREATE OR REPLACE FUNCTION cloudwright_drop_run_days(before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
DECLARE
  partition regclass;
  dropped integer := 0;
BEGIN
  PERFORM cloudwright_check_is_past(before);
  PERFORM pg_advisory_xact_lock(hashtextextended('cloudwright run days', 0));
  FOR partition IN
    SELECT pg_inherits.inhrelid
      FROM pg_inherits JOIN pg_class ON pg_class.oid = pg_inherits.inhrelid
     WHERE pg_inherits.inhparent = 'runs'::regclass AND pg_class.relname ~ '^runs_\d{8}$'
       AND (to_date(right(pg_class.relname, 8), 'YYYYMMDD') + 1)::timestamp AT TIME ZONE 'UTC' <= before
     ORDER BY pg_class.relname
  LOOP
    EXECUTE format('DROP TABLE %s', partition);
    dropped := dropped + 1;
  END LOOP;
  DELETE FROM run_counts WHERE at < date_trunc('day', before, 'UTC');
  DELETE FROM comments WHERE run_started_at < date_trunc('day', before, 'UTC');
  RETURN dropped;
END
$$;

-- As for the functions from before: they find no other objects than those meant here.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION cloudwright_drop_run_days(timestamptz) SET search_path = %I, pg_temp', current_schema());
END
$$;
