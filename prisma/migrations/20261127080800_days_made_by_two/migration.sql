-- By hand. Two who begin at the same moment make the same day, and the second waits for the first. What it then asks of
-- `to_regclass` is answered out of its cache of names, which the wait does not renew: it made the table again, and failed.
-- A query of the catalogue sees what the first has committed.
CREATE OR REPLACE FUNCTION cloudwright_make_run_days(days date[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  day date;
  partition text;
BEGIN
  FOREACH day IN ARRAY days LOOP
    partition := 'runs_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    PERFORM pg_advisory_xact_lock(hashtextextended('cloudwright run days', 0));
    CONTINUE WHEN EXISTS (
      SELECT FROM pg_class AS made JOIN pg_class AS runs USING (relnamespace)
       WHERE made.relname = partition AND runs.oid = 'runs'::regclass
    );
    EXECUTE format('CREATE TABLE %I (LIKE runs INCLUDING ALL)', partition);
    EXECUTE format('ALTER TABLE runs ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition,
                   day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
  END LOOP;
END
$$;
