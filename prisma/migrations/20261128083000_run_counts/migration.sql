-- CreateTable
CREATE TABLE "run_counts" (
    "cluster_id" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "controller" TEXT NOT NULL,
    "object_kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "trigger_kind" TEXT NOT NULL,
    "runs" INTEGER NOT NULL,

    CONSTRAINT "run_counts_pkey" PRIMARY KEY ("cluster_id","step","at","controller","object_kind","outcome","trigger_kind")
);

-- From here on by hand. The rows of the last minutes are written again and again, each time within their page.
ALTER TABLE "run_counts" SET (fillfactor = 70);

-- Whoever writes runs, this release or the one before, counts them. The rows are taken in one order, so that two who write runs
-- of one cluster do not wait for each other in a circle.
CREATE FUNCTION cloudwright_count_runs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  added constant text := 'SELECT 1 AS more, * FROM runs_after';
  taken constant text := 'SELECT -1 AS more, * FROM runs_before';
BEGIN
  EXECUTE format($count$
    INSERT INTO run_counts (cluster_id, step, at, controller, object_kind, outcome, trigger_kind, runs)
    SELECT cluster_id, step, date_trunc(step, started_at, 'UTC'), controller, object_kind, outcome, trigger_kind, sum(more)
      FROM (%s) AS changed, (VALUES ('minute'), ('hour')) AS steps (step)
     GROUP BY 1, 2, 3, 4, 5, 6, 7
    HAVING sum(more) <> 0
     ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (cluster_id, step, at, controller, object_kind, outcome, trigger_kind)
    DO UPDATE SET runs = run_counts.runs + EXCLUDED.runs
  $count$, CASE TG_OP WHEN 'INSERT' THEN added WHEN 'DELETE' THEN taken ELSE added || ' UNION ALL ' || taken END);
  RETURN NULL;
END
$$;

CREATE TRIGGER runs_count_insert AFTER INSERT ON runs
  REFERENCING NEW TABLE AS runs_after FOR EACH STATEMENT EXECUTE FUNCTION cloudwright_count_runs();
CREATE TRIGGER runs_count_update AFTER UPDATE ON runs
  REFERENCING OLD TABLE AS runs_before NEW TABLE AS runs_after FOR EACH STATEMENT EXECUTE FUNCTION cloudwright_count_runs();
CREATE TRIGGER runs_count_delete AFTER DELETE ON runs
  REFERENCING OLD TABLE AS runs_before FOR EACH STATEMENT EXECUTE FUNCTION cloudwright_count_runs();

-- What was written before. Nobody writes runs while this waits: creating the triggers has locked the table.
INSERT INTO run_counts (cluster_id, step, at, controller, object_kind, outcome, trigger_kind, runs)
SELECT cluster_id, step, date_trunc(step, started_at, 'UTC'), controller, object_kind, outcome, trigger_kind, count(*)
  FROM runs, (VALUES ('minute'), ('hour')) AS steps (step)
 GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- A day that is dropped takes its counts along.
CREATE OR REPLACE FUNCTION cloudwright_drop_run_days(before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
DECLARE
  partition regclass;
  dropped integer := 0;
BEGIN
  PERFORM cloudwright_check_is_past(before);
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
  EXECUTE format('ALTER FUNCTION cloudwright_count_runs() SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION cloudwright_drop_run_days(timestamptz) SET search_path = %I, pg_temp', current_schema());
END
$$;
