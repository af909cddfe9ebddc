-- CreateIndex
CREATE INDEX "runs_cluster_id_trigger_kind_started_at_id_idx" ON "runs"("cluster_id", "trigger_kind", "started_at", "id");

-- By hand, as Prisma cannot model an expression: runs with many calls are few and far apart.
CREATE INDEX "runs_cluster_id_calls_started_at_idx" ON "runs"("cluster_id", ("cloud_calls" + "kube_calls"), "started_at");
