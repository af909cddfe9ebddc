-- CreateTable
CREATE TABLE "webhooks" (
    "id" UUID NOT NULL,
    "owner_id" TEXT,
    "cluster_id" TEXT,
    "name" TEXT NOT NULL,
    "form" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_until" TIMESTAMPTZ(3),
    "rules" JSONB NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_alarms" (
    "webhook_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "condition" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "members" JSONB NOT NULL,
    "most" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    "notified_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_alarms_pkey" PRIMARY KEY ("webhook_id","key")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "cluster_id" TEXT,
    "cluster_name" TEXT NOT NULL,
    "alarm" TEXT NOT NULL,
    "condition" TEXT,
    "phase" TEXT NOT NULL,
    "object_kind" TEXT,
    "object_name" TEXT,
    "count" INTEGER NOT NULL,
    "sentence" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3),
    "state" TEXT NOT NULL,
    "problem" TEXT,
    "attempts" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhooks_owner_id_idx" ON "webhooks"("owner_id");

-- CreateIndex
CREATE INDEX "webhooks_cluster_id_idx" ON "webhooks"("cluster_id");

-- CreateIndex
CREATE INDEX "webhook_alarms_cluster_id_idx" ON "webhook_alarms"("cluster_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_webhook_id_id_idx" ON "webhook_deliveries"("webhook_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_state_next_at_idx" ON "webhook_deliveries"("state", "next_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries"("created_at");

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_alarms" ADD CONSTRAINT "webhook_alarms_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on by hand: what Prisma cannot model.

ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_of_one"
  CHECK (("owner_id" IS NULL) <> ("cluster_id" IS NULL));
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_next"
  CHECK (("state" = 'pending') = ("next_at" IS NOT NULL));

-- Wakes the pages that list them, and the process that sends.
CREATE TRIGGER "webhooks_notify_insert"
  AFTER INSERT ON "webhooks" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('webhooks');
CREATE TRIGGER "webhooks_notify_update"
  AFTER UPDATE ON "webhooks" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('webhooks');
CREATE TRIGGER "webhook_deliveries_notify_insert"
  AFTER INSERT ON "webhook_deliveries" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('webhooks');
CREATE TRIGGER "webhook_deliveries_notify_update"
  AFTER UPDATE ON "webhook_deliveries" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('webhooks');
