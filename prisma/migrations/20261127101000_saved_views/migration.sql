-- CreateTable
CREATE TABLE "saved_views" (
    "id" UUID NOT NULL,
    "owner_id" TEXT NOT NULL,
    "cluster_id" TEXT,
    "name" TEXT NOT NULL,
    "shared" BOOLEAN NOT NULL DEFAULT false,
    "page" TEXT NOT NULL,
    "search" TEXT NOT NULL,
    "list_table" TEXT,
    "hidden_columns" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "saved_views_cluster_id_idx" ON "saved_views"("cluster_id");

-- CreateIndex
CREATE UNIQUE INDEX "saved_views_owner_id_name_key" ON "saved_views"("owner_id", "name");

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
