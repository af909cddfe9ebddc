-- CreateTable
CREATE TABLE "object_events" (
    "cluster_id" TEXT NOT NULL,
    "uid" TEXT NOT NULL,
    "object_kind" TEXT NOT NULL,
    "object_namespace" TEXT NOT NULL,
    "object_name" TEXT NOT NULL,
    "object_uid" TEXT,
    "type" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "component" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "object_events_pkey" PRIMARY KEY ("cluster_id","uid")
);

-- CreateIndex
CREATE INDEX "object_events_cluster_id_object_name_object_namespace_objec_idx" ON "object_events"("cluster_id", "object_name", "object_namespace", "object_kind", "last_at");

-- CreateIndex
CREATE INDEX "object_events_last_at_idx" ON "object_events"("last_at");

-- From here on by hand: what Prisma cannot model.

CREATE TRIGGER "object_events_notify_insert"
  AFTER INSERT ON "object_events" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('events');
CREATE TRIGGER "object_events_notify_update"
  AFTER UPDATE ON "object_events" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('events');

-- Removes those that last happened before then.
CREATE FUNCTION cloudwright_drop_old_events(events_before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  removed integer;
BEGIN
  PERFORM cloudwright_check_is_past(events_before);
  DELETE FROM object_events WHERE last_at < events_before;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION cloudwright_drop_old_events(timestamptz) SET search_path = %I, pg_temp', current_schema());
  REVOKE EXECUTE ON FUNCTION cloudwright_drop_old_events(timestamptz) FROM PUBLIC;
END
$$;
