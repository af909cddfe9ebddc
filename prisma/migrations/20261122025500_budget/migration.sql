-- AlterTable
ALTER TABLE "controller_instances" ADD COLUMN     "process" JSONB;

-- CreateTable
CREATE TABLE "controller_settings" (
    "cluster_id" TEXT NOT NULL,
    "identity" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "flags" JSONB NOT NULL,

    CONSTRAINT "controller_settings_pkey" PRIMARY KEY ("cluster_id","identity")
);

-- CreateTable
CREATE TABLE "budget_minutes" (
    "cluster_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "instance" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "dry_run" BOOLEAN NOT NULL,
    "covered_ms" DOUBLE PRECISION NOT NULL,
    "calls" INTEGER NOT NULL,
    "throttled" INTEGER NOT NULL,
    "limit_per_minute" DOUBLE PRECISION,
    "kube_calls" INTEGER NOT NULL,
    "kube_throttled" INTEGER NOT NULL,
    "kube_limit_per_minute" DOUBLE PRECISION,
    "cloud" JSONB NOT NULL,
    "kube" JSONB NOT NULL,
    "controllers" JSONB NOT NULL,
    "waiters" JSONB NOT NULL,

    CONSTRAINT "budget_minutes_pkey" PRIMARY KEY ("cluster_id","at","instance")
);

-- From here on by hand: what Prisma cannot model.

CREATE TRIGGER "budget_minutes_notify_insert"
  AFTER INSERT ON "budget_minutes" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('budget');

-- Removes the minutes before then, and the settings of processes that are forgotten.
CREATE FUNCTION cloudwright_drop_old_budget(minutes_before timestamptz)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  removed integer;
BEGIN
  PERFORM cloudwright_check_is_past(minutes_before);
  WITH old_minutes AS (
    DELETE FROM budget_minutes WHERE at < minutes_before RETURNING 1
  ), old_settings AS (
    DELETE FROM controller_settings AS settings
     WHERE at < minutes_before
       AND NOT EXISTS (SELECT 1 FROM controller_instances AS instances
                        WHERE instances.cluster_id = settings.cluster_id AND instances.identity = settings.identity)
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM old_minutes) + (SELECT count(*) FROM old_settings) INTO removed;
  RETURN removed;
END
$$;
