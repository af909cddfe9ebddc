-- By hand, as Prisma cannot model it: names in the order in which a person counts, node-2 before node-10. Each run of digits is
-- written with 20 of them. The database makes it of the name, so that whoever writes rows need not know of it.
ALTER TABLE "object_states" ADD COLUMN "name_key" TEXT COLLATE "C" NOT NULL GENERATED ALWAYS AS (
  regexp_replace(regexp_replace("name", '(\d+)', repeat('0', 20) || '\1', 'g'), '\d*(\d{20})', '\1', 'g')) STORED;

-- CreateIndex
CREATE INDEX "object_states_cluster_id_kind_name_key_name_idx" ON "object_states"("cluster_id", "kind", "name_key", "name");
