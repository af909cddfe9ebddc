import { detailOf, type StoredParts } from "@cloudwright/core/model/kinds/known-object";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { causeOfPart } from "@cloudwright/core/model/reasons/deepest-cause";
import {
  lifecycleDetailSchema,
  type MachineAnswer,
} from "@cloudwright/core/model/records/machine-record";
import type { NodeFacts } from "@cloudwright/core/model/records/node-record";
import {
  nodeRangesDetailSchema,
  nodeRoutesDetailSchema,
} from "@cloudwright/core/model/records/route-record";
import { STATES } from "@cloudwright/core/model/state";
import type { Database } from "../../database/database.ts";
import { openIntentsOf } from "../../intents/intents.ts";
import { objectByName } from "../../sql/object-rows.ts";
import { orUndefined } from "../../sql/stored-json.ts";
import type { NodeControllerState, NodeDetail } from "../../views/node-detail.ts";

export interface NodeDetailInput {
  readonly cluster: string;
  readonly name: string;
}

/** One node with all that is known of it, also when it is gone. Throws OperationError NotFound for an unknown name. */
export async function nodeDetail(db: Database, input: NodeDetailInput): Promise<NodeDetail> {
  const [{ row, own, parts, createdAt, goneAt }, fleet, openIntents] = await Promise.all([
    objectByName(db, nodeKind, { ...input, what: `a node ${input.name}` }),
    fleetInitialisation(db, input.cluster),
    openIntentsOf(db, { cluster: input.cluster, kind: "Node", name: input.name }),
  ]);
  const { node, cloud } = own;
  return {
    row,
    createdAt,
    goneAt,
    controllers: controllersOf(parts),
    timeline: own.timeline ?? [],
    taints: node?.taints ?? [],
    node: node?.facts,
    cloud,
    machine: newestAnswer(cloud, parts),
    wanted: own.wanted,
    ready: node === undefined ? undefined : { status: node.ready, since: node.readySince },
    kubeletVersion: node?.kubeletVersion,
    routes: detailOf(parts, nodeRoutesDetailSchema),
    ranges: detailOf(parts, nodeRangesDetailSchema),
    fleet,
    openIntents,
  };
}

/** Facts say that the machine was there; the lifecycle may have learnt since that it is not. */
function newestAnswer(cloud: NodeFacts | undefined, parts: StoredParts): MachineAnswer | undefined {
  const known = detailOf(parts, lifecycleDetailSchema)?.answer;
  if (cloud?.power === undefined) return known;
  const { power: kind, asOf, requestId } = cloud;
  return known !== undefined && known.asOf >= asOf ? known : { kind, asOf, requestId };
}

/** Worst first, as the page lists them. */
function controllersOf(parts: StoredParts): readonly NodeControllerState[] {
  const all = Object.values(parts).filter((part) => part !== undefined);
  return all
    .map((part) => ({
      controller: part.controller,
      state: part.state,
      reason: part.reason,
      since: part.since,
      nextAt: part.nextAt,
      failures: part.failures,
      at: part.at,
      runId: part.runId,
      outcome: part.outcome,
      drift: part.drift,
      follows: causeOfPart(part, all)?.controller,
      underneath: part.underneath,
    }))
    .sort((left, right) => STATES.indexOf(left.state) - STATES.indexOf(right.state));
}

/** Initialisation times of the last 7 days; undefined where no node was initialised in them. */
export async function fleetInitialisation(
  db: Database,
  cluster: string,
): Promise<NodeDetail["fleet"]> {
  const result = await db.pool.query<{ nodes: number; p50: number | null; p95: number | null }>(
    `SELECT count(*)::int AS nodes,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY init_ms) AS p50,
            percentile_cont(0.95) WITHIN GROUP (ORDER BY init_ms) AS p95
       FROM node_states
      WHERE cluster_id = $1 AND init_ms IS NOT NULL AND initialised_at > now() - interval '7 days'`,
    [cluster],
  );
  const row = result.rows[0];
  const p50Ms = orUndefined(row?.p50 ?? null);
  const p95Ms = orUndefined(row?.p95 ?? null);
  if (row === undefined || p50Ms === undefined || p95Ms === undefined) return undefined;
  return { p50Ms, p95Ms, nodes: row.nodes };
}
