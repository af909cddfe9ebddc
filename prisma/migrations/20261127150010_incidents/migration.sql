-- CreateTable
CREATE TABLE "incidents" (
    "id" UUID NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "title" TEXT,
    "subject" TEXT NOT NULL,
    "snapshot" JSONB NOT NULL,
    "maker_id" TEXT NOT NULL,
    "maker_name" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incidents_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "incidents_cluster_id_made_at_idx" ON "incidents"("cluster_id", "made_at");

-- CreateIndex
CREATE INDEX "incidents_made_at_idx" ON "incidents"("made_at");

-- From here on by hand: what Prisma cannot model.

-- The dashboard bounds it more closely.
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_size" CHECK (octet_length("snapshot"::text) <= 1048576);

CREATE TRIGGER "incidents_notify_insert"
  AFTER INSERT ON "incidents" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('incidents');
CREATE TRIGGER "incidents_notify_delete"
  AFTER DELETE ON "incidents" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('incidents');

-- Removes what was shared before then.
CREATE FUNCTION cloudwright_drop_old_incidents(incidents_before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  removed integer;
BEGIN
  PERFORM cloudwright_check_is_past(incidents_before);
  DELETE FROM incidents WHERE made_at < incidents_before;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION cloudwright_drop_old_incidents(timestamptz) SET search_path = %I, pg_temp', current_schema());
  REVOKE EXECUTE ON FUNCTION cloudwright_drop_old_incidents(timestamptz) FROM PUBLIC;
END
$$;
