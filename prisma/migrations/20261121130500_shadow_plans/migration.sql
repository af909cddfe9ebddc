-- AlterTable
ALTER TABLE "object_states" ADD COLUMN     "dry_run" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "shadow_plans" (
    "cluster_id" TEXT NOT NULL,
    "controller" TEXT COLLATE "C" NOT NULL,
    "object_kind" TEXT COLLATE "C" NOT NULL,
    "object_namespace" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "object_name" TEXT COLLATE "C" NOT NULL,
    "object_uid" TEXT,
    "run_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" JSONB NOT NULL,
    "reason_code" TEXT NOT NULL,
    "next" JSONB NOT NULL,
    "change_count" INTEGER NOT NULL,
    "changes" JSONB NOT NULL,
    "not_taken" JSONB NOT NULL,

    CONSTRAINT "shadow_plans_pkey" PRIMARY KEY ("cluster_id","controller","object_kind","object_namespace","object_name")
);

-- From here on by hand: what Prisma cannot model.

-- As it was, and what dry runs said that is as old as the runs that are removed.
CREATE OR REPLACE FUNCTION cloudwright_drop_old_rows(intents_before timestamptz, objects_before timestamptz, runs_before timestamptz)
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
  ), old_shadow_plans AS (
    DELETE FROM shadow_plans WHERE at < runs_before RETURNING 1
  )
  SELECT (SELECT count(*) FROM old_intents) + (SELECT count(*) FROM old_objects)
       + (SELECT count(*) FROM old_gaps) + (SELECT count(*) FROM old_instances)
       + (SELECT count(*) FROM old_shadow_plans)
    INTO removed;
  RETURN removed;
END
$$;
