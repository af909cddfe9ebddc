-- Runs by day (UTC): a day is removed by dropping its partition, which costs nothing and frees its disk at once. There is
-- no default partition: rows in one would stand in the way of the day that they belong to. Whoever writes makes the days
-- that it needs.
ALTER TABLE "runs" RENAME TO "runs_in_one_table";
ALTER TABLE "runs_in_one_table" DROP CONSTRAINT "runs_pkey";
DROP INDEX "runs_cluster_id_started_at_id_idx";
DROP INDEX "runs_cluster_id_controller_started_at_id_idx";
DROP INDEX "runs_cluster_id_outcome_started_at_id_idx";
DROP INDEX "runs_cluster_id_reason_code_started_at_id_idx";
DROP INDEX "runs_cluster_id_object_name_started_at_id_idx";
DROP INDEX "runs_cluster_id_trigger_kind_started_at_id_idx";
DROP INDEX "runs_cluster_id_calls_started_at_idx";

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "controller" TEXT NOT NULL,
    "object_kind" TEXT NOT NULL,
    "object_namespace" TEXT NOT NULL DEFAULT '',
    "object_name" TEXT COLLATE "C" NOT NULL,
    "object_uid" TEXT,
    "trigger_kind" TEXT NOT NULL,
    "trigger" JSONB NOT NULL,
    "intent_id" TEXT,
    "attempt" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason_code" TEXT,
    "reason" JSONB,
    "next" JSONB,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "queued_ms" DOUBLE PRECISION NOT NULL,
    "duration_ms" DOUBLE PRECISION,
    "plan_ms" DOUBLE PRECISION,
    "cloud_calls" INTEGER NOT NULL DEFAULT 0,
    "kube_calls" INTEGER NOT NULL DEFAULT 0,
    "change_count" INTEGER NOT NULL,
    "applied" INTEGER,
    "dry_run" BOOLEAN NOT NULL,
    "changes" JSONB NOT NULL,
    "not_taken" JSONB NOT NULL,
    "steps" JSONB NOT NULL,
    "has_bodies" BOOLEAN NOT NULL DEFAULT false,
    "folded" INTEGER,
    "folded_ids" UUID[],
    "folded_from" TIMESTAMPTZ(3),
    "folded_max_ms" DOUBLE PRECISION,

    CONSTRAINT "runs_pkey" PRIMARY KEY ("cluster_id","started_at","id")
) PARTITION BY RANGE ("started_at");

