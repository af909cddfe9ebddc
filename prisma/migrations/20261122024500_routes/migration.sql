-- AlterTable
ALTER TABLE "object_states" ADD COLUMN     "route_drift" TEXT,
ADD COLUMN     "route_rank" SMALLINT,
ADD COLUMN     "route_reason_code" TEXT,
ADD COLUMN     "route_since" TIMESTAMPTZ(3),
ADD COLUMN     "route_table" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "route_verdicts" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "routes_kept" INTEGER,
ADD COLUMN     "routes_wanted" INTEGER;

-- CreateIndex
CREATE INDEX "object_states_cluster_id_kind_route_rank_route_since_name_idx" ON "object_states"("cluster_id", "kind", "route_rank", "route_since", "name");
