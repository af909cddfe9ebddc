import { nodeKind } from "@cloudwright/core/model/kinds/node";
import type { Database } from "../../database/database.ts";
import { listObjects } from "../../sql/objects.ts";
import type { ListInput, NodeSort, NodesFilter, NodesPage } from "../../views/views.ts";

/** Nodes of a cluster, as `listObjects`. */
export function listNodes(
  db: Database,
  input: ListInput<NodesFilter, NodeSort>,
): Promise<NodesPage> {
  return listObjects(db, nodeKind, input);
}
