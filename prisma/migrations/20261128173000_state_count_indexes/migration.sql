-- How many objects are in which state, for which reason and whether they have drifted is counted for most pages. The rows of a fleet are
-- some 50 MB of JSON; in these indexes objects that are alike have one entry together, 70 KB for 7,000 nodes.

-- CreateIndex
CREATE INDEX "all_states_counts_idx" ON "all_states"("cluster_id", "kind", "state_rank", "reason_code", "drift");

-- CreateIndex
CREATE INDEX "node_states_counts_idx" ON "node_states"("cluster_id", "kind", "state_rank", "reason_code", "drift");

-- CreateIndex
CREATE INDEX "load_balancer_states_counts_idx" ON "load_balancer_states"("cluster_id", "kind", "state_rank", "reason_code", "drift");

-- CreateIndex
CREATE INDEX "route_states_counts_idx" ON "route_states"("cluster_id", "kind", "state_rank", "reason_code", "drift");

-- CreateIndex
CREATE INDEX "volume_states_counts_idx" ON "volume_states"("cluster_id", "kind", "state_rank", "reason_code", "drift");
