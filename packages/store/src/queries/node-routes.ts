import { nodeRangesDetailSchema } from "@cloudwright/core/model/route-record";
import type { Database } from "../database.ts";
import { OperationError } from "../errors.ts";
import type { NodeRoutesView } from "../route-views.ts";
import { openIntentsOf } from "./intents.ts";
import { ROUTE_COLUMNS, routeRow, type StoredRoutes } from "./routes.ts";
import { readJson, readTime } from "./stored-json.ts";

/** The routes and pod ranges of one node, also when it is gone. Throws OperationError NotFound for an unknown name. */
export async function nodeRoutes(
  db: Database,
  { cluster, name }: { readonly cluster: string; readonly name: string },
): Promise<NodeRoutesView> {
  const [stored, openIntents] = await Promise.all([
    db.pool.query<StoredNodeRoutes>(
      `SELECT ${ROUTE_COLUMNS}, gone_at, parts -> 'node-ipam-controller' -> 'detail' AS ranges
         FROM object_states WHERE cluster_id = $1 AND kind = 'Node' AND name = $2`,
      [cluster, name],
    ),
    openIntentsOf(db, { cluster, kind: "Node", name }),
  ]);
  const [row] = stored.rows;
  if (row === undefined) {
    throw new OperationError("NotFound", `No controller has reported a node ${name} here.`);
  }
  const { route_rank: rank } = row;
  return {
    row: rank === null ? undefined : routeRow({ ...row, route_rank: rank }),
    ranges: readJson(nodeRangesDetailSchema, row.ranges, undefined),
    goneAt: readTime(row.gone_at),
    openIntents,
  };
}

type StoredNodeRoutes = Omit<StoredRoutes, "route_rank"> & {
  /** Null of one that the route controller has not looked at. */
  readonly route_rank: number | null;
  readonly gone_at: Date | null;
  readonly ranges: unknown;
};