-- CreateTable
CREATE TABLE "ledger_gaps" (
    "id" UUID NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "records" INTEGER NOT NULL,
    "calls" INTEGER NOT NULL,

    CONSTRAINT "ledger_gaps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_upkeep" (
    "task" TEXT NOT NULL,
    "done_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_upkeep_pkey" PRIMARY KEY ("task")
);

-- CreateIndex
CREATE INDEX "runs_cluster_id_controller_started_at_id_idx" ON "runs"("cluster_id", "controller", "started_at", "id");

-- CreateIndex
CREATE INDEX "runs_cluster_id_outcome_started_at_id_idx" ON "runs"("cluster_id", "outcome", "started_at", "id");

-- CreateIndex
CREATE INDEX "runs_cluster_id_reason_code_started_at_id_idx" ON "runs"("cluster_id", "reason_code", "started_at", "id");

-- CreateIndex
CREATE INDEX "runs_cluster_id_trigger_kind_started_at_id_idx" ON "runs"("cluster_id", "trigger_kind", "started_at", "id");

-- CreateIndex
CREATE INDEX "runs_cluster_id_object_name_started_at_id_idx" ON "runs"("cluster_id", "object_name", "started_at", "id");

-- CreateIndex
CREATE INDEX "ledger_gaps_cluster_id_to_at_idx" ON "ledger_gaps"("cluster_id", "to_at");

-- From here on by hand: what Prisma cannot model.

-- Runs with many calls are few and far apart.
CREATE INDEX "runs_cluster_id_calls_started_at_idx" ON "runs"("cluster_id", ("cloud_calls" + "kube_calls"), "started_at");
-- What the upkeep has still to do, so that it finds nothing at once when there is nothing.
CREATE INDEX "runs_to_fold_idx" ON "runs"("started_at")
  WHERE "folded" IS NULL AND "outcome" = 'unchanged' AND "change_count" = 0 AND "trigger_kind" <> 'intent';
CREATE INDEX "runs_with_bodies_idx" ON "runs"("started_at") WHERE "has_bodies";
CREATE INDEX "runs_running_idx" ON "runs"("started_at") WHERE "outcome" = 'running';

CREATE TRIGGER "runs_notify_insert"
  AFTER INSERT ON "runs" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('runs');
CREATE TRIGGER "runs_notify_update"
  AFTER UPDATE ON "runs" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('runs');

CREATE TRIGGER "ledger_gaps_notify_insert"
  AFTER INSERT ON "ledger_gaps" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('runs');

-- The functions below run as their owner: whoever may call them needs no right to make or drop tables.

-- Makes the partitions of these days, where they are missing. A table of its own that is attached locks out nobody who
-- reads or writes, as `CREATE TABLE ... PARTITION OF` would.
CREATE FUNCTION cloudwright_make_run_days(days date[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  day date;
  partition text;
BEGIN
  FOREACH day IN ARRAY days LOOP
    partition := 'runs_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    PERFORM pg_advisory_xact_lock(hashtextextended('cloudwright run days', 0));
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE runs INCLUDING ALL)', partition);
    EXECUTE format('ALTER TABLE runs ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition,
                   day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
  END LOOP;
END
$$;

-- Refuses what would remove the present: these functions are for old things only.
CREATE FUNCTION cloudwright_check_is_past(moment timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF moment > now() - interval '1 hour' THEN
    RAISE EXCEPTION 'the ledger of the last hour is never removed (% was refused)', moment
      USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;

-- Drops the days that are over by then; answers how many. Gives up after 2 s when readers hold one: the next time will do.
CREATE FUNCTION cloudwright_drop_run_days(before timestamptz) RETURNS integer
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
  RETURN dropped;
END
$$;

-- Removes the bodies of failed calls from at most so many old runs; answers from how many it did.
CREATE FUNCTION cloudwright_drop_run_bodies(before timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  stripped integer;
BEGIN
  PERFORM cloudwright_check_is_past(before);
  WITH old AS (
    SELECT cluster_id, started_at, id FROM runs
     WHERE started_at < before AND has_bodies
     ORDER BY started_at LIMIT most
  )
  UPDATE runs
     SET has_bodies = false,
         steps = COALESCE((SELECT jsonb_agg(step - 'body' ORDER BY place)
                             FROM jsonb_array_elements(runs.steps) WITH ORDINALITY AS listed(step, place)), '[]')
    FROM old
   WHERE runs.cluster_id = old.cluster_id AND runs.started_at = old.started_at AND runs.id = old.id;
  GET DIAGNOSTICS stripped = ROW_COUNT;
  RETURN stripped;
END
$$;

-- Folds one cluster's runs of the oldest hour that has unfolded ones and was over by then: of an object's equal unchanged
-- runs without changes the last one stays and stands for all of them. It keeps their ids, so that one that is drained again
-- counts once. Answers how many runs were folded away, null when there is no such hour.
CREATE FUNCTION cloudwright_fold_runs(before timestamptz) RETURNS integer
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
                                 reason_code, dry_run
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

-- Removes finished actions, objects that are gone, reports of gaps and processes that were last heard before then.
CREATE FUNCTION cloudwright_drop_old_rows(intents_before timestamptz, objects_before timestamptz, runs_before timestamptz)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  removed integer;
BEGIN
  PERFORM cloudwright_check_is_past(intents_before), cloudwright_check_is_past(objects_before),
          cloudwright_check_is_past(runs_before);
  WITH old_intents AS (
    DELETE FROM intents
     WHERE state NOT IN ('awaiting-approval', 'requested', 'claimed', 'running') AND updated_at < intents_before
    RETURNING 1
  ), old_objects AS (
    DELETE FROM object_states WHERE gone_at < objects_before RETURNING 1
  ), old_gaps AS (
    DELETE FROM ledger_gaps WHERE to_at < runs_before RETURNING 1
  ), old_instances AS (
    DELETE FROM controller_instances WHERE heard_at < runs_before RETURNING 1
  )
  SELECT (SELECT count(*) FROM old_intents) + (SELECT count(*) FROM old_objects)
       + (SELECT count(*) FROM old_gaps) + (SELECT count(*) FROM old_instances)
    INTO removed;
  RETURN removed;
END
$$;

-- True for the one process that shall do the upkeep now: the last one was so long ago, and nobody else is at it. The
-- lock goes with the connection.
CREATE FUNCTION cloudwright_begin_upkeep(every interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT pg_try_advisory_lock(hashtextextended('cloudwright upkeep', 0)) THEN
    RETURN false;
  END IF;
  RETURN NOT EXISTS (SELECT 1 FROM ledger_upkeep WHERE task = 'hourly' AND done_at > now() - every);
END
$$;

CREATE FUNCTION cloudwright_end_upkeep() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO ledger_upkeep (task, done_at) VALUES ('hourly', now())
  ON CONFLICT (task) DO UPDATE SET done_at = EXCLUDED.done_at;
$$;

-- What was there, in the days where it belongs.
SELECT cloudwright_make_run_days(COALESCE(array_agg(DISTINCT (started_at AT TIME ZONE 'UTC')::date), '{}')) FROM "runs_in_one_table";
INSERT INTO "runs" SELECT *, jsonb_path_exists("steps", '$[*].body') FROM "runs_in_one_table";
DROP TABLE "runs_in_one_table";
