-- What lists and pictures of thousands ask for is read from indexes: each row is on another page, and most of it is JSON that they do not show.

-- DropIndex
DROP INDEX "node_states_cluster_id_kind_state_rank_since_name_idx";

-- CreateIndex: nodes in the order of the list, with what the topology and the menus of the list show of each.
CREATE INDEX "node_states_in_order_idx" ON "node_states"("cluster_id", "kind", "state_rank", "since", "name_key", "name")
  INCLUDE ("state", "zone", "instance_type");

-- From here on by hand. An index of an expression serves a count alone only if it has the columns that are in it, too. Runs are read
-- while the new one is made; controllers keep what they would write in their spools meanwhile.
CREATE INDEX "runs_of_calls_idx" ON "runs"("cluster_id", ("cloud_calls" + "kube_calls"), "started_at")
  INCLUDE ("cloud_calls", "kube_calls");

DROP INDEX "runs_cluster_id_calls_started_at_idx";

-- The map of the route tables shows three words of each pod range, and a node has one range of each family: they are kept as one text, put
-- together by the character that separates units. NULL where there is no range, or a third one: then the detail is asked.
ALTER TABLE "route_states" ADD COLUMN "map_cells" TEXT GENERATED ALWAYS AS (
  CASE WHEN "detail" #> '{cells,2}' IS NULL THEN
    ("detail" #>> '{cells,0,cidr}') || E'\x1f' || ("detail" #>> '{cells,0,verdict}')
      || E'\x1f' || COALESCE("detail" #>> '{cells,0,route,table}', '')
      || COALESCE(
           E'\x1f' || ("detail" #>> '{cells,1,cidr}') || E'\x1f' || ("detail" #>> '{cells,1,verdict}')
             || E'\x1f' || COALESCE("detail" #>> '{cells,1,route,table}', ''),
           '')
  END
) STORED;
