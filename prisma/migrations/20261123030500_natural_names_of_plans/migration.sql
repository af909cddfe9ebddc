-- By hand, as Prisma cannot model it: as for object_states, names in the order in which a person counts.
ALTER TABLE "shadow_plans" ADD COLUMN "name_key" TEXT COLLATE "C" NOT NULL GENERATED ALWAYS AS (
  regexp_replace(regexp_replace("object_name", '(\d+)', repeat('0', 20) || '\1', 'g'), '\d*(\d{20})', '\1', 'g')) STORED;

-- CreateIndex
CREATE INDEX "shadow_plans_in_order_idx" ON "shadow_plans"("cluster_id", "controller", "object_kind", "object_namespace", "name_key", "object_name");
